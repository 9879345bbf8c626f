"""PSNR and SSIM against ffmpeg's filters and against what the definitions give by hand."""

from __future__ import annotations

import math
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from triptych.measure.pairs import Pair
from triptych.measure.quality import PSNR_EQUAL, psnr, quality, ssim
from triptych.media.frame import I420, U8


def noisy(seed: int, sigma: float = 12.0) -> tuple[U8, U8]:
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:96, 0:128]
    a = 120 + 60 * np.sin(x / 9) * np.cos(y / 7)
    b = a + rng.normal(0, sigma, a.shape)
    return tuple(np.clip(np.rint(p), 0, 255).astype(np.uint8) for p in (a, b))  # type: ignore[return-value]


def test_psnr_of_a_known_error() -> None:
    a = np.full((20, 20), 100, np.uint8)
    assert psnr(a, a + np.uint8(10)) == pytest.approx(20 * math.log10(25.5))


def test_psnr_is_that_of_ffmpeg(tmp_path: Path) -> None:
    a, b = noisy(1)
    for name, p in (("a", a), ("b", b)):
        (tmp_path / f"{name}.gray").write_bytes(p.tobytes())
    raw = ["-f", "rawvideo", "-pix_fmt", "gray", "-s", "128x96"]
    measure = ["-lavfi", "psnr", "-f", "null", "-"]
    out = subprocess.run(
        ["ffmpeg", "-nostdin", *raw, "-i", "a.gray", *raw, "-i", "b.gray", *measure],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"average:([\d.]+)", out.stderr)
    assert found
    assert psnr(a, b) == pytest.approx(float(found[1]), abs=0.01)


def test_ssim_by_hand_in_one_window() -> None:
    """The definition, written out for the one window that an 11x11 picture has."""
    rng = np.random.default_rng(3)
    a, b = (rng.integers(0, 256, (11, 11)).astype(np.uint8) for _ in range(2))
    r = np.arange(11) - 5
    w = np.exp(-(r[:, None] ** 2 + r[None] ** 2) / (2 * 1.5**2))
    w /= w.sum()
    x, y = a.astype(float), b.astype(float)
    mx, my = (w * x).sum(), (w * y).sum()
    vx, vy = (w * x * x).sum() - mx**2, (w * y * y).sum() - my**2
    cov = (w * x * y).sum() - mx * my
    c1, c2 = 6.5025, 58.5225
    expected = (2 * mx * my + c1) * (2 * cov + c2) / ((mx**2 + my**2 + c1) * (vx + vy + c2))
    assert ssim(a, b) == pytest.approx(expected, abs=1e-4)


def test_equal_pictures_are_perfect() -> None:
    a, _ = noisy(2)
    assert psnr(a, a) == PSNR_EQUAL
    assert ssim(a, a) == pytest.approx(1.0, abs=1e-6)


def test_only_valid_pixels_count() -> None:
    a, b = noisy(4, sigma=0)
    b = b.copy()
    b[:, :40] = 0
    valid = np.ones(a.shape, np.bool_)
    valid[:, :40] = False
    assert psnr(a, b) < 20
    assert psnr(a, b, valid) == PSNR_EQUAL
    assert ssim(a, b, valid) == pytest.approx(1.0, abs=1e-6)
    assert ssim(a, b) < 0.8


def test_nothing_valid_is_not_a_number() -> None:
    a, b = noisy(5)
    none = np.zeros(a.shape, np.bool_)
    assert math.isnan(psnr(a, b, none))
    assert math.isnan(ssim(a, b, none))
    assert math.isnan(ssim(a[:8, :8], b[:8, :8]))


def test_the_worst_pair_is_named() -> None:
    def pair(sigma: float) -> Pair:
        a, b = noisy(6, sigma)
        grey = np.full((48, 64), 128, np.uint8)
        return Pair(0.0, 0.0, I420(a, grey, grey), I420(b, grey, grey), np.ones(a.shape, np.bool_))

    q = quality([pair(4), pair(40), pair(10)])
    assert q.worst == 1
    assert q.median_ssim == sorted(q.ssim)[1]
    assert q.median_psnr == sorted(q.psnr)[1]
    assert quality([]).median_ssim is None
