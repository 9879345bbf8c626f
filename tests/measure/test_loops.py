"""Loops, read off the map of time."""

from __future__ import annotations

import pytest

from triptych.measure.loops import loops
from triptych.measure.timemap import Piece, TimeMap


@pytest.mark.parametrize("rounds", [2, 3])
def test_rounds_end_to_end(rounds: int) -> None:
    pieces = [Piece(0.0, 4.0, 4.0 * i, 1.0) for i in range(rounds)]
    (found,) = loops(TimeMap(pieces))
    assert found.a == (0.0, 4.0)
    assert found.b == (0.0, 4.0 * rounds)
    assert found.period == pytest.approx(4.0)
    assert found.rounds == pytest.approx(rounds)


def test_rounds_of_two_pieces_and_half_a_round() -> None:
    pieces = [Piece(0, 2, 0, 1.0), Piece(3, 5, 2, 1.0), Piece(0, 2, 4, 1.0)]
    assert not loops(TimeMap(pieces[:2]))
    whole = [*pieces, Piece(3, 5, 6, 1.0)]
    (found,) = loops(TimeMap(whole))
    assert found.rounds == pytest.approx(2.0)
    assert found.a == (0, 5)


def test_backwards_at_double_speed() -> None:
    pieces = [Piece(0.0, 4.0, 2.0, -0.5), Piece(0.0, 4.0, 4.0, -0.5)]
    (found,) = loops(TimeMap(pieces))
    assert found.period == pytest.approx(2.0)
    assert found.rounds == pytest.approx(2.0)


def test_what_comes_again_later_is_no_loop() -> None:
    pieces = [Piece(0.0, 6.0, 0.0, 1.0), Piece(1.0, 3.0, 6.0, 1.0)]
    assert not loops(TimeMap(pieces))


def test_a_stutter_is_no_loop() -> None:
    pieces = [Piece(0.0, 2.0, 0.0, 1.0), Piece(1.6, 6.0, 2.0, 1.0)]
    assert not loops(TimeMap(pieces))
