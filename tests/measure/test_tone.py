"""Brightness and contrast of pictures that were changed by a known amount."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from colour_pictures import F64, pairs

from triptych.measure.colour import chroma_fit
from triptych.measure.colour_blocks import block_means
from triptych.measure.tone import Tone, luma_fit


def fitted(change, noise: float = 0.0) -> Tone:  # type: ignore[no-untyped-def]
    blocks = block_means(pairs(change), noise)
    colour = chroma_fit(blocks)
    assert colour is not None
    fit = luma_fit(blocks, colour.saturation)
    assert fit is not None
    return fit


@pytest.mark.parametrize("gain", [0.5, 0.85, 1.2])
def test_contrast_about_grey(gain: float) -> None:
    fit = fitted(lambda rgb: 128 + gain * (rgb - 128))
    assert fit.gain == pytest.approx(gain, abs=0.01)
    assert fit.pivot == pytest.approx(128, abs=4)


@pytest.mark.parametrize("levels", [-25.0, 15.0])
def test_brightness_that_is_added(levels: float) -> None:
    fit = fitted(lambda rgb: rgb + levels)
    assert fit.level == pytest.approx(levels, abs=0.5)
    assert fit.gain == pytest.approx(1.0, abs=0.01)
    assert np.nanmax(np.abs(fit.levels - levels)) < 0.7


def test_exposure_turns_about_black() -> None:
    fit = fitted(lambda rgb: rgb * 0.8)
    assert fit.gain == pytest.approx(0.8, abs=0.01)
    assert fit.level == pytest.approx(-0.2 * fit.mean_a, abs=0.5)
    assert fit.pivot == pytest.approx(0, abs=4)


def test_clipping_does_not_flatten_the_fit() -> None:
    fit = fitted(lambda rgb: rgb - 70)
    assert fit.level == pytest.approx(-70, abs=1.5)
    assert fit.gain == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize("share", [0.75, 0.25, 0.0])
def test_saturation_of_hsv_is_no_light(share: float) -> None:
    """HSV keeps the largest of R, G and B, so luma rises where there is colour."""

    def change(rgb: F64) -> F64:
        hsv = cv2.cvtColor((rgb / 255).astype(np.float32), cv2.COLOR_RGB2HSV)
        hsv[..., 1] *= share
        return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB).astype(np.float64) * 255

    fit = fitted(change)
    assert abs(fit.level) < 1.5
    assert fit.gain == pytest.approx(1.0, abs=0.03)


def test_blur_and_noise_are_no_tone() -> None:
    rng = np.random.default_rng(5)
    blurred = fitted(lambda rgb: cv2.GaussianBlur(rgb, (0, 0), 2.6))
    noisy = fitted(lambda rgb: np.clip(rgb + rng.normal(0, 25, rgb.shape), 0, 255), noise=25.0)
    for fit in (blurred, noisy):
        assert fit.gain == pytest.approx(1.0, abs=0.04)
        assert abs(fit.level) < 1.0


def test_nothing_to_fit_on() -> None:
    assert luma_fit(block_means([])) is None
