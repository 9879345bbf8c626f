"""Common corruptions of an RGB picture, as ViDiC (arXiv 2512.03405, appendix E.4) has them.

Each takes and gives uint8 (h, w, 3), and leaves its input as it is.
"""

from __future__ import annotations

import cv2
import numpy as np

from triptych.make.clip import U8


def noisy(rgb: U8, sigma: float, rng: np.random.Generator) -> U8:
    """Normal noise of ``sigma`` levels on R, G and B each, rounded and clipped to 0..255."""
    grain = rng.standard_normal(rgb.shape, np.float32)
    return np.clip(np.rint(rgb + sigma * grain), 0, 255).astype(np.uint8)


def blurred(rgb: U8, kernel: int) -> U8:
    """Gaussian blur, ``kernel`` pixels square (odd).

    OpenCV derives sigma from the size: 0.3 ((k - 1) / 2 - 1) + 0.8.
    """
    return np.asarray(cv2.GaussianBlur(rgb, (kernel, kernel), 0), np.uint8)


def saturated(rgb: U8, factor: float) -> U8:
    """S of HSV times ``factor`` (0 to 1), in OpenCV's eight bits; 0 is grey."""
    hsv = cv2.cvtColor(rgb, cv2.COLOR_RGB2HSV)
    hsv[:, :, 1] = np.rint(hsv[:, :, 1] * factor).astype(np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB), np.uint8)
