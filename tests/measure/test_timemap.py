"""From A's time to B's and back."""

from __future__ import annotations

import pytest

from triptych.measure.timemap import Piece, TimeMap


@pytest.mark.parametrize("slope", [1.0, 0.5, -1.0, -2.0])
def test_there_and_back(slope: float) -> None:
    p = Piece(2.0, 6.0, 9.0, slope)
    for t in (2.0, 3.3, 6.0):
        assert p.to_a(p.to_b(t)) == pytest.approx(t)
    assert p.b1 == pytest.approx(9.0 + 4 * slope)
    assert p.speed == pytest.approx(1 / abs(slope))
    assert p.reverse == (slope < 0)


def test_moments_outside_the_pieces_have_no_counterpart() -> None:
    # B shows 3-5 s of A backwards, then 0-1 s at double speed.
    m = TimeMap((Piece(3.0, 5.0, 2.0, -1.0), Piece(0.0, 1.0, 2.0, 0.5)))
    assert m.to_b(4.5) == pytest.approx(0.5)
    assert m.to_b(0.5) == pytest.approx(2.25)
    assert m.to_b(2.0) is None
    assert m.to_b(5.1) is None
    assert m.to_b(5.1, slack=0.2) == pytest.approx(-0.1)
    assert m.to_a(0.5) == pytest.approx(4.5)
    assert m.to_a(2.4) == pytest.approx(0.8)
    assert m.to_a(2.6) is None
    assert TimeMap().to_a(0.0) is None
