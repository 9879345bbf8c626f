"""Edits of colour, light and quality: against what they claim, on a known clip."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from known_clip import HEIGHT, WIDTH, made, make_clip

import triptych.make.edits  # noqa: F401
from triptych.make.clip import Clip, planes
from triptych.make.pixels import to_i420, to_rgb


def test_saturation_scales_s_of_hsv(clip: Clip) -> None:
    before = cv2.cvtColor(to_rgb(clip.frames[3]), cv2.COLOR_RGB2HSV)[..., 1].mean()
    for factor in (0.5, 0.0):
        rgb = to_rgb(made(clip, "saturation", factor).clip.frames[3])
        after = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV)[..., 1].mean()
        assert after == pytest.approx(factor * before, abs=4)


def test_hue_turns_chroma_and_leaves_luma(clip: Clip) -> None:
    result = made(clip, "hue", 90.0)
    degrees = result.expected["style: colour"]["hue_deg"]
    y, u, v = planes(clip.frames[3])
    y2, u2, v2 = planes(result.clip.frames[3])
    assert np.array_equal(y, y2)
    before = np.arctan2(v.astype(float) - 128, u.astype(float) - 128)
    after = np.arctan2(v2.astype(float) - 128, u2.astype(float) - 128)
    strong = np.hypot(u.astype(float) - 128, v.astype(float) - 128) > 40
    turn = np.angle(np.exp(1j * (after - before)))[strong]
    assert abs(np.degrees(np.median(turn))) == pytest.approx(abs(degrees), abs=2)


def test_contrast_and_brightness_change_levels_as_stated(clip: Clip) -> None:
    y = clip.frames[3][:HEIGHT].astype(float)
    low = made(clip, "contrast", 0.5).clip.frames[3][:HEIGHT]
    assert low.std() == pytest.approx(0.5 * y.std(), rel=0.02)
    dark = made(clip, "brightness", -0.35).clip.frames[3]
    assert dark[:HEIGHT].mean() - 16 == pytest.approx(0.65 * (y.mean() - 16), rel=0.02)
    ratio = to_rgb(dark).mean() / to_rgb(clip.frames[3]).mean()
    assert ratio == pytest.approx(0.65, abs=0.02)


@pytest.mark.parametrize("seed", range(4))
def test_colour_temperature_goes_the_stated_way(clip: Clip, seed: int) -> None:
    result = made(clip, "colour-temperature", 3000.0, seed)
    before, after = (to_rgb(f).mean(axis=(0, 1)) for f in (clip.frames[3], result.clip.frames[3]))
    warmer = (after[0] - after[2]) - (before[0] - before[2])
    fact = result.expected["background: lighting"]
    assert (warmer > 3) if fact["towards"] == "warm" else (warmer < -3)
    assert abs(fact["kelvin"] - 6500) == 3000


def test_blur_is_opencvs_with_the_papers_kernel(clip: Clip) -> None:
    rgb = to_rgb(clip.frames[3])
    got = made(clip, "blur", 15.0).clip.frames[3].astype(int)
    away = {}
    for kernel in (11, 13, 15, 17, 21):
        wanted = to_i420(np.asarray(cv2.GaussianBlur(rgb, (kernel, kernel), 0), np.uint8))
        away[kernel] = float(np.abs(wanted - got)[:HEIGHT].mean())
    assert away[15] < 0.6
    assert min(away, key=lambda k: away[k]) == 15


def test_noise_has_the_papers_sigma_and_another_grain_each_frame() -> None:
    grey = make_clip(moving=False)
    flat = np.full_like(grey.frames[0], 126)
    flat[HEIGHT:] = 128
    clip = grey.with_frames(type(grey.frames)(np.stack([flat] * 4)))  # type: ignore[call-arg]
    result = made(clip, "noise", 30.0)
    luma = result.clip.frames[0][:HEIGHT].astype(float)
    # BT.709 weights of independent noise on R, G and B, and limited range (219 of 255 levels).
    wanted = 30 * np.sqrt(0.2126**2 + 0.7152**2 + 0.0722**2) * 219 / 255
    assert luma.std() == pytest.approx(wanted, rel=0.05)
    other = result.clip.frames[1][:HEIGHT].astype(float)
    assert abs(np.corrcoef(luma.ravel(), other.ravel())[0, 1]) < 0.03
    assert np.array_equal(result.clip.frames[0], result.clip.frames[0])


@pytest.mark.parametrize("seed", range(8))
def test_bars_are_black_and_as_thick_as_stated(clip: Clip, seed: int) -> None:
    result = made(clip, "bars", 0.2, seed)
    fact = result.expected["style: bars"]
    left, top, right, bottom = fact["added_px"]
    y = result.clip.frames[3][: result.clip.size[1]]
    height, width = y.shape
    inner = y[top : height - bottom, left : width - right]
    assert y.sum() - inner.sum() == 16 * (y.size - inner.size)
    assert inner[0].mean() > 30 and inner[:, 0].mean() > 30
    assert max(left / WIDTH, top / HEIGHT) == pytest.approx(0.2, abs=0.02)
    if not fact["over_the_picture"]:
        assert inner.shape == (HEIGHT, WIDTH)
