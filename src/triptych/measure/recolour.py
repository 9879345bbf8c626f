"""What happened to all colours alike: the map of A's colours to B's that most of the picture obeys.

It takes grading, exposure, desaturation and the like out before places are compared, so that what
remains belongs to places.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

#: R, G and B less luma, by U and V (BT.709, full range).
RED_V, GREEN_U, GREEN_V, BLUE_U = 1.5748, -0.1873, -0.4681, 1.8556
LUMA = np.array([0.2126, 0.7152, 0.0722], np.float32)
#: Bins of colour, levels of Y, U and V: a small colourful thing counts as much as a grey wall.
BIN = np.array([16, 8, 8], np.float32)
#: A bin counts as at most this share of the picture, and not at all below the other.
MOST, LEAST = 0.003, 1e-4
#: Levels near the ends of R, G and B where a colour may be cut off, and what such bins count.
CUT_LEVELS, CUT_WEIGHT = 4.0, 0.02
#: Rounds of reweighting, and levels below which a deviation is no outlier.
ROUNDS, INLIER = 8, 2.0


@dataclass(frozen=True, slots=True)
class Recolour:
    """The map; ``weights`` float64 (7, 3) on the terms of :func:`_terms`."""

    weights: F64

    def __call__(self, picture: F32) -> F32:
        """``picture`` (..., 3) in Y, U, V, recoloured and kept within what R, G, B can show."""
        flat = picture.reshape(-1, 3)
        changed = flat + (_terms(flat) @ self.weights).astype(np.float32)
        return _within_range(changed).reshape(picture.shape)


def rgb(yuv: F32) -> F32:
    """R, G, B of (..., 3) Y, U, V."""
    y, u, v = yuv[..., 0], yuv[..., 1] - 128, yuv[..., 2] - 128
    parts = (y + RED_V * v, y + GREEN_U * u + GREEN_V * v, y + BLUE_U * u)
    return np.stack(parts, axis=-1).astype(np.float32)


def _within_range(yuv: F32) -> F32:
    shown = np.clip(rgb(yuv), 0, 255)
    y = shown @ LUMA
    u, v = (shown[..., 2] - y) / BLUE_U + 128, (shown[..., 0] - y) / RED_V + 128
    return np.stack([y, u, v], axis=-1).astype(np.float32)


def _terms(yuv: F32) -> F64:
    """(n, 7): one, Y, U, V, how far the largest and least of R, G, B are from Y, and Y squared.

    Largest and least are what desaturation by HSV or HSL turns on, the square what gamma does.
    """
    y, u, v = yuv[:, 0], yuv[:, 1] - 128, yuv[:, 2] - 128
    parts = np.stack([RED_V * v, GREEN_U * u + GREEN_V * v, BLUE_U * u])
    terms = (np.ones_like(y), y, u, v, parts.max(axis=0), parts.min(axis=0), y * y / 255)
    return np.stack(terms, axis=1).astype(np.float64)


def recolouring(a: F32, b: F32) -> Recolour:
    """The map from colours ``a`` to ``b``, (n, 3) Y, U, V of the same places.

    Least squares on the means of colour bins, reweighted so that places which do not obey it
    (Huber's weights: Huber, "Robust estimation of a location parameter", 1964) hardly count.
    """
    means, weight = _bins(a, b)
    of_a, of_b = means[:, :3].astype(np.float32), means[:, 3:]
    shown = rgb(of_b.astype(np.float32))
    cut = np.any((shown <= CUT_LEVELS) | (shown >= 255 - CUT_LEVELS), axis=1)
    weight = np.where(cut, weight * CUT_WEIGHT, weight)
    if float(weight.sum()) <= 0:
        return Recolour(np.zeros((7, 3)))
    terms, change = _terms(of_a), of_b - means[:, :3]
    # Where the pictures hold few colours, no change is likelier than a wild one.
    ridge = np.diag([0.0, 1e-2, 1e-2, 1e-2, 0.1, 0.1, 0.1]) * weight.sum()
    ridge[0, 0] = 1e-9 * weight.sum()
    now = weight.copy()
    weights = np.zeros((7, 3))
    for _ in range(ROUNDS):
        scaled = terms * now[:, None]
        weights = np.linalg.solve(scaled.T @ terms + ridge, scaled.T @ change)
        off = np.abs(terms @ weights - change).max(axis=1)
        usual = max(INLIER, float(np.median(off[weight > 0])))
        now = weight * np.minimum(1.0, 2 * usual / np.maximum(off, 1e-6))
    return Recolour(weights)


def _bins(a: F32, b: F32) -> tuple[F64, F64]:
    """Mean colours (k, 6) of A and B in each bin of A's colour, and what each bin counts."""
    index = (a // BIN).astype(np.int64)
    key = (index[:, 0] * 64 + index[:, 1]) * 64 + index[:, 2]
    every = np.bincount(key)
    used = np.flatnonzero(every)
    count = every[used]
    sums = [np.bincount(key, weights=c)[used] for both in (a, b) for c in both.T]
    means = np.stack(sums, axis=1) / count[:, None]
    weight = np.where(count < LEAST * len(a), 0.0, np.minimum(count, MOST * len(a)))
    return means, weight.astype(np.float64)
