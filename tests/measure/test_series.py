"""A series keeps short videos whole and thins long ones evenly."""

from __future__ import annotations

import numpy as np
import pytest

from triptych.measure.series import ThinnedSeries


def test_a_short_series_is_kept_whole() -> None:
    series: ThinnedSeries[int] = ThinnedSeries(100)
    for i in range(100):
        assert series.add(i / 30, i)
    assert series.items == list(range(100))
    assert series.step == 0.0


@pytest.mark.parametrize("count", [101, 1000, 12_345])
def test_a_long_series_is_thinned_evenly_and_to_the_end(count: int) -> None:
    series: ThinnedSeries[int] = ThinnedSeries(100)
    for i in range(count):
        series.add(i / 25, i)
    assert 45 <= len(series) <= 100
    gaps = np.diff(series.times)
    assert gaps.max() <= 1.1 * gaps.min()
    assert series.times[0] == 0.0
    assert (count - 1) / 25 - series.times[-1] <= series.step
    assert [round(t * 25) for t in series.times] == series.items


def test_uneven_times_stay_within_the_cap() -> None:
    times = np.cumsum(np.random.default_rng(3).choice([1 / 60, 1 / 24, 2.0], 5000))
    series: ThinnedSeries[float] = ThinnedSeries(64)
    for t in times:
        wanted = series.wants(float(t))
        assert series.add(float(t), float(t)) is wanted
        assert len(series) <= 64
    assert series.times == series.items == sorted(series.times)
    assert np.diff(series.times).min() >= series.step * 0.999


def test_frames_that_all_have_one_time_are_bounded_too() -> None:
    series: ThinnedSeries[int] = ThinnedSeries(10)
    for i in range(500):
        series.add(1.0, i)
    assert len(series) <= 10


def test_a_step_a_hair_too_small_does_not_halve_the_rate() -> None:
    series: ThinnedSeries[int] = ThinnedSeries(1000, step=0.04)
    for i in range(100):
        series.add(i * 0.03999, i)
    assert len(series) == 100


def test_a_cap_below_two_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        ThinnedSeries(1)
