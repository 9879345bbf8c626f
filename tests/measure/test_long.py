"""Videos longer than LONG_S: cut, inserted, moved, reversed, mirrored, at film-to-PAL speed."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import pytest
from known_films import F64, Look, flipped, texture

from triptych.measure.align import LONG_S, Match, align
from triptych.measure.descriptors import ORIENTATIONS, Orientation
from triptych.measure.edits import changes
from triptych.measure.long import (
    COMPONENTS,
    LONG_CELL_S,
    LONG_CELLS,
    align_long,
    cell_length,
    principal_directions,
)
from triptych.measure.survey import THUMB_SIDE, Stills, Survey, Thumbs
from triptych.media.frame import U8
from triptych.record.report import Media

FPS = 5.0
END = 400.0
GRID = 1 / FPS


@lru_cache(maxsize=4)
def shots(seed: int) -> tuple[F64, F64]:
    """Starts of shots of 3 to 9 s, and where (x, y, dx, dy) each looks in its scene."""
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0.0], np.cumsum(rng.uniform(3, 9, 200))])
    return starts, rng.uniform(-1, 1, (201, 4))


def picture(t: float, seed: int) -> U8:
    """A pan across the texture of the shot on at ``t``."""
    starts, looks = shots(seed)
    k = int(np.searchsorted(starts, t, side="right")) - 1
    scene = texture(5000 + 997 * seed + k, 96, 96, 5.0)
    x, y, dx, dy = looks[k]
    at = 48 + 12 * np.array([x, y]) + 2.0 * (t - starts[k]) * np.array([dx, dy])
    return np.asarray(
        cv2.getRectSubPix(scene, (THUMB_SIDE, THUMB_SIDE), (float(at[0]), float(at[1]))), np.uint8
    )


def film(moments: F64, seed: int = 1, look: Look | None = None) -> Survey:
    pictures = [picture(float(t), seed) for t in moments]
    if look is not None:
        pictures = [look(y) for y in pictures]
    return survey_of(pictures)


def survey_of(pictures: list[U8]) -> Survey:
    times = np.arange(len(pictures)) / FPS
    media = Media(
        id="A",
        path="film",
        display_width=THUMB_SIDE,
        display_height=THUMB_SIDE,
        duration_s=len(pictures) / FPS,
    )
    return Survey(
        media=media,
        frame_times=times,
        thumbs=Thumbs(times, np.stack(pictures)),
        stills=Stills(times, []),
        size=(THUMB_SIDE, THUMB_SIDE),
    )


def span(start: float, end: float, speed: float = 1.0) -> F64:
    return np.asarray(np.arange(start, end - 1e-9, GRID * speed), np.float64)


@lru_cache(maxsize=1)
def first() -> Survey:
    return film(span(0, END))


def check(match: Match, *pieces: tuple[float, float, float, float]) -> None:
    got = [(p.a0, p.a1, p.b0, p.b1) for p in match.timemap.pieces]
    assert len(got) == len(pieces), got
    for p, wanted in zip(match.timemap.pieces, pieces, strict=True):
        # A cell and a thumbnail either way at the edges, a thumbnail in the middle.
        assert (p.a0, p.a1, p.b0, p.b1) == pytest.approx(wanted, abs=0.45)
        middle = (wanted[2] + wanted[3]) / 2
        assert p.to_b((wanted[0] + wanted[1]) / 2) == pytest.approx(middle, abs=0.15)


def check_speed(match: Match, speed: float) -> None:
    assert match.speed == pytest.approx(speed, rel=0.003)
    assert match.speed_interval[0] <= speed <= match.speed_interval[1]


def test_it_is_the_long_way_that_is_tested() -> None:
    assert first().duration == END > LONG_S


def test_the_same() -> None:
    match = align(first(), first())
    check(match, (0, END, 0, END))
    check_speed(match, 1.0)
    assert match.score > 0.95
    assert match.runner_up < 0.6


def test_a_minute_was_cut_out() -> None:
    b = film(np.concatenate([span(0, 130), span(190, END)]))
    match = align(first(), b)
    check(match, (0, 130, 0, 130), (190, END, 130, 340))
    check_speed(match, 1.0)
    (c,) = changes(match.timemap, match.holds, END, b.duration, 0.3)
    assert (c.kind, c.seconds) == ("removed", pytest.approx(60, abs=0.5))


def test_a_minute_was_put_in() -> None:
    other = [picture(float(t), 2) for t in span(0, 60)]
    own = [picture(float(t), 1) for t in span(0, END)]
    b = survey_of(own[: 200 * 5] + other + own[200 * 5 :])
    match = align(first(), b)
    check(match, (0, 200, 0, 200), (200, END, 260, 460))
    (c,) = changes(match.timemap, match.holds, END, b.duration, 0.3)
    assert (c.kind, c.b) == ("inserted", pytest.approx((200, 260), abs=0.45))


def test_a_minute_was_moved() -> None:
    b = film(np.concatenate([span(0, 100), span(160, 300), span(100, 160), span(300, END)]))
    match = align(first(), b)
    check(match, (0, 100, 0, 100), (160, 300, 100, 240), (100, 160, 240, 300), (300, END, 300, END))
    (c,) = changes(match.timemap, match.holds, END, b.duration, 0.3)
    assert c.kind == "moved"
    assert c.a == pytest.approx((100, 160), abs=0.45)


def test_backwards() -> None:
    match = align(first(), film(span(0, END)[::-1]))
    assert match.reverse
    assert match.orientation == Orientation()
    check_speed(match, 1.0)
    check(match, (0, END - GRID, END - GRID, 0))


def test_mirrored() -> None:
    match = align(first(), film(span(0, END), look=flipped))
    assert match.orientation == Orientation("horizontal")
    assert not match.reverse
    check(match, (0, END, 0, END))


@pytest.mark.parametrize("speed", [25 / 24, 24 / 25, 2.0])
def test_speed(speed: float) -> None:
    match = align(first(), film(span(0, END, speed)))
    check_speed(match, speed)
    check(match, (0, END, 0, END / speed))


def test_a_part_of_a() -> None:
    match = align(first(), film(span(150, 270)))
    check(match, (150, 270, 0, 120))
    check_speed(match, 1.0)


def test_a_short_part_of_a() -> None:
    match = align(first(), film(span(333, 343)))
    check(match, (333, 343, 0, 10))


def test_b_holds_a_short_a() -> None:
    match = align(film(span(333, 363)), first())
    check(match, (0, 30, 333, 363))


def test_unrelated() -> None:
    match = align(first(), film(span(0, END), seed=2))
    assert match.score < 0.45
    assert sum(p.a1 - p.a0 for p in match.timemap.pieces) < 0.25 * END


def test_still_for_minutes() -> None:
    still = survey_of([picture(0.0, 1)] * 1000)
    match = align(still, still)
    assert (match.orientation, match.reverse) == (Orientation(), False)


def test_cells_stay_few() -> None:
    assert cell_length(60.0) == LONG_CELL_S
    assert 3 * 3600 / cell_length(3 * 3600) <= LONG_CELLS + 1


def test_projection_keeps_products() -> None:
    rng = np.random.default_rng(1)
    x = (rng.standard_normal((500, 20)) @ rng.standard_normal((20, 300))).astype(np.float32)
    basis = principal_directions(x)
    assert basis.shape == (300, COMPONENTS)
    y = x @ basis
    assert y @ y.T == pytest.approx(x @ x.T, rel=1e-3, abs=1.0)


def test_fewer_cells_than_a_window() -> None:
    rng = np.random.default_rng(1)
    a = rng.standard_normal((40, 8)).astype(np.float32)
    a /= np.linalg.norm(a, axis=1, keepdims=True)
    for n in (1, 2, 3, 9):
        found = align_long(a, dict.fromkeys(ORIENTATIONS, a[:n]), 0.2)
        assert found.similarity <= 1 + 1e-5
