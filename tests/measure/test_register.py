"""Registration held against transforms made by NumPy and OpenCV."""

from __future__ import annotations

import numpy as np
import pytest
from known_films import darker, picture, turned

from triptych.measure.descriptors import ORIENTATIONS, Orientation, orient
from triptych.measure.register import (
    Transform,
    compose,
    consensus,
    fill_matrix,
    find_transform,
    keypoints,
    matrix_of,
    nudge,
    orientation_matrix,
)


@pytest.mark.parametrize("o", ORIENTATIONS)
def test_the_matrix_of_an_orientation_moves_pixels_as_numpy_does(o: Orientation) -> None:
    height, width = 5, 7
    y = np.arange(height * width).reshape(height, width)
    shown = orient(y, o)
    m = orientation_matrix(o, width, height)
    for row in range(height):
        for column in range(width):
            x, r = np.rint(m[:, :2] @ [column, row] + m[:, 2]).astype(int)
            assert shown[r, x] == y[row, column]


def test_filling_keeps_squares_and_centres() -> None:
    m = fill_matrix((320, 180), (160, 120))
    assert m[0, 0] == m[1, 1] == 0.5
    centre = m[:, :2] @ [159.5, 89.5] + m[:, 2]
    assert centre.tolist() == [79.5, 59.5]


def test_composition_is_one_after_the_other() -> None:
    turn = np.array([[0.0, -1, 5], [1, 0, 2]])
    double = np.array([[2.0, 0, 1], [0, 2, 0]])
    point = np.array([3.0, 4.0])
    first = turn[:, :2] @ point + turn[:, 2]
    both = compose(double, turn)
    assert both[:, :2] @ point + both[:, 2] == pytest.approx(double[:, :2] @ first + double[:, 2])


CASES = [
    (0.0, 1.0, (0.0, 0.0)),
    (0.0, 1.02, (0.0, 0.0)),
    (0.0, 1.5, (0.1, -0.08)),
    (0.0, 0.7, (0.05, 0.0)),
    (1.0, 1.0, (0.0, 0.0)),
    (8.0, 1.0, (0.0, 0.0)),
    (-20.0, 1.2, (0.03, 0.02)),
    (170.0, 1.0, (0.0, 0.0)),
]


@pytest.mark.parametrize(("degrees", "scale", "shift"), CASES)
def test_a_known_transform_is_measured(
    degrees: float, scale: float, shift: tuple[float, float]
) -> None:
    size = (320, 180)
    a = picture(1.0, size=size)
    t = find_transform(keypoints(a), keypoints(turned(degrees, scale, shift)(a)))
    assert t is not None
    assert t.scale == pytest.approx(scale, abs=0.004)
    assert t.degrees == pytest.approx(degrees, abs=0.2)
    assert t.shift == pytest.approx(shift, abs=0.003)
    # The matrix sends points to where OpenCV drew them.
    m = matrix_of(t, fill_matrix(size, size), size)
    turn = np.deg2rad(degrees)
    linear = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    centre = np.array([159.5, 89.5])
    for point in ([10.0, 20.0], [300.0, 170.0]):
        wanted = linear @ (point - centre) + centre + np.array(shift) * size
        assert m[:, :2] @ point + m[:, 2] == pytest.approx(wanted, abs=1.0)


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.004, -0.006), (-0.01, 0.003)])
def test_a_picture_that_hardly_moved_is_nudged_into_place(shift: tuple[float, float]) -> None:
    a = picture(1.0, size=(320, 180))
    t = nudge(a, darker(turned(0.4, 1.004, shift)(a)))
    assert t is not None
    assert t.scale == pytest.approx(1.004, abs=0.002)
    assert t.degrees == pytest.approx(0.4, abs=0.1)
    assert t.shift == pytest.approx(shift, abs=0.002)


def test_a_nudge_is_not_taken_for_another_picture_or_another_size() -> None:
    a = picture(1.0, size=(320, 180))
    assert nudge(a, picture(1.0, seed=5, size=(320, 180))) is None
    assert nudge(a, turned(25, 1.0)(a)) is None
    assert nudge(a, np.ascontiguousarray(a[::2, ::2])) is None
    assert nudge(np.full_like(a, 90), np.full_like(a, 90)) is None


def test_sizes_and_light_may_differ() -> None:
    a, b = picture(1.0, size=(320, 180)), darker(picture(1.0, size=(320, 180)))
    half = np.ascontiguousarray(b.reshape(90, 2, 160, 2).mean(axis=(1, 3)).astype(np.uint8))
    t = find_transform(keypoints(a), keypoints(half))
    assert t is not None
    assert t.scale == pytest.approx(1.0, abs=0.005)
    assert (t.degrees, *t.shift) == pytest.approx((0, 0, 0), abs=0.2)


def test_unrelated_and_flat_pictures_give_none() -> None:
    a = keypoints(picture(1.0))
    assert find_transform(a, keypoints(picture(1.0, seed=5))) is None
    assert find_transform(a, keypoints(np.full((90, 160), 90, np.uint8))) is None
    assert len(keypoints(np.zeros((90, 160), np.uint8)).points) == 0


def test_the_same_pictures_give_the_same_to_the_bit() -> None:
    a, b = picture(1.0), turned(5, 1.1)(picture(1.0))
    assert find_transform(keypoints(a), keypoints(b)) == find_transform(keypoints(a), keypoints(b))


def test_consensus_is_the_median_of_those_that_were_found() -> None:
    def t(scale: float) -> Transform:
        return Transform(scale, 0.0, (0.0, 0.0), 30)

    common = consensus([t(1.0), None, t(1.01), t(3.0)])
    assert common is not None
    assert common.scale == 1.01
    assert consensus([t(1.0), None, None, None]) is None
    assert consensus([]) is None
