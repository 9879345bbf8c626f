"""Change from frame to frame, and frames that hold the one before."""

from __future__ import annotations

import numpy as np
import pytest
from moving_pictures import FPS, film, observed

from triptych.measure.repeats import held, times_in_a, times_in_b
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
    a, b = observed(film(TIMES)), observed(film(_with_holds(dropped)))
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
