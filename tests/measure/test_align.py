"""Alignment of films whose time, orientation and framing are known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pytest
from known_films import (
    F64,
    FPS,
    Look,
    darker,
    film,
    flipped,
    moments,
    picture,
    quarter,
    survey_of,
    turned,
    upside_down,
)

from triptych.measure.align import Match, align, at_line
from triptych.measure.descriptors import Orientation
from triptych.measure.survey import Survey
from triptych.measure.timemap import Piece
from triptych.media.frame import U8
from triptych.record.errors import UsageError

FRAME = 1 / FPS


@lru_cache(maxsize=1)
def first() -> Survey:
    """A: eight seconds."""
    return film(moments(8))


def shown(m: F64 | Sequence[float], look: Look | None = None, seed: int = 0) -> list[U8]:
    return [picture(float(t), seed) if look is None else look(picture(float(t), seed)) for t in m]


def cut_together(*parts: list[U8]) -> Survey:
    return survey_of([y for part in parts for y in part])


def stated(match: Match) -> list[tuple[float, float, float, float]]:
    return [(p.a0, p.a1, p.b0, p.b1) for p in match.timemap.pieces]


def check(match: Match, *pieces: tuple[float, float, float, float], slack: float = 0.15) -> None:
    """Every stretch is where it should be, and its middle to a frame."""
    assert len(match.timemap.pieces) == len(pieces), stated(match)
    for p, (a0, a1, b0, b1) in zip(match.timemap.pieces, pieces, strict=True):
        slope = (b1 - b0) / (a1 - a0)
        if slope < 0:  # B's first frame is A's last one, which starts a frame before its end
            a1, b0 = a1 - FRAME, b0 + FRAME * slope
        assert (p.a0, p.a1, p.b0, p.b1) == pytest.approx((a0, a1, b0, b1), abs=slack)
        assert p.to_b((a0 + a1) / 2) == pytest.approx((b0 + b1) / 2, abs=FRAME / 2)


def check_speed(match: Match, speed: float) -> None:
    low, high = match.speed_interval
    assert match.speed == pytest.approx(speed, rel=0.02)
    assert low <= speed <= high
    assert high / low < 1.03


@pytest.mark.parametrize(
    ("speed", "backwards"),
    [(s, False) for s in (0.25, 0.5, 0.9, 0.96, 1.0, 1.1, 1.5, 2.0, 4.0)]
    + [(s, True) for s in (0.25, 0.67, 1.0, 1.1, 2.0)],
)
def test_speed_and_direction(speed: float, backwards: bool) -> None:
    start, signed = (8 - FRAME, -speed) if backwards else (0.0, speed)
    match = align(first(), film(moments(8 / speed, signed, start)))
    assert match.reverse is backwards
    assert match.orientation == Orientation()
    check_speed(match, speed)
    end = 8 / speed
    check(match, (0, 8, *((end, 0) if backwards else (0, end))))


@pytest.mark.parametrize(
    ("look", "o"),
    [
        (flipped, Orientation("horizontal")),
        (upside_down, Orientation("vertical")),
        (quarter, Orientation("none", 1)),
        (lambda y: quarter(quarter(y)), Orientation("none", 2)),
        (lambda y: quarter(quarter(quarter(y))), Orientation("none", 3)),
        (lambda y: quarter(flipped(y)), Orientation("horizontal", 1)),
        (lambda y: quarter(upside_down(y)), Orientation("horizontal", 3)),
        (darker, Orientation()),
    ],
)
def test_orientation(look: Look, o: Orientation) -> None:
    match = align(first(), film(moments(8), look))
    assert match.orientation == o
    assert match.score > 0.95
    assert match.score - match.other_orientation > 0.3
    check_speed(match, 1.0)
    check(match, (0, 8, 0, 8), slack=0.02)


def test_all_at_once() -> None:
    """Mirrored, backwards, at double speed, and only the middle of it."""
    match = align(first(), film(moments(2.5, -2.0, 6.5), flipped))
    assert (match.orientation, match.reverse) == (Orientation("horizontal"), True)
    check_speed(match, 2.0)
    check(match, (1.5, 6.5, 2.5, 0))


@pytest.mark.parametrize(
    ("look", "mirror"),
    [
        (turned(0, 1.08), "none"),
        (turned(0, 1.5, (0.1, -0.08)), "none"),
        (turned(0, 0.75), "none"),
        (turned(0, 1.0, (0.15, 0.0)), "none"),
        (turned(3), "none"),
        (turned(8), "none"),
        (turned(8, 1.2), "none"),
        (turned(-20), "none"),
        (lambda y: flipped(turned(0, 1.5, (0.1, -0.08))(y)), "horizontal"),
        (lambda y: upside_down(turned(8, 1.2)(y)), "vertical"),
    ],
)
def test_reframed(look: Look, mirror: str) -> None:
    """A crop, a shift or a turn does not hide the time, nor is it taken for a half turn."""
    match = align(first(), film(moments(8), look))
    assert (match.orientation.mirror, match.orientation.quarter_turns) == (mirror, 0)
    assert not match.reverse
    assert match.score > 0.8
    check_speed(match, 1.0)
    check(match, (0, 8, 0, 8))


def test_reframed_and_in_another_time() -> None:
    match = align(first(), film(moments(4, 1.5, 1.0), turned(0, 1.5, (-0.1, 0.1))))
    check_speed(match, 1.5)
    check(match, (1, 7, 0, 4))


@pytest.mark.parametrize(("start", "seconds"), [(0.0, 2.0), (1.52, 4.0), (5.0, 3.0)])
def test_a_part_of_a(start: float, seconds: float) -> None:
    match = align(first(), film(moments(seconds, 1.0, start)))
    check_speed(match, 1.0)
    check(match, (start, start + seconds, 0, seconds), slack=0.04)


def test_b_holds_more_than_a() -> None:
    match = align(film(moments(3, 1.0, 2.0)), first())
    check(match, (0, 3, 2, 5))


@pytest.mark.parametrize("fps", [24.0, 30.0, 12.0])
def test_frame_rates_differ(fps: float) -> None:
    match = align(first(), film(moments(8, fps=fps), fps=fps))
    check_speed(match, 1.0)
    check(match, (0, 8, 0, 8), slack=0.02)


def test_uneven_frame_times() -> None:
    gaps = np.random.default_rng(4).choice([1 / 60, 1 / 24, 0.1], 160)
    times = np.concatenate([[0.0], np.cumsum(gaps)])
    times = times[times < 8]
    match = align(first(), survey_of(shown(times), times=times))
    check_speed(match, 1.0)
    check(match, (0, 8, 0, 8))


def test_a_second_was_cut_out() -> None:
    match = align(first(), cut_together(shown(moments(3)), shown(moments(4, 1.0, 4.0))))
    check_speed(match, 1.0)
    check(match, (0, 3, 0, 3), (4, 8, 3, 7), slack=0.05)


@pytest.mark.parametrize("start", [0.0, 3.0])
def test_other_footage_was_put_in(start: float) -> None:
    other = shown(moments(2), seed=7)
    rest = shown(moments(8 - start, 1.0, start))
    match = align(first(), cut_together(shown(moments(start)), other, rest))
    pieces = [(0.0, start, 0.0, start)] if start else []
    check(match, *pieces, (start, 8, start + 2, 10))
    check_speed(match, 1.0)


def test_two_seconds_changed_places() -> None:
    order = ((0, 2), (4, 2), (2, 2), (6, 2))
    match = align(first(), cut_together(*(shown(moments(s, 1.0, t)) for t, s in order)))
    check(match, (0, 2, 0, 2), (4, 6, 2, 4), (2, 4, 4, 6), (6, 8, 6, 8), slack=0.05)
    check_speed(match, 1.0)


def test_it_comes_again() -> None:
    match = align(film(moments(4)), cut_together(shown(moments(4)), shown(moments(4))))
    check(match, (0, 4, 0, 4), (0, 4, 4, 8), slack=0.05)
    check_speed(match, 1.0)


def test_it_stands_still_for_two_seconds() -> None:
    match = align(
        first(), cut_together(shown(moments(3)), shown([3.0] * 50), shown(moments(5, 1.0, 3.0)))
    )
    (hold,) = match.holds
    assert (hold.a, hold.b0, hold.b1) == pytest.approx((3, 3, 5), abs=0.15)
    check(match, (0, 3, 0, 3), (3, 8, 5, 10))


def test_a_part_runs_backwards() -> None:
    back = shown(moments(2, -1.0, 5 - FRAME))
    match = align(first(), cut_together(shown(moments(3)), back, shown(moments(3, 1.0, 5.0))))
    check(match, (0, 3, 0, 3), (3, 5, 5, 3), (5, 8, 5, 8), slack=0.05)
    assert [p.reverse for p in match.timemap.pieces] == [False, True, False]


def test_a_part_is_mirrored() -> None:
    match = align(
        first(), cut_together(shown(moments(4)), shown(moments(4, 1.0, 4.0), look=flipped))
    )
    check(match, (0, 4, 0, 4), (4, 8, 4, 8), slack=0.05)
    assert [p.mirror for p in match.timemap.pieces] == ["none", "horizontal"]


def test_a_part_is_faster() -> None:
    match = align(first(), cut_together(shown(moments(4)), shown(moments(2, 2.0, 4.0))))
    check(match, (0, 4, 0, 4), (4, 8, 4, 6))
    assert [p.speed for p in match.timemap.pieces] == pytest.approx([1.0, 2.0], rel=0.02)


def test_a_fade_from_black_does_not_move_it() -> None:
    pictures = shown(moments(8))
    faded = [np.asarray(y * min(1.0, i / 25), np.uint8) for i, y in enumerate(pictures)]
    match = align(first(), survey_of(faded))
    check_speed(match, 1.0)
    assert match.timemap.pieces[-1].to_b(5.0) == pytest.approx(5.0, abs=FRAME)


def test_bars_around_the_picture() -> None:
    barred = [np.pad(y, ((16, 16), (0, 0))) for y in shown(moments(8))]
    match = align(first(), survey_of(barred, bars=(0, 16, 0, 16)))
    assert match.score > 0.97
    check(match, (0, 8, 0, 8), slack=0.02)


def test_bars_painted_over_the_picture() -> None:
    painted = [y.copy() for y in shown(moments(8))]
    for y in painted:
        y[:18], y[-18:] = 0, 0
    match = align(first(), survey_of(painted, bars=(0, 18, 0, 18)))
    assert match.score > 0.9
    check(match, (0, 8, 0, 8))


def test_unrelated_films_score_far_below_the_same() -> None:
    match = align(first(), film(moments(8), seed=5))
    assert match.score < 0.4


def test_a_known_offset_is_taken() -> None:
    """What repeats with a period fits many offsets; the caller knows which."""
    swing = [picture(1.0 + 0.4 * float(np.sin(np.pi * t))) for t in moments(8)]
    b = survey_of(swing[50:] + swing[:50])
    match = align(survey_of(swing), b, offset_s=-2.0)
    longest = max(match.timemap.pieces, key=lambda p: p.a1 - p.a0)
    assert longest.to_b(4.0) == pytest.approx(2.0, abs=FRAME)


def test_a_known_offset_of_unlike_films() -> None:
    match = align(first(), film(moments(8), seed=5), offset_s=-1.5)
    assert match.score < 0.4


def test_still_pictures_do_not_tell_speed() -> None:
    match = align(survey_of([picture(0.0)] * 100), survey_of([picture(0.0)] * 100))
    assert (match.orientation, match.reverse) == (Orientation(), False)
    assert match.score > 0.99
    low, high = match.speed_interval
    assert low <= 0.5
    assert high >= 2.0


@pytest.mark.parametrize("counts", [(1, 1), (1, 2), (2, 2), (3, 1), (2, 200)])
def test_a_handful_of_frames(counts: tuple[int, int]) -> None:
    a, b = (film(moments(n / FPS)) for n in counts)
    match = align(a, b)
    assert 0 <= match.score <= 1 + 1e-6
    for p in match.timemap.pieces:
        assert 0 <= p.a0 <= p.a1 <= a.duration + 1e-9
        assert min(p.b0, p.b1) >= -1e-9
        assert max(p.b0, p.b1) <= b.duration + 1e-9


def test_black_is_like_black_and_unlike_anything_else() -> None:
    black = survey_of([np.zeros((90, 160), np.uint8)] * 100)
    assert align(black, black).score == pytest.approx(1.0)
    assert align(first(), black).score < 0.1


def test_the_result_is_repeatable() -> None:
    b = film(moments(5, 1.1, 0.7), turned(8, 1.2))
    assert align(first(), b) == align(first(), b)


def test_along_a_line_that_is_known() -> None:
    a, b = first(), film(moments(4))
    match = at_line(align(a, b), a, b, 1.0, -0.5)
    assert match is not None
    assert (match.speed, match.reverse) == (2.0, True)
    (p,) = match.timemap.pieces
    # t_b = 1 - t_a / 2 lies in B's 0-4 s for A's 0-2 s.
    assert (p.a0, p.a1, p.b0, p.b1) == pytest.approx((0, 2, 1, 0))
    assert isinstance(p, Piece)
    assert at_line(match, a, b, 9.0, 1.0) is None


def slides(faded: float = 0.0) -> list[U8]:
    """Nine still pictures of one to three seconds, from black and to black, noisy as if coded.

    ``faded``: levels taken off, as far as there are any.
    """
    rng = np.random.default_rng(3)
    frames: list[U8] = []
    lengths = (2.0, 1.4, 3.0, 1.0, 2.6, 1.8, 3.0, 1.2, 2.0)
    for k, length in enumerate(lengths):
        still = picture(7.0 * k).astype(np.float64)
        n = round(length * FPS)
        light = np.ones(n)
        if k == 0:
            light = np.clip((np.arange(n) - 20) / 15, 0, 1)
        if k == len(lengths) - 1:
            light = np.clip((n - 20 - np.arange(n)) / 20, 0, 1)
        frames += [
            np.clip(still * x - faded + rng.normal(0, 0.4, still.shape), 0, 255).astype(np.uint8)
            for x in light
        ]
    return frames


@pytest.mark.parametrize("faded", [0.0, 15.0])
def test_still_pictures_one_after_the_other(faded: float) -> None:
    """Only the cuts tell the time, and black at both ends is no reason to jump."""
    end = len(slides()) / FPS
    match = align(survey_of(slides()), survey_of([flipped(y) for y in slides(faded)]))
    check(match, (0, end, 0, end), slack=FRAME / 2)
    assert match.speed == pytest.approx(1.0, abs=0.003)
    assert match.orientation == Orientation("horizontal")


@pytest.mark.parametrize("offset", [1e6, -1e6, 8.0, -7.9])
def test_an_offset_that_leaves_nothing_in_common_is_refused(offset: float) -> None:
    a = film(moments(8))
    with pytest.raises(UsageError, match=r"leaves nothing to compare.* give -7\.50 to 7\.50$"):
        align(a, a, offset_s=offset)
    for fits in (-7.5, 7.5):
        align(a, a, offset_s=fits)
