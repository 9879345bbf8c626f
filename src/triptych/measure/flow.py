"""How things move in a video once the camera's own move is taken out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.pairs import Mask
from triptych.measure.survey import Stills
from triptych.media.frame import U8

F32 = npt.NDArray[np.float32]

#: Longest side of the pictures between which flow is measured, pixels.
SIDE = 160
#: Share of the width that a place must move within a step to count as moving; below it is coding.
STILL = 0.0025
#: Rounds in which the camera's move is fitted again to what obeys it, and its slack, pixels.
ROUNDS, CAMERA_SLACK = 4, 0.35


@dataclass(frozen=True, slots=True)
class Motion:
    """What moves between two moments, ``seconds`` apart, without the camera.

    ``amount``: mean over the picture of the way that places go, percent of the width a second.
    ``direction``: mean (right, down) of the same, signed: near zero where things go both ways.
    ``moving``: share of the picture that moves.
    """

    time: float
    seconds: float
    amount: float
    direction: tuple[float, float]
    moving: float


def motions(stills: Stills, times: Sequence[float], step: float, inside: Mask) -> list[Motion]:
    """Motion after each of ``times``, over about ``step`` seconds; moments without are left out.

    ``inside`` (h, w) is the part of the stills that is picture rather than bars.
    """
    flow = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_ULTRAFAST)
    out = []
    for t in times:
        i, j = stills.nearest(t), stills.nearest(t + step)
        seconds = float(stills.times[j] - stills.times[i])
        if seconds <= 0.3 * step or abs(float(stills.times[i]) - t) > step:
            continue
        first, second = (_small(stills.pictures[k].y) for k in (i, j))
        field = flow.calc(first, second, np.zeros((*first.shape, 2), np.float32))
        size = first.shape[1], first.shape[0]
        mask = cv2.resize(inside.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
        if int(mask.sum()) >= 64:
            out.append(_motion(float(stills.times[i]), seconds, np.asarray(field), mask))
    return out


#: Least side of a picture that flow is found in, pixels: DIS reads beyond smaller ones.
LEAST = 48


def _small(luma: U8) -> U8:
    scale = min(1.0, SIDE / max(luma.shape))
    size = max(LEAST, round(luma.shape[1] * scale)), max(LEAST, round(luma.shape[0] * scale))
    return np.asarray(cv2.resize(luma, size, interpolation=cv2.INTER_AREA), np.uint8)


def _motion(time: float, seconds: float, field: F32, mask: Mask) -> Motion:
    own = field - camera_flow(field, mask)
    width = field.shape[1]
    way = np.hypot(own[..., 0], own[..., 1])
    moving = mask & (way > max(STILL * width, CAMERA_SLACK))
    share = 100.0 / width / seconds / float(mask.sum())
    total = own[moving].sum(axis=0) if moving.any() else np.zeros(2)
    return Motion(
        time=time,
        seconds=seconds,
        amount=float(way[moving].sum()) * share,
        direction=(float(total[0]) * share, float(total[1]) * share),
        moving=float(moving.sum() / mask.sum()),
    )


def camera_flow(field: F32, mask: Mask) -> F32:
    """The flow (h, w, 2) that a pan, tilt, zoom or roll explains: a similarity, fitted to most.

    Least squares, again and again on the places that obeyed it best (trimmed least squares:
    Rousseeuw, JASA 1984).
    """
    height, width = mask.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    x, y = x - width / 2, y - height / 2
    rows, columns = np.nonzero(mask)
    every = max(1, len(rows) // 2000)
    rows, columns = rows[::every], columns[::every]
    px, py = x[rows, columns], y[rows, columns]
    u, v = field[rows, columns, 0].astype(np.float64), field[rows, columns, 1].astype(np.float64)
    one, none = np.ones_like(px), np.zeros_like(px)
    terms = np.concatenate(
        [np.stack([one, none, px, -py], axis=1), np.stack([none, one, py, px], axis=1)]
    )
    wanted = np.concatenate([u, v])
    # The median is where most agree whatever moves; from there the fit finds the rest.
    fit = np.array([np.median(u), np.median(v), 0.0, 0.0])
    for _ in range(ROUNDS):
        off = (terms @ fit - wanted).reshape(2, -1)
        far = np.hypot(off[0], off[1])
        keep = np.tile(far <= max(CAMERA_SLACK, float(np.median(far))), 2)
        kept = terms * keep[:, None]
        fit = np.linalg.lstsq(kept.T @ terms, kept.T @ wanted, rcond=None)[0]
    move = np.stack([fit[0] + fit[2] * x - fit[3] * y, fit[1] + fit[2] * y + fit[3] * x], axis=-1)
    return move.astype(np.float32)
