"""The map of colours that most of a picture obeys."""

from __future__ import annotations

import colorsys

import numpy as np
import pytest

from triptych.measure.recolour import LUMA, recolouring, rgb

RNG = np.random.default_rng(5)
COLOURS = RNG.uniform(20, 230, (4000, 3)).astype(np.float32)


def yuv(colours: np.ndarray) -> np.ndarray:
    """Y, U, V (BT.709, full range) of R, G, B: the definition."""
    y = colours @ np.array([0.2126, 0.7152, 0.0722])
    u = (colours[:, 2] - y) / 1.8556 + 128
    v = (colours[:, 0] - y) / 1.5748 + 128
    return np.stack([y, u, v], axis=1).astype(np.float32)


def test_rgb_undoes_the_definition() -> None:
    np.testing.assert_allclose(rgb(yuv(COLOURS)), COLOURS, atol=0.01)
    assert pytest.approx(1.0) == float(LUMA.sum())


def _desaturated(colours: np.ndarray) -> np.ndarray:
    out = []
    for r, g, b in colours / 255:
        h, s, v = colorsys.rgb_to_hsv(r, g, b)
        out.append(colorsys.hsv_to_rgb(h, 0.5 * s, v))
    return 255 * np.asarray(out)


EDITS = {
    "darker": lambda c: 0.7 * c,
    "less contrast": lambda c: 128 + 0.5 * (c - 128),
    "warmer": lambda c: c * np.array([1.1, 1.0, 0.75]),
    "grey": lambda c: np.repeat((c @ LUMA)[:, None], 3, axis=1),
    "desaturated by HSV": _desaturated,
}


@pytest.mark.parametrize("name", sorted(EDITS))
def test_grades_are_explained(name: str) -> None:
    after = yuv(np.clip(EDITS[name](COLOURS), 0, 255))
    off = np.abs(recolouring(yuv(COLOURS), after)(yuv(COLOURS)) - after)
    assert float(np.percentile(off, 95)) < 6


def test_an_object_does_not_bend_the_map() -> None:
    before = yuv(COLOURS)
    after = yuv(0.8 * COLOURS)
    after[:400] = (200, 60, 200)
    off = np.abs(recolouring(before, after)(before) - after)
    assert float(np.percentile(off[400:], 95)) < 4
    assert float(np.median(off[:400].max(axis=1))) > 50


def test_one_colour_alone_is_no_basis() -> None:
    grey = np.full((500, 3), 128, np.float32)
    got = recolouring(grey, grey + np.float32(5))(grey)
    np.testing.assert_allclose(got, grey + 5, atol=1.0)
