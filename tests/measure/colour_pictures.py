"""Made pictures and pairs whose colours are known."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.pairs import Pair
from triptych.media.frame import I420

F64 = npt.NDArray[np.float64]


def scene(seed: int = 0, width: int = 320, height: int = 180, colour: float = 60.0) -> F64:
    """R, G, B of smooth blobs of many colours, (h, w, 3), 30 to 220; ``colour`` 0 is grey."""
    rng = np.random.default_rng(seed)
    grey = cv2.resize(rng.uniform(60, 190, (9, 16)), (width, height), interpolation=cv2.INTER_CUBIC)
    tone = cv2.resize(
        rng.uniform(-colour, colour, (9, 16, 3)), (width, height), interpolation=cv2.INTER_CUBIC
    )
    return np.clip(grey[..., None] + tone, 30, 220)


def i420(rgb: F64) -> I420:
    """Full-range BT.709, from the standard's own equations, rounded once."""
    r, g, b = (np.clip(rgb[..., i], 0, 255) for i in range(3))
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    u, v = (b - y) / 1.8556 + 128, (r - y) / 1.5748 + 128
    half = (y.shape[1] // 2, y.shape[0] // 2)

    def whole(p: F64) -> npt.NDArray[np.uint8]:
        return np.clip(np.rint(p), 0, 255).astype(np.uint8)

    return I420(
        whole(y),
        whole(cv2.resize(u, half, interpolation=cv2.INTER_AREA)),
        whole(cv2.resize(v, half, interpolation=cv2.INTER_AREA)),
    )


def pairs(change: Callable[[F64], F64], count: int = 4, colour: float = 60.0) -> list[Pair]:
    """``count`` pairs of scenes, B's made by ``change`` from A's R, G and B."""
    made = []
    for i in range(count):
        rgb = scene(i, colour=colour)
        a, b = i420(rgb), i420(change(rgb))
        made.append(Pair(float(i), float(i), a, b, np.ones(a.y.shape, np.bool_)))
    return made
