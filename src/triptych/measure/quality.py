"""Full-reference quality of matched pictures: PSNR and SSIM of luma where both have a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.pairs import Mask, Pair
from triptych.media.frame import U8

#: Window and constants of Wang, Bovik, Sheikh and Simoncelli, "Image Quality Assessment: From
#: Error Visibility to Structural Similarity", IEEE TIP 13(4), 2004, section III.C.
WINDOW = 11
SIGMA = 1.5
K1, K2, PEAK = 0.01, 0.03, 255.0
#: PSNR of equal pictures, for which the formula gives infinity: JSON has no infinity, and 8-bit
#: pictures that differ by one level in one pixel of a million already score above 100 dB.
PSNR_EQUAL = 100.0


@dataclass(frozen=True, slots=True)
class Quality:
    """PSNR (dB) and SSIM (-1 to 1) over all pairs; ``worst`` is the index of the lowest SSIM.

    ``psnr`` and ``ssim`` hold one value a pair, ``nan`` where a pair has no common picture.
    """

    psnr: tuple[float, ...]
    ssim: tuple[float, ...]
    median_psnr: float | None
    median_ssim: float | None
    worst: int | None


def psnr(a: U8, b: U8, valid: Mask | None = None) -> float:
    """Peak signal-to-noise ratio of two (h, w) pictures in dB, ``nan`` if nothing is valid."""
    error = cv2.absdiff(a, b).astype(np.float32)
    if valid is not None:
        error = error[valid]
    if not error.size:
        return math.nan
    mse = float(np.mean(error * error, dtype=np.float64))
    return PSNR_EQUAL if mse == 0 else min(10 * math.log10(PEAK * PEAK / mse), PSNR_EQUAL)


def ssim_map(a: U8, b: U8) -> npt.NDArray[np.float32]:
    """SSIM around each pixel of two (h, w) pictures, (h, w); equation 13 of Wang et al. 2004."""
    x, y = a.astype(np.float32), b.astype(np.float32)

    def mean(p: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        return np.asarray(
            cv2.GaussianBlur(p, (WINDOW, WINDOW), SIGMA, borderType=cv2.BORDER_REFLECT),
            np.float32,
        )

    c1, c2 = (K1 * PEAK) ** 2, (K2 * PEAK) ** 2
    mx, my = mean(x), mean(y)
    xx, yy, xy = mx * mx, my * my, mx * my
    vx, vy, cov = mean(x * x) - xx, mean(y * y) - yy, mean(x * y) - xy
    similarity = ((2 * xy + c1) * (2 * cov + c2)) / ((xx + yy + c1) * (vx + vy + c2))
    return np.asarray(similarity, np.float32)


def ssim(a: U8, b: U8, valid: Mask | None = None) -> float:
    """Mean SSIM of two (h, w) pictures over windows that lie wholly inside and are valid.

    ``nan`` if there is none. Pictures smaller than the window have none.
    """
    half = WINDOW // 2
    inside = np.zeros(a.shape, np.uint8)
    inside[half : a.shape[0] - half, half : a.shape[1] - half] = 1
    if valid is not None:
        kernel = np.ones((WINDOW, WINDOW), np.uint8)
        inside &= np.asarray(
            cv2.erode(valid.astype(np.uint8), kernel, borderType=cv2.BORDER_REPLICATE), np.uint8
        )
    chosen = ssim_map(a, b)[inside.astype(bool)]
    return float(np.mean(chosen, dtype=np.float64)) if chosen.size else math.nan


def quality(pairs: Sequence[Pair]) -> Quality:
    """PSNR and SSIM of each pair's luma, their medians, and which pair is worst."""
    p = tuple(psnr(x.a.y, x.b.y, x.valid) for x in pairs)
    s = tuple(ssim(x.a.y, x.b.y, x.valid) for x in pairs)
    known = [i for i, value in enumerate(s) if not math.isnan(value)]
    known_p = [value for value in p if not math.isnan(value)]
    return Quality(
        psnr=p,
        ssim=s,
        median_psnr=float(np.median(known_p)) if known_p else None,
        median_ssim=float(np.median([s[i] for i in known])) if known else None,
        worst=min(known, key=lambda i: s[i]) if known else None,
    )
