"""Camera movement and shake on pictures moved by known amounts."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from triptych.measure.camera_drift import Course, drift, good_moments
from triptych.measure.camera_motion import own_motion, shots_between, step
from triptych.measure.register import Transform
from triptych.measure.shots import Transition
from triptych.measure.survey import Stills
from triptych.media.frame import I420, U8

F32 = npt.NDArray[np.float32]
WIDTH, HEIGHT = 320, 180


def texture(seed: int = 1) -> F32:
    """A picture larger than the frame, with detail of all sizes."""
    rng = np.random.default_rng(seed)
    out = np.full((3 * HEIGHT, 3 * WIDTH), 128, np.float32)
    for sigma in (2, 5, 12):
        noise = cv2.GaussianBlur(rng.normal(size=out.shape).astype(np.float32), (0, 0), sigma)
        out += 20 * noise / noise.std()
    return out


def view(picture: F32, dx: float, dy: float, degrees: float = 0.0, scale: float = 1.0) -> U8:
    """What the frame shows of the middle, the picture moved right and down, turned, enlarged."""
    middle = (3 * WIDTH - 1) / 2, (3 * HEIGHT - 1) / 2
    m = cv2.getRotationMatrix2D(middle, -degrees, scale)
    m[0, 2] += dx - WIDTH
    m[1, 2] += dy - HEIGHT
    return np.clip(cv2.warpAffine(picture, m, (WIDTH, HEIGHT)), 0, 255).astype(np.uint8)


def stills(pictures: list[U8], fps: float = 25.0) -> Stills:
    grey = np.full((HEIGHT // 2, WIDTH // 2), 128, np.uint8)
    return Stills(np.arange(len(pictures)) / fps, [I420(y, grey, grey) for y in pictures])


def test_one_step_is_read_off() -> None:
    p = texture()
    found = step(view(p, 0, 0), view(p, 6.5, -3.0, 2.0, 1.04))
    assert found is not None
    assert found[:2] == pytest.approx((6.5, -3.0), abs=0.1)
    assert found[2] == pytest.approx(1.04, abs=0.002)
    assert found[3] == pytest.approx(2.0, abs=0.1)


def test_other_pictures_make_no_step() -> None:
    assert step(view(texture(1), 0, 0), view(texture(2), 0, 0)) is None
    assert step(np.full((HEIGHT, WIDTH), 90, np.uint8), view(texture(), 0, 0)) is None


def test_the_camera_pans_right_where_the_picture_goes_left() -> None:
    p = texture()
    (found,) = own_motion(stills([view(p, -0.64 * i, 0) for i in range(101)]), [(0.0, 4.04)])
    assert found.pan == pytest.approx(0.2, abs=0.005)
    assert found.tilt == pytest.approx(0, abs=0.005)
    assert found.zoom == pytest.approx(1, abs=0.005)
    assert found.roll == pytest.approx(0, abs=0.2)
    assert found.known == 1


def test_the_camera_tilts_up_where_the_picture_goes_down_and_zooms_and_rolls() -> None:
    p = texture()
    course = [view(p, 0, 0.3 * i, 0.1 * i, 1.003**i) for i in range(76)]
    (found,) = own_motion(stills(course), [(0.0, 3.04)])
    assert found.zoom == pytest.approx(1.003**75, rel=0.01)
    assert found.roll == pytest.approx(7.5, abs=0.2)
    assert found.tilt > 0.08


def test_a_camera_that_comes_back_has_been_away() -> None:
    p = texture()
    course = [view(p, 40 * math.sin(math.pi * i / 75), 0) for i in range(76)]
    (found,) = own_motion(stills(course), [(0.0, 3.04)])
    assert found.pan == pytest.approx(0, abs=0.005)
    assert found.reach == pytest.approx(0.125, abs=0.01)


def test_things_that_move_are_not_the_camera() -> None:
    still, other = view(texture(1), 0, 0), texture(2)
    course = []
    for i in range(50):
        y = still.copy()
        y[60:120, 100:180] = view(other, 2.0 * i, 0)[60:120, 100:180]
        course.append(y)
    (found,) = own_motion(stills(course), [(0.0, 2.0)])
    assert abs(found.pan) < 0.005
    assert found.known > 0.8


def test_what_cannot_be_followed_is_not_known() -> None:
    flat = [np.full((HEIGHT, WIDTH), 90, np.uint8)] * 30
    (found,) = own_motion(stills(flat), [(0.0, 1.2)])
    assert found.known == 0


def test_shots_lie_between_transitions() -> None:
    found = shots_between(
        [Transition("cut", 2.0, 2.0, 2.0), Transition("dissolve", 5.5, 5.0, 6.0)], 6.3
    )
    assert found == [(0.0, 2.0), (2.0, 5.0)]


def moments(
    course: list[tuple[float, float, float, float]],
) -> list[tuple[float, float, Transform | None]]:
    """Transforms (scale, degrees, across, down) a second apart."""
    return [
        (float(i), float(i), Transform(s, d, (x, y), 50)) for i, (s, d, x, y) in enumerate(course)
    ]


def test_a_drift_is_measured_from_end_to_end() -> None:
    found = drift(moments([(1.02**i, 0.5 * i, 0.01 * i, -0.02 * i) for i in range(16)]))
    assert found is not None
    assert found.across.net == pytest.approx(0.15)
    assert found.down.net == pytest.approx(-0.3)
    assert found.log_scale.net == pytest.approx(15 * math.log(1.02))
    assert found.degrees.net == pytest.approx(7.5)
    assert found.across.rest == pytest.approx(0, abs=1e-9)


def test_turning_on_past_half_a_turn_goes_on() -> None:
    found = drift(moments([(1.0, (170 + 2 * i + 180) % 360 - 180, 0, 0) for i in range(16)]))
    assert found is not None
    assert found.degrees.net == pytest.approx(30)


def test_single_wrong_moments_make_no_drift() -> None:
    course = [(1.0, 0.0, 0.0, 0.0)] * 16
    for i in (0, 7, 15):
        course[i] = (0.8, 9.0, 0.3, -0.2)
    found = drift(moments(course))
    assert found is not None
    changes = (found.across, found.down, found.log_scale, found.degrees)
    assert [c.net for c in changes] == pytest.approx([0, 0, 0, 0])


def test_moments_that_hardly_fit_do_not_count() -> None:
    fits = Transform(1.0, 0.0, (0.0, 0.0), 200)
    hardly = Transform(0.95, 1.0, (0.0, 0.05), 20)
    course = [(float(i), float(i), fits if i < 13 else hardly) for i in range(16)]
    found = drift(course)
    assert found is not None
    assert (found.moments, found.asked) == (13, 16)
    assert found.down.net == pytest.approx(0)


def test_scatter_is_told_from_a_course() -> None:
    rng = np.random.default_rng(5)
    course = [(1.0, 0.0, float(x), 0.01 * i) for i, x in enumerate(rng.normal(0, 0.03, 16))]
    found = drift(moments(course))
    assert found is not None
    assert found.across.rest > 0.01
    assert found.down.rest < 0.001


def test_too_few_moments_say_nothing() -> None:
    assert drift(moments([(1.0, 0.0, 0.0, 0.0)] * 4)) is None
    assert drift([(0.0, 0.0, None)] * 16) is None


def test_the_course_goes_straight_between_moments_and_past_half_a_turn() -> None:
    parts = [(1.02**i, (174 + 2 * i + 180) % 360 - 180, 0.01 * i, 0.0) for i in range(9)]
    course = Course(good_moments(moments(parts)))
    between = course.at(3.5)
    assert between.scale == pytest.approx(1.02**3.5)
    assert between.degrees == pytest.approx(181)
    assert between.shift == pytest.approx((0.035, 0.0))
