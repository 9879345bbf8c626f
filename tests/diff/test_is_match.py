"""Whether the best alignment shows the same footage at all."""

from __future__ import annotations

import pytest

from triptych.diff.alignment import is_match
from triptych.measure.align import Match
from triptych.measure.descriptors import Orientation
from triptych.measure.geometry import PLAIN
from triptych.measure.matched import Registered
from triptych.measure.timemap import Piece, TimeMap


def match(*slopes: float, seconds: float = 1.0) -> Match:
    """One stretch of ``seconds`` of A after the other, each played at its own slope."""
    pieces = [Piece(i * 2.0, i * 2.0 + seconds, i * 4.0, x) for i, x in enumerate(slopes)]
    return Match(
        score=0.9,
        runner_up=0.8,
        other_orientation=0.5,
        contrast=0.5,
        orientation=Orientation(),
        guess=PLAIN,
        speed=1.0,
        speed_interval=(0.99, 1.01),
        reverse=False,
        timemap=TimeMap(tuple(pieces)),
    )


AGREES = Registered((), None, None, (), agreement=0.9)


@pytest.mark.parametrize("slopes", [(1.0,) * 6, (1.0, 1.02, 0.5, 1.0), (1.0, -1.0, 2.0)])
def test_a_few_ways_of_playing_are_an_edit(slopes: tuple[float, ...]) -> None:
    assert is_match(match(*slopes), AGREES)


def test_many_ways_of_playing_are_chance() -> None:
    assert not is_match(match(1.0, -1.0, 0.34, 0.94), AGREES)
    # Short stretches tell little of speed.
    assert is_match(match(1.0, -1.0, 0.34, 0.94, seconds=0.4), AGREES)


def test_what_happens_must_agree() -> None:
    assert not is_match(match(1.0), Registered((), None, None, (), agreement=0.4))
    assert not is_match(match(), AGREES)
