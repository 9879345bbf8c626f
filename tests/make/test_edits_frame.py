"""Edits of geometry and made camera work: against what they claim, on a known clip."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from known_clip import HEIGHT, WIDTH, made, make_clip

import triptych.make.edits  # noqa: F401
from triptych.make.clip import Clip


def test_mirror_flips_luma_exactly(clip: Clip) -> None:
    y = clip.frames[5][:HEIGHT]
    assert np.array_equal(made(clip, "mirror", "h").clip.frames[5][:HEIGHT], y[:, ::-1])
    assert np.array_equal(made(clip, "mirror", "v").clip.frames[5][:HEIGHT], y[::-1])


def test_rotation_turns_the_stated_way(clip: Clip) -> None:
    y = clip.frames[5][:HEIGHT]
    result = made(clip, "rotation", 90.0)
    assert result.clip.size == (HEIGHT, WIDTH)
    clockwise = result.expected["position: rotation"]["clockwise_deg"] > 0
    assert np.array_equal(result.clip.frames[5][:WIDTH], np.rot90(y, -1 if clockwise else 1))
    result = made(clip, "rotation", 180.0)
    assert np.array_equal(result.clip.frames[5][:HEIGHT], y[::-1, ::-1])
    result = made(clip, "rotation", 20.0)
    degrees = result.expected["position: rotation"]["clockwise_deg"]
    # OpenCV's angle is counterclockwise on the screen.
    matrix = cv2.getRotationMatrix2D(((WIDTH - 1) / 2, (HEIGHT - 1) / 2), -degrees, 1)
    wanted = cv2.warpAffine(y, matrix, (WIDTH, HEIGHT))[30:66, 50:110]
    got = result.clip.frames[5][:HEIGHT][30:66, 50:110]
    assert np.abs(wanted.astype(int) - got).mean() < 4


def test_crop_enlarges_the_stated_box(clip: Clip) -> None:
    result = made(clip, "crop-zoom", 1.5)
    x, y, w, h = result.expected["camera: framing"]["box_a"]
    assert (WIDTH / w, HEIGHT / h) == pytest.approx((1.5, 1.5), rel=0.03)
    part = clip.frames[5][:HEIGHT][y : y + h, x : x + w]
    wanted = cv2.resize(part, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    assert cv2.absdiff(wanted, result.clip.frames[5][:HEIGHT]).mean() < 2


def test_shift_moves_without_a_bar(clip: Clip) -> None:
    result = made(clip, "shift", 0.15)
    dx = round(result.expected["camera: framing"]["dx_share"] * WIDTH)
    y, moved = clip.frames[5][:HEIGHT], result.clip.frames[5][:HEIGHT]
    assert abs(dx) == 24
    if dx > 0:
        assert np.array_equal(moved[:, dx:], y[:, :-dx])
        assert np.array_equal(moved[:, dx - 1], y[:, 1])
    else:
        assert np.array_equal(moved[:, :dx], y[:, -dx:])
        assert np.array_equal(moved[:, dx], y[:, -2])


def _translation(before: np.ndarray, after: np.ndarray) -> tuple[float, float]:
    window = cv2.createHanningWindow((WIDTH, HEIGHT), cv2.CV_64F)
    found, _ = cv2.phaseCorrelate(before.astype(float), after.astype(float), window)
    return found[0], found[1]


@pytest.mark.parametrize("name", ["pan", "tilt"])
def test_pan_and_tilt_travel_the_stated_way(name: str) -> None:
    still = make_clip(moving=False)
    result = made(still, name, 0.15)
    y = still.frames[0][:HEIGHT]
    fact = result.expected["camera: movement"]
    start = _translation(y, result.clip.frames[0][:HEIGHT])
    end = _translation(y, result.clip.frames[79][:HEIGHT])
    axis, size = (0, WIDTH) if name == "pan" else (1, HEIGHT)
    travel = end[axis] - start[axis]
    assert abs(travel) == pytest.approx(0.15 * size, abs=2)
    # The picture goes to the right when the camera turns to the left.
    assert (travel > 0) == (fact["direction"] in ("left", "up"))


def test_zoom_and_roll_end_where_they_state() -> None:
    still = make_clip(moving=False)
    y = still.frames[0][:HEIGHT]
    result = made(still, "zoom-over-time", 1.5)
    closer = result.expected["camera: movement"]["direction"] == "in"
    near, far = (79, 0) if closer else (0, 79)
    assert cv2.absdiff(result.clip.frames[far][:HEIGHT], y).mean() < 0.5
    matrix = cv2.getRotationMatrix2D(((WIDTH - 1) / 2, (HEIGHT - 1) / 2), 0, 1.5)
    wanted = cv2.warpAffine(y, matrix, (WIDTH, HEIGHT))
    assert cv2.absdiff(result.clip.frames[near][:HEIGHT], wanted).mean() < 3
    result = made(still, "roll-over-time", 15.0)
    degrees = result.expected["camera: movement"]["picture_clockwise_deg"]
    matrix = cv2.getRotationMatrix2D(((WIDTH - 1) / 2, (HEIGHT - 1) / 2), -degrees, 1)
    wanted = cv2.warpAffine(y, matrix, (WIDTH, HEIGHT))[20:76, 40:120]
    assert cv2.absdiff(result.clip.frames[79][:HEIGHT][20:76, 40:120], wanted).mean() < 4


def test_shake_has_the_stated_spread() -> None:
    still = make_clip(8.0, moving=False)
    result = made(still, "shake", 0.025)
    y = still.frames[0][:HEIGHT]
    moves = [_translation(y, result.clip.frames[i][:HEIGHT]) for i in range(160)]
    assert np.std([m[0] for m in moves]) == pytest.approx(0.025 * WIDTH, rel=0.25)
    assert np.std([m[1] for m in moves]) == pytest.approx(0.025 * WIDTH, rel=0.25)
