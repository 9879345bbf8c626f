"""Saturation, hue and white point of pictures that were changed by a known amount."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from colour_pictures import F64, i420, pairs, scene

from triptych.measure.colour import Colour, chroma_fit
from triptych.measure.colour_blocks import block_means
from triptych.measure.colour_white import colourfulness, temperature_shift
from triptych.media.frame import I420


def grey_of(rgb: F64) -> F64:
    return (rgb @ [0.2126, 0.7152, 0.0722])[..., None]


def fitted(change, **options) -> Colour:  # type: ignore[no-untyped-def]
    fit = chroma_fit(block_means(pairs(change, **options)))
    assert fit is not None
    return fit


@pytest.mark.parametrize("share", [0.75, 0.5, 0.25, 0.0, 1.2])
def test_saturation_is_found_and_white_stays(share: float) -> None:
    fit = fitted(lambda rgb: grey_of(rgb) + share * (rgb - grey_of(rgb)))
    assert fit.saturation == pytest.approx(share, abs=0.03)
    assert abs(fit.hue_deg) < 1.5
    assert abs(fit.tint) < 0.7


@pytest.mark.parametrize("degrees", [-90, 10, 30])
def test_hue_is_found(degrees: float) -> None:
    turn = complex(math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))

    def change(rgb: F64) -> F64:
        y = grey_of(rgb)[..., 0]
        w = ((rgb[..., 2] - y) / 1.8556 + 1j * (rgb[..., 0] - y) / 1.5748) * turn
        r, b = y + 1.5748 * w.imag, y + 1.8556 * w.real
        g = (y - 0.2126 * r - 0.0722 * b) / 0.7152
        return np.stack([r, g, b], axis=-1)

    fit = fitted(change, colour=30.0)
    assert fit.hue_deg == pytest.approx(degrees, abs=1.5)
    assert fit.saturation == pytest.approx(1.0, abs=0.03)
    assert abs(fit.tint) < 0.7


def test_warm_light_is_a_tint_and_leaves_saturation_almost_alone() -> None:
    fit = fitted(lambda rgb: rgb * [1.0, 0.96, 0.9], colour=20.0)
    # 128 x (1, 0.96, 0.9): luma 123.4, so v is (128 - 123.4) / 1.5748, u (115.2 - 123.4) / 1.8556.
    assert fit.tint.real == pytest.approx(-4.4, abs=0.5)
    assert fit.tint.imag == pytest.approx(2.9, abs=0.5)
    assert fit.saturation == pytest.approx(0.96, abs=0.06)


def test_one_coloured_scene_that_pales_is_not_tinted() -> None:
    rng = np.random.default_rng(0)

    def blue(rgb: F64) -> F64:
        return grey_of(rgb) + np.array([-20.0, -5.0, 45.0])

    made = []
    for p in pairs(lambda rgb: rgb, colour=0):
        rgb = blue(np.repeat(p.a.y[..., None].astype(float), 3, axis=2)) + rng.normal(0, 1, 3)
        pale = grey_of(rgb) + 0.5 * (rgb - grey_of(rgb))
        made.append(type(p)(p.time_a, p.time_b, i420(rgb), i420(pale), p.valid))
    fit = chroma_fit(block_means(made))
    assert fit is not None
    assert fit.saturation == pytest.approx(0.5, abs=0.05)
    assert abs(fit.tint) < 1.0


def test_a_pasted_object_is_no_change_of_colour() -> None:
    def paste(rgb: F64) -> F64:
        out = rgb.copy()
        out[20:80, 30:110] = (230, 20, 20)
        return out

    fit = fitted(paste)
    assert fit.saturation == pytest.approx(1.0, abs=0.02)
    assert abs(fit.tint) < 0.5


def test_grey_pictures_have_no_hue() -> None:
    fit = fitted(lambda rgb: rgb, colour=0.0)
    assert fit.saturation == 1.0
    assert fit.hue_deg == 0.0
    assert fit.chroma_a < 0.5


def test_too_little_picture_gives_nothing() -> None:
    made = pairs(lambda rgb: rgb, count=1)
    hidden = [
        type(p)(p.time_a, p.time_b, p.a, p.b, np.zeros(p.valid.shape, np.bool_)) for p in made
    ]
    assert chroma_fit(block_means(hidden)) is None
    assert chroma_fit(block_means([])) is None


def test_blocks_near_black_are_left_out_when_noise_is_cut_off_there() -> None:
    dark = pairs(lambda rgb: rgb * 0.3)
    assert len(block_means(dark, noise=30.0)) < 0.5 * len(block_means(dark))


@pytest.mark.parametrize(
    ("kelvin", "rgb"),
    # Linear sRGB of black bodies, M. Charity, "What color is a blackbody?", 10 degree table.
    [(5000, (1.0, 0.7992, 0.6045)), (6000, (1.0, 0.9071, 0.8763)), (8000, (0.7644, 0.8139, 1.0))],
)
def test_temperature_of_known_whites(kelvin: float, rgb: tuple[float, float, float]) -> None:
    linear = np.array(rgb) / np.max(rgb)
    coded = 255 * 0.8 * np.where(linear > 0.0031308, 1.055 * linear ** (1 / 2.4) - 0.055, 0)
    y = float(coded @ [0.2126, 0.7152, 0.0722])
    tint = complex((coded[2] - y) / 1.8556, (coded[0] - y) / 1.5748)
    shift = temperature_shift(tint, y)
    assert shift is not None
    assert 6504 + shift == pytest.approx(kelvin, rel=0.06)


def test_no_tint_is_no_shift_and_absurd_ones_have_none() -> None:
    assert temperature_shift(0j) == pytest.approx(0.0, abs=15.0)
    assert temperature_shift(complex(100, 100)) is None


def test_colourfulness_orders_grey_pale_and_rich() -> None:
    values = [colourfulness(i420(scene(1, colour=c))) for c in (0.0, 20.0, 80.0)]
    assert values[0] < 1
    assert values[0] < values[1] < values[2]
    # All R, G, B noise around grey: the paper's formula by hand.
    rng = np.random.default_rng(2)
    small = rng.uniform(80, 170, (8, 12, 3))
    rgb = cv2.resize(small, (24, 16), interpolation=cv2.INTER_NEAREST)
    r, g, b = (small[..., i] for i in range(3))
    rg, yb = r - g, (r + g) / 2 - b
    by_hand = math.hypot(rg.std(), yb.std()) + 0.3 * math.hypot(rg.mean(), yb.mean())
    picture = i420(rgb)
    assert isinstance(picture, I420)
    assert colourfulness(picture) == pytest.approx(by_hand, rel=0.03)
