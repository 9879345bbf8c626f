"""A drift of the framing taken out again, on drawn films."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from known_films import SIZE, film, moments, picture, survey_of

from triptych.measure.align import align
from triptych.measure.descriptors import Orientation
from triptych.measure.register import Transform
from triptych.measure.steadied import bends_time, steadied
from triptych.measure.survey import Survey
from triptych.media.frame import U8

SECONDS = 8.0
Each = list[tuple[float, float, Transform | None]]


def panned(share: float, turn: float = 0.0) -> Survey:
    """A's film through a picture that goes ``share`` of the width to the left, and turns."""
    width, height = SIZE
    out: list[U8] = []
    for t in moments(SECONDS):
        m = cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), -turn * t / SECONDS, 1.0)
        m[0, 2] -= share * width * t / SECONDS
        out.append(
            np.asarray(
                cv2.warpAffine(picture(float(t)), m, SIZE, borderMode=cv2.BORDER_REFLECT), np.uint8
            )
        )
    return survey_of(out)


def known(share: float, turn: float = 0.0, start: float = 2.0, end: float = 6.0) -> Each:
    """What registration measures between ``start`` and ``end``."""
    times = [float(t) for t in np.linspace(start, end, 9)]
    return [
        (t, t, Transform(1.0, turn * t / SECONDS, (-share * t / SECONDS, 0.0), 100)) for t in times
    ]


def test_a_steady_drift_bends_time_and_scatter_does_not() -> None:
    assert bends_time(known(0.2))
    assert bends_time(known(0.0, turn=8.0))
    assert not bends_time(known(0.0))
    scattered: Each = [
        (t, t, Transform(1.0, 0.0, (0.03 * (-1) ** i, 0.0), 100))
        for i, t in enumerate(np.linspace(0, 8, 9).tolist())
    ]
    assert not bends_time(scattered)
    assert not bends_time([(0.0, 0.0, None)] * 9)


@pytest.mark.parametrize(("share", "turn"), [(0.3, 0.0), (0.1, 12.0)])
def test_ends_that_the_drift_hid_are_found_again(share: float, turn: float) -> None:
    a, b = film(moments(SECONDS)), panned(share, turn)
    bent = align(a, b)
    match = align(a, steadied(a, b, Orientation(), known(share, turn)))
    (piece,) = match.timemap.pieces
    assert (piece.a0, piece.a1) == pytest.approx((0.0, SECONDS), abs=0.1)
    assert match.speed == pytest.approx(1.0, abs=0.005)
    assert match.score > bent.score + 0.05
