"""Descriptors of moments and the views that they are taken from."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from known_films import F64, darker, film, moments, picture, turned

from triptych.measure.descriptors import (
    ORIENTATIONS,
    SIDE,
    View,
    cell_count,
    cells,
    grid,
    look,
    normalise,
    orient,
    static_part,
)
from triptych.measure.survey import THUMB_SIDE, Thumbs

WHOLE = (0.0, 0.0, 1.0, 1.0)


def thumbs(times: F64, levels: list[int]) -> Thumbs:
    pictures = np.stack([np.full((THUMB_SIDE, THUMB_SIDE), v, np.uint8) for v in levels])
    return Thumbs(times, pictures)


def test_orientations_differ_and_are_undone_by_their_inverse() -> None:
    square = np.arange(49).reshape(7, 7)
    seen = [orient(square, o).tobytes() for o in ORIENTATIONS]
    assert len(set(seen)) == 8
    for o in ORIENTATIONS:
        assert np.array_equal(orient(orient(square, o), o.inverse), square)


def test_a_quarter_turn_is_clockwise() -> None:
    shown = orient(np.array([[1, 0, 0], [0, 0, 0]]), ORIENTATIONS[4])
    assert shown.shape == (3, 2)
    assert shown[0, 1] == 1  # the left top corner went to the right top


def test_cells_are_even_and_average_what_they_hold() -> None:
    t = thumbs((np.arange(40) + 0.5) / 40, list(range(0, 160, 4)))
    times, index = grid(t, 1.0, 0.1)
    assert times.tolist() == pytest.approx([0.05 + 0.1 * i for i in range(10)])
    assert index.tolist() == [1 + 4 * i for i in range(10)]
    means = cells(t, 1.0, 0.1)[:, 0, 0]
    assert means.tolist() == pytest.approx([6 + 16 * i for i in range(10)])
    assert cells(t, 1.0, 0.1, np.array([7, 2]))[:, 0, 0].tolist() == pytest.approx([118, 38])


def test_a_cell_without_a_thumbnail_shows_the_one_before() -> None:
    t = thumbs(np.array([0.0, 0.9]), [10, 200])
    assert cells(t, 1.2, 0.1)[:, 0, 0].tolist() == [10] * 9 + [200] * 3
    assert cell_count(0.0, 0.1) == 1


def test_the_plain_view_shows_the_active_part() -> None:
    y = np.tile(np.linspace(0, 250, 48, dtype=np.float32), (48, 1))[None]
    whole = look(y, WHOLE, View())
    assert whole.shape == (1, SIDE, SIDE)
    assert float(whole[0, 5, 0]) < 8
    assert float(whole[0, 5, -1]) > 242
    right = look(y, (0.5, 0.0, 1.0, 1.0), View())
    assert float(right[0, 5, 0]) == pytest.approx(127, abs=4)
    inner = look(y, WHOLE, View(0.25, 0.25, 0.75, 0.75))
    assert (float(inner[0, 5, 0]), float(inner[0, 5, -1])) == pytest.approx((64, 186), abs=4)


@pytest.mark.parametrize("degrees", [-20.0, 8.0, 14.0])
def test_a_turned_view_undoes_a_turn(degrees: float) -> None:
    """A's turned view and B's upright one of the picture turned by OpenCV agree."""
    a = film([0.0], size=(160, 90)).thumbs.pictures.astype(np.float32)
    b = film([0.0], turned(degrees)).thumbs.pictures.astype(np.float32)
    part = View(0.2, 0.2, 0.8, 0.8)
    # What B shows upright lies in A turned the other way.
    back = View(0.2, 0.2, 0.8, 0.8, degrees=-degrees, aspect=160 / 90)
    seen_a, seen_b = look(a, WHOLE, back).ravel(), look(b, WHOLE, part).ravel()
    assert np.corrcoef(seen_a, seen_b)[0, 1] > 0.95
    wrong = look(a, WHOLE, View(0.2, 0.2, 0.8, 0.8, degrees, 160 / 90)).ravel()
    assert np.corrcoef(wrong, seen_b)[0, 1] < 0.8


def test_descriptors_are_unit_and_do_not_see_light() -> None:
    shown = moments(3)
    a, b = film(shown), film(shown, darker)
    described = []
    for s in (a, b):
        seen = look(s.thumbs.pictures.astype(np.float32), WHOLE, View())
        described.append(normalise(seen, static_part(seen)))
    assert np.linalg.norm(described[0], axis=1) == pytest.approx(1.0, abs=1e-5)
    assert ((described[0] * described[1]).sum(axis=1)).min() > 0.99


def test_flat_pictures_are_like_each_other_only() -> None:
    flat = np.stack([np.full((SIDE, SIDE), v, np.float32) for v in (0, 16, 255)])
    textured = look(picture(0.0)[None, :48, :48].astype(np.float32), WHOLE, View())
    all_four = np.concatenate([flat, textured])
    d = normalise(all_four, np.zeros((SIDE, SIDE), np.float32))
    similar = d @ d.T
    for i, j in itertools.combinations(range(4), 2):
        assert float(similar[i, j]) == pytest.approx(1.0 if j < 3 else 0.0)
