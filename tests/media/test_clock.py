"""Time stamps that are missing, doubled or run backwards, and what gaps say of the rate."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from triptych.media.clock import Clock, Times

TICK = Fraction(1, 1000)
STEP = Fraction(1, 25)


def told(*stamps: tuple[int | None, int | None]) -> list[Fraction]:
    clock = Clock(TICK, STEP)
    return [clock.tell(pts, dts) for pts, dts in stamps]


def test_stamps_are_taken_as_they_are() -> None:
    assert told((0, 0), (40, 40), (90, 80)) == [0, Fraction(40, 1000), Fraction(90, 1000)]


def test_missing_stamps_fall_back_on_decoding_order_and_then_on_the_rate() -> None:
    assert told((None, 0), (None, 40), (None, 80)) == [0, STEP, 2 * STEP]
    assert told((None, None), (None, None), (None, None)) == [0, STEP, 2 * STEP]
    assert told((0, None), (None, None), (80, None)) == [0, STEP, 2 * STEP]


def test_without_stamps_a_frames_own_length_is_believed() -> None:
    clock = Clock(TICK, STEP)
    assert [clock.tell(None, None, 50) for _ in range(3)] == [0, Fraction(1, 20), Fraction(1, 10)]


def test_a_doubled_stamp_moves_by_a_tick() -> None:
    assert told((0, None), (40, None), (40, None), (120, None)) == [
        0,
        Fraction(40, 1000),
        Fraction(41, 1000),
        Fraction(120, 1000),
    ]


def test_a_restart_goes_on_one_step_later() -> None:
    clock = Clock(TICK, STEP)
    times = [clock.tell(t, None) for t in (1000, 1040, 2000, 1000, 1040)]
    assert times == [1, Fraction(26, 25), 2, Fraction(51, 25), Fraction(52, 25)]
    assert clock.restarts == [Fraction(51, 25)]


@given(st.lists(st.tuples(*[st.none() | st.integers(-(10**6), 10**6)] * 2), max_size=40))
def test_time_always_moves_forward(stamps: list[tuple[int | None, int | None]]) -> None:
    times = told(*stamps)
    assert times == sorted(set(times))


def times_of(gaps: list[int]) -> Times:
    times, now = Times(TICK), 0
    times.add(Fraction(0))
    for gap in gaps:
        now += gap
        times.add(Fraction(now, 1000))
    return times


def test_rounding_to_ticks_is_no_variable_rate() -> None:
    times = times_of([33, 33, 34] * 40)
    assert not times.variable()
    ntsc, film = Fraction(30000, 1001), Fraction(24)
    assert times.rate([ntsc, film], Fraction(121, 30)) == 30000 / 1001
    assert times.rate([], Fraction(121, 30)) == 120 / 4.0


def test_film_in_a_video_rate_is_told_from_a_free_rate() -> None:
    assert times_of([33, 50] * 40).variable() and times_of([33, 50] * 40).alternates()
    assert times_of([33, 80, 20] * 40).variable() and not times_of([33, 80, 20] * 40).alternates()
    assert not times_of([40] * 80).alternates()


def test_gaps_torn_by_damage_are_forgiven() -> None:
    gaps = [40] * 20 + [400] + [40] * 20 + [200] + [40] * 20
    assert times_of(gaps).variable() and not times_of(gaps).variable(forgiven=1)
