"""What moves, with the camera's own move taken out: made pictures of known motion."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from triptych.measure.flow import camera_flow, motions
from triptych.measure.survey import Stills
from triptych.media.frame import I420

WIDTH, HEIGHT, STEP = 160, 90, 0.2
INSIDE = np.ones((HEIGHT, WIDTH), np.bool_)


def _stills(thing: tuple[float, float], camera: tuple[float, float], count: int = 6) -> Stills:
    """A 40x40 thing that goes ``thing`` pixels a step, under a camera that goes ``camera``."""
    rng = np.random.default_rng(4)
    ground = cv2.GaussianBlur(rng.uniform(0, 255, (HEIGHT + 80, WIDTH + 80)), (0, 0), 2)
    ground = np.clip(128 + 4 * (ground - 128), 0, 255)
    patch = cv2.GaussianBlur(rng.uniform(0, 255, (40, 40)), (0, 0), 2)
    patch = np.clip(128 + 4 * (patch - 128), 0, 255)
    pictures = []
    for i in range(count):
        scene = ground.copy()
        x, y = 80 + round(thing[0] * i), 65 + round(thing[1] * i)
        scene[y : y + 40, x : x + 40] = patch
        left, top = 40 + round(camera[0] * i), 40 + round(camera[1] * i)
        luma = scene[top : top + HEIGHT, left : left + WIDTH].astype(np.uint8)
        grey = np.full((HEIGHT // 2, WIDTH // 2), 128, np.uint8)
        pictures.append(I420(luma, grey, grey))
    return Stills(np.asarray(np.arange(count) * STEP, np.float64), pictures)


@pytest.mark.parametrize("camera", [(0.0, 0.0), (3.0, 0.0), (-2.0, 2.0)])
def test_a_thing_that_moves_under_a_moving_camera(camera: tuple[float, float]) -> None:
    found = motions(_stills((4.0, 0.0), camera), [0.0, 0.2, 0.4], STEP, INSIDE)
    assert len(found) == 3
    # 4 pixels a step of 0.2 s are 12.5 % of the width a second; the thing is a ninth of it all.
    want = 12.5 * 40 * 40 / (WIDTH * HEIGHT)
    for m in found:
        assert m.amount == pytest.approx(want, rel=0.5)
        assert m.direction[0] == pytest.approx(m.amount, rel=0.3)
        assert abs(m.direction[1]) < 0.4 * m.amount


@pytest.mark.parametrize("camera", [(0.0, 0.0), (4.0, 0.0), (0.0, -3.0)])
def test_where_only_the_camera_moves_nothing_does(camera: tuple[float, float]) -> None:
    # The thing stays on its ground.
    found = motions(_stills((0.0, 0.0), camera), [0.0, 0.2, 0.4], STEP, INSIDE)
    assert max(m.amount for m in found) < 0.3


def test_a_zoom_and_a_turn_are_the_cameras() -> None:
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float64)
    x, y = x - WIDTH / 2, y - HEIGHT / 2
    field = np.stack([1 + 0.02 * x - 0.03 * y, -2 + 0.02 * y + 0.03 * x], axis=-1)
    moved = field.copy()
    moved[20:50, 30:80] += (5.0, 0.0)
    got = camera_flow(moved.astype(np.float32), INSIDE)
    np.testing.assert_allclose(got, field, atol=0.05)


def test_moments_without_a_next_picture_are_left_out() -> None:
    assert not motions(_stills((4.0, 0.0), (0.0, 0.0)), [1.0, 5.0], STEP, INSIDE)
