"""Change from frame to frame, and frames that hold the one before."""

from __future__ import annotations

import numpy as np
import pytest
from moving_pictures import FPS, film, observed

from triptych.measure.repeats import Steps, held, still_alike, times_in_a, times_in_b
from triptych.measure.timemap import Piece, TimeMap

TIMES = [i / FPS for i in range(200)]


def _with_holds(dropped: set[int]) -> list[float]:
    out: list[float] = []
    for i, t in enumerate(TIMES):
        out.append(out[-1] if i in dropped else t)
    return out


def test_the_change_is_the_mean_difference() -> None:
    dark = np.full((90, 160), 40, np.uint8)
    steps = observed([dark, dark, dark + np.uint8(7), dark])
    assert steps.change.tolist() == [0.0, 0.0, 7.0, 7.0]
    assert steps.moved(0.0, 3 / FPS) == 14.0


@pytest.mark.parametrize("share", [0.05, 0.12, 0.25])
def test_frames_held_at_random_are_found(share: float) -> None:
    rng = np.random.default_rng(3)
    dropped = set(rng.choice(np.arange(1, 200), round(200 * share), replace=False).tolist())
    a, b = observed(film(TIMES, grain=3)), observed(film(_with_holds(dropped), grain=3))
    found = held(b, a, b.times)
    seen = {round(t * FPS) for t in found.times}
    assert seen <= dropped
    assert len(seen) > 0.6 * len(dropped)
    assert not found.regular
    assert not held(a, b, a.times).times


@pytest.mark.parametrize("every", [2, 3, 5, 6])
def test_a_regular_cadence_is_told_as_one(every: int) -> None:
    dropped = set(range(every, 200, every))
    a, b = observed(film(TIMES)), observed(film(_with_holds(dropped)))
    found = held(b, a, b.times)
    assert found.times
    assert found.regular
    assert found.every == pytest.approx(every, abs=0.2)


def test_frames_that_both_hold_are_no_difference() -> None:
    moments = _with_holds({10, 11, 30, 60, 61, 90, 140})
    a, b = observed(film(moments)), observed(film(moments))
    # Even when the map is a frame out.
    for off in (-1 / FPS, 0.0, 1 / FPS):
        assert not held(b, a, b.times + off).times


def test_noise_that_stands_on_a_still_picture_is_not_motion() -> None:
    still = [0.0] * 200
    a, b = observed(film(still)), observed(film(still, noise=12))
    assert not held(a, b, a.times).times


def test_times_follow_the_pieces_and_are_none_between() -> None:
    timemap = TimeMap((Piece(0.0, 2.0, 1.0, 1.0), Piece(4.0, 6.0, 3.5, 0.5)))
    got = times_in_a(timemap, np.array([0.5, 1.0, 2.5, 3.2, 4.0]))
    np.testing.assert_allclose(got, [np.nan, 0.0, 1.5, np.nan, 5.0])
    back = times_in_b(timemap, np.array([1.5, 3.0, 5.0]))
    np.testing.assert_allclose(back, [2.5, np.nan, 4.0])


def test_longer_frames_say_nothing_about_single_ones() -> None:
    fast, slow = observed(film(TIMES)), observed(film(TIMES[::2]), FPS / 2)
    assert held(fast, slow, fast.times).moving == 0
    found = held(slow, fast, slow.times)
    assert not found.even
    assert not found.times


def test_frames_that_coding_changes_in_mid_hold_are_held_in_both() -> None:
    """A film of every third frame held, coded: key frames shake its held frames, some by much."""
    rng = np.random.default_rng(5)
    step = rng.uniform(2.0, 4.0, 240)
    step[::3] = 0.1
    coded = step + rng.uniform(0.0, 0.3, 240)
    shaken = np.arange(240)[::3][::4]
    coded[shaken] += rng.uniform(0.8, 3.0, len(shaken))
    coded[shaken + 1] += rng.uniform(0.0, 2.0, len(shaken))
    times = np.arange(240) / FPS
    assert not held(Steps(times, step), Steps(times, coded), times).times
    assert not held(Steps(times, coded), Steps(times, step), times).times


def test_frames_held_beside_those_of_both_are_found() -> None:
    own = {10, 60, 110, 160}
    dropped = {25, 40, 77, 90, 123, 150, 171, 185}
    a = observed(film(_with_holds(own), grain=3))
    b = observed(film(_with_holds(own | dropped), grain=3))
    seen = {round(t * FPS) for t in held(b, a, b.times).times}
    assert seen <= dropped
    assert len(seen) >= 5


def test_one_still_picture_changes_alike() -> None:
    still = [0.0] * 60
    a, b = observed(film(still)), observed(film(still))
    assert still_alike(a, b, a.times)
    assert not still_alike(a, observed(film(TIMES[:60])), a.times)
    assert not still_alike(a, b, np.full(60, np.nan))
