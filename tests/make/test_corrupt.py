"""Corruptions against what they claim, counted by other means than OpenCV's."""

from __future__ import annotations

import colorsys
import math

import numpy as np
import pytest

from triptych.make.corrupt import blurred, noisy, saturated


def clipped_normal(mean: float, sigma: float) -> tuple[float, float]:
    """Mean and standard deviation of a normal number clipped to 0..255, by summing it up."""
    x = np.linspace(mean - 8 * sigma, mean + 8 * sigma, 400_001)
    weight = np.exp(-0.5 * ((x - mean) / sigma) ** 2)
    weight /= weight.sum()
    seen = np.clip(x, 0, 255)
    first = float((weight * seen).sum())
    return first, math.sqrt(float((weight * (seen - first) ** 2).sum()))


@pytest.mark.parametrize("sigma", [15, 30, 45])
@pytest.mark.parametrize("level", [10, 128, 250])
def test_noise_has_the_sigma_that_is_left_in_eight_bits(level: int, sigma: int) -> None:
    flat = np.full((256, 256, 3), level, np.uint8)
    out = noisy(flat, sigma, np.random.default_rng(7))
    assert out.dtype == np.uint8
    mean, deviation = clipped_normal(level, sigma)
    for channel in np.moveaxis(out.astype(float), 2, 0):
        assert channel.mean() == pytest.approx(mean, abs=6 * sigma / 256)
        assert channel.std() == pytest.approx(math.hypot(deviation, 12**-0.5), rel=0.015)
    grain = out.astype(float) - out.mean()
    assert abs((grain[..., 0] * grain[..., 1]).mean()) < 0.02 * sigma**2
    assert abs((grain[:, 1:] * grain[:, :-1]).mean()) < 0.02 * sigma**2


@pytest.mark.parametrize("kernel", [5, 9, 15])
def test_blur_is_a_gaussian_of_opencvs_sigma_for_the_kernel(kernel: int) -> None:
    rgb = np.random.default_rng(1).integers(0, 256, (40, 56, 3), np.uint8)
    half = (kernel - 1) // 2
    sigma = 0.3 * (half - 1) + 0.8
    if kernel == 5:  # OpenCV has a table for small kernels: binomial coefficients
        weights = np.array([1, 4, 6, 4, 1], float)
    else:
        weights = np.exp(-0.5 * (np.arange(-half, half + 1) / sigma) ** 2)
    weights /= weights.sum()
    wide = np.pad(rgb.astype(float), ((half, half), (half, half), (0, 0)), mode="reflect")
    down = sum(w * wide[i : i + 40] for i, w in enumerate(weights))
    across = sum(w * down[:, i : i + 56] for i, w in enumerate(weights))
    assert np.abs(blurred(rgb, kernel) - across).max() <= 1.5


@pytest.mark.parametrize("factor", [0.75, 0.5, 0.25])
def test_saturation_is_s_of_hsv_by_hand(factor: float) -> None:
    rgb = np.random.default_rng(2).integers(0, 256, (12, 20, 3), np.uint8)
    out = saturated(rgb, factor)
    expected = np.empty(rgb.shape)
    for place in np.ndindex(12, 20):
        h, s, v = colorsys.rgb_to_hsv(*(rgb[place] / 255))
        expected[place] = [255 * c for c in colorsys.hsv_to_rgb(h, s * factor, v)]
    # Hue in steps of two degrees and S in steps of a 255th: a few levels at most.
    assert np.abs(out - expected).max() < 5
    assert abs((out - expected).mean()) < 0.3
    assert np.array_equal(out.max(axis=2), rgb.max(axis=2))
    grey = np.repeat(rgb[..., :1], 3, axis=2)
    assert np.array_equal(saturated(grey, factor), grey)
