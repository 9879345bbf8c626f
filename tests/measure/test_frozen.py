"""Freezes: found where the other moves, and taken out of the map of time."""

from __future__ import annotations

import numpy as np
import pytest
from known_films import texture
from moving_pictures import FPS, film, moving

from triptych.measure.frozen import Freeze, camera_only, freezes, inverse, thawed
from triptych.measure.pieces import Hold
from triptych.measure.survey import Stills
from triptych.measure.timemap import Piece, TimeMap
from triptych.media.frame import I420

TIMES = [i / FPS for i in range(200)]
WHOLE = TimeMap((Piece(0.0, 8.0, 0.0, 1.0),))


def _lost(start: int, length: int) -> list[float]:
    return [*TIMES[:start], *[TIMES[start]] * length, *TIMES[start + length :]]


def _paused(start: int, length: int) -> list[float]:
    return [*TIMES[:start], *[TIMES[start]] * length, *TIMES[start:]]


@pytest.mark.parametrize("length", [12, 25, 50])
def test_a_freeze_under_which_content_is_lost(length: int) -> None:
    a, b = moving(film(TIMES)), moving(film(_lost(70, length)))
    (found,) = freezes(b, a, WHOLE, 0.3)
    assert found.start == pytest.approx(70 / FPS, abs=0.05)
    assert found.end == pytest.approx((70 + length) / FPS, abs=0.05)
    assert found.resumes - found.other == pytest.approx(length / FPS, abs=0.1)
    assert not freezes(a, b, inverse(WHOLE), 0.3)


def test_a_pause_after_which_it_goes_on() -> None:
    a, b = moving(film(TIMES)), moving(film(_paused(70, 25)))
    # The piece before reaches into the freeze, as similarity leaves it.
    timemap = TimeMap((Piece(0.0, 3.0, 0.0, 1.0), Piece(2.4, 8.0, 3.4, 1.0)))
    (found,) = freezes(b, a, timemap, 0.3)
    assert (found.start, found.end) == pytest.approx((2.8, 3.8), abs=0.05)
    assert found.resumes == pytest.approx(found.other, abs=0.1)
    pieces, holds = thawed(timemap, [], [found])
    assert [(p.a0, p.a1) for p in pieces.pieces] == [
        pytest.approx((0.0, 2.8), abs=0.05),
        pytest.approx((2.8, 8.0), abs=0.05),
    ]
    assert [(h.b0, h.b1) for h in holds] == [pytest.approx((2.8, 3.8), abs=0.05)]


def test_the_other_way_round() -> None:
    a, b = moving(film(_lost(70, 25))), moving(film(TIMES))
    assert not freezes(b, a, WHOLE, 0.3)
    (found,) = freezes(a, b, inverse(WHOLE), 0.3)
    assert found.start == pytest.approx(2.8, abs=0.05)


def test_a_scene_that_stands_still_in_both_is_none() -> None:
    moments = _lost(70, 50)
    a, b = moving(film(moments)), moving(film(moments))
    assert not freezes(b, a, WHOLE, 0.3)
    # Nor when the map is out by as much as the scene lasts.
    shifted = TimeMap((Piece(0.0, 8.0, 1.0, 1.0),))
    assert not freezes(b, a, shifted, 0.3)


def test_noise_over_a_still_scene_is_not_motion() -> None:
    moments = _lost(70, 50)
    a, b = moving(film(moments)), moving(film(moments, noise=12))
    assert not freezes(a, b, inverse(WHOLE), 0.3)


def test_a_still_picture_put_in_is_no_freeze() -> None:
    title = np.full((90, 160), 250, np.uint8)
    pictures = film(TIMES)
    b = [*pictures[:70], *[title] * 25, *pictures[70:]]
    timemap = TimeMap((Piece(0.0, 2.8, 0.0, 1.0), Piece(2.8, 8.0, 3.8, 1.0)))
    assert not freezes(moving(b), moving(pictures), timemap, 0.3)


def test_the_inverse_map_is_read_from_the_other_side() -> None:
    timemap = TimeMap((Piece(0.0, 2.0, 6.0, -0.5), Piece(3.0, 5.0, 7.0, 2.0)))
    back = inverse(timemap)
    for t in (0.3, 1.2, 3.5, 4.9):
        there = timemap.to_b(t)
        assert there is not None
        assert back.to_b(there) == pytest.approx(t)


def test_a_freeze_replaces_the_hold_it_covers() -> None:
    holds = [Hold(1.0, 1.1, 1.9), Hold(5.0, 6.0, 7.0)]
    _, kept = thawed(WHOLE, holds, [Freeze(1.0, 2.0, 1.0, 2.0)])
    assert kept == [Hold(1.0, 1.0, 2.0), Hold(5.0, 6.0, 7.0)]


def test_a_freeze_that_prolongs_a_still_scene() -> None:
    # Both stand still for a second from 2.8 s on; B for 0.8 s longer.
    a = [*TIMES[:70], *[TIMES[70]] * 25, *TIMES[70:145]]
    b = [*TIMES[:70], *[TIMES[70]] * 45, *TIMES[90:145]]
    (found,) = freezes(moving(film(b)), moving(film(a)), WHOLE, 0.3)
    assert (found.start, found.end) == pytest.approx((3.8, 4.6), abs=0.09)


def test_a_pause_before_anything_that_matched() -> None:
    a, b = moving(film(TIMES)), moving(film(_paused(8, 50)))
    timemap = TimeMap((Piece(0.4, 8.0, 2.4, 1.0),))
    (found,) = freezes(b, a, timemap, 0.3)
    assert (found.start, found.end) == pytest.approx((0.32, 2.32), abs=0.09)


@pytest.mark.parametrize("sigma", [0.0, 12.0])
def test_a_camera_move_over_a_still_scene_is_known_through_noise(sigma: float) -> None:
    rng = np.random.default_rng(1)
    grey = np.full((90, 160), 128, np.uint8)
    scene = texture(5, 360, 180, 2.0)

    def stills(step: int, moves: bool = False) -> Stills:
        times = np.arange(40) / 25
        pictures = []
        for i in range(40):
            y = scene[:, step * i // 8 : step * i // 8 + 320].astype(np.float64)
            if moves:
                y[60:120, 5 * i : 5 * i + 60] = texture(6, 60, 60)
            y += rng.normal(0, sigma, y.shape)
            pictures.append(I420(np.clip(y, 0, 255).astype(np.uint8), grey, grey))
        return Stills(times, pictures)

    freeze = Freeze(0.1, 1.4, 0.1, 1.4)
    assert camera_only(stills(8), freeze)
    assert not camera_only(stills(0, moves=True), freeze)
