"""B as it would look had its framing stayed in A's: for aligning videos whose framing drifts.

A line through time is found with one framing for the whole video. Where a pan or a zoom was put on
top, that framing fits in the middle only: time comes out bent and the ends are lost. The drift that
registration measured is taken out of B's thumbnails, also beyond the moments it was measured at,
and the videos are aligned once more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from triptych.measure.camera_drift import Change, drift, good_moments
from triptych.measure.descriptors import Orientation
from triptych.measure.register import F64, Transform, fill_matrix, matrix_of
from triptych.measure.survey import THUMB_SIDE, Survey, Thumbs
from triptych.measure.views import active_share, turned_share
from triptych.media.frame import U8

#: Drifts that bend time: shares of the frame, the logarithm of the scale, degrees. Clips without a
#: made camera move: at most 0.006, 0.004 and 0.44.
MOVES, GROWS, TURNS = 0.015, 0.015, 0.8


def bends_time(each: Sequence[tuple[float, float, Transform | None]]) -> bool:
    """Whether B's framing drifts steadily, by more than alignment bears."""
    found = drift(each)
    if found is None:
        return False
    parts = (
        (found.across, MOVES),
        (found.down, MOVES),
        (found.log_scale, GROWS),
        (found.degrees, TURNS),
    )
    return any(_steadily(change, least) for change, least in parts)


def _steadily(change: Change, least: float) -> bool:
    return abs(change.net) > least and change.steady


def steadied(
    a: Survey, b: Survey, o: Orientation, each: Sequence[tuple[float, float, Transform | None]]
) -> Survey:
    """``b`` with thumbnails in A's framing, turned as ``o`` says; its stills stay as they are.

    ``each`` (time in A, time in B, transform) are registered moments, of which :func:`bends_time`
    holds.
    """
    times = b.thumbs.times
    size_a = a.size if o.quarter_turns % 2 == 0 else a.size[::-1]
    fill = fill_matrix(size_a, b.size)
    of_thumb, to_thumb = _from_thumb(size_a), np.linalg.inv(_from_thumb(b.size))
    pictures = np.empty_like(b.thumbs.pictures)
    for i, (scale, degrees, across, down) in enumerate(_course(each, times)):
        t = Transform(math.exp(scale), degrees, (across, down), 0)
        matrix = to_thumb @ np.vstack([matrix_of(t, fill, b.size), [0, 0, 1]]) @ of_thumb
        pictures[i] = _warped(b.thumbs.pictures[i], matrix[:2])
    width, height = size_a
    left, top, right, bottom = turned_share(active_share(a), o)
    bars = (left * width, top * height, (1 - right) * width, (1 - bottom) * height)
    media = b.media.model_copy(
        update={
            "display_width": width,
            "display_height": height,
            "bars": [round(x) for x in bars],
        }
    )
    return replace(b, media=media, thumbs=Thumbs(times, pictures), size=size_a)


def _course(each: Sequence[tuple[float, float, Transform | None]], times: F64) -> F64:
    """B's framing at each of ``times``: log of scale, degrees, shift, (n, 4)."""
    good = good_moments(each)
    at = np.array([t for t, _ in good])
    seen = np.array([[math.log(x.scale), x.degrees, *x.shift] for _, x in good])
    seen[:, 1] = np.degrees(np.unwrap(np.radians(seen[:, 1])))
    columns = []
    for column in seen.T:
        slope, offset = _line(at, column)
        # What bends stays bent where it was seen; beyond, the line goes on.
        rest = np.interp(times, at, column - offset - slope * at)
        columns.append(offset + slope * times + rest)
    return np.stack(columns, axis=1)


def _line(x: F64, y: F64) -> tuple[float, float]:
    """Slope and offset by medians (Theil and Sen): single bad moments do not count."""
    i, j = np.triu_indices(len(x), 1)
    apart = x[j] - x[i]
    use = apart > 0.1 * float(x[-1] - x[0])
    slope = float(np.median((y[j] - y[i])[use] / apart[use])) if use.any() else 0.0
    return slope, float(np.median(y - slope * x))


def _from_thumb(size: tuple[int, int]) -> F64:
    """3x3 matrix from pixels of a thumbnail to those of the picture it was made of."""
    sx, sy = size[0] / THUMB_SIDE, size[1] / THUMB_SIDE
    return np.array([[sx, 0, (sx - 1) / 2], [0, sy, (sy - 1) / 2], [0, 0, 1.0]])


def _warped(picture: U8, matrix: F64) -> U8:
    size = picture.shape[1], picture.shape[0]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(picture, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE),
        np.uint8,
    )
