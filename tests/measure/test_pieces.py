"""Rough runs become exact stretches."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from known_films import film, moments

from triptych.measure.descriptors import Orientation
from triptych.measure.geometry import PLAIN
from triptych.measure.pieces import Hold, pieces_of
from triptych.measure.segments import Motion, Run
from triptych.measure.timemap import Piece
from triptych.measure.views import Views

FORWARD, STILL = Motion(Orientation(), 1.0), Motion(Orientation(), 0.0)


def made(runs: Sequence[Run]) -> tuple[list[Piece], list[Hold]]:
    a = film(moments(6))
    views = Views(a, a, PLAIN)
    views.matrices(0.1, [Orientation()])
    return pieces_of(runs, 0.1, a, a, views.describe_a, views.describe_b)


def test_neighbours_on_one_line_are_one_and_reach_the_ends() -> None:
    pieces, holds = made([Run(FORWARD, 1, 30, 1, 30), Run(FORWARD, 31, 59, 31, 59)])
    (p,) = pieces
    assert (p.a0, p.a1, p.b0, p.b1) == pytest.approx((0, 6, 0, 6), abs=0.01)
    assert holds == []


def test_a_moment_is_no_stretch_and_standing_still_is_a_hold() -> None:
    pieces, holds = made([Run(FORWARD, 5, 8, 5, 8), Run(STILL, 20, 21, 30, 40)])
    assert pieces == []
    assert [(h.a, h.b0, h.b1) for h in holds] == [pytest.approx((2.05, 3, 4))]
