"""Corners followed from picture to picture (Lucas-Kanade in pyramids, Bouguet 2001)."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from triptych.media.frame import U8

F32 = npt.NDArray[np.float32]

#: Corners followed at most, their least distance in pixels, and the fewest that say something.
CORNERS, APART, FEWEST = 120, 8, 12
#: A corner must come back to where it started within this many pixels.
RETURN_PX = 1.0


def follow(a: U8, b: U8) -> tuple[F32, F32, int]:
    """Positions (n, 2) of corners of luma ``a`` (h, w), where they are in ``b``, and how many
    were looked for.

    Brightness and contrast of ``b`` are brought to ``a``'s first; corners that do not find back
    are left out.
    """
    empty = np.empty((0, 2), np.float32)
    corners = cv2.goodFeaturesToTrack(a, CORNERS, 0.01, APART, blockSize=5)
    if corners is None or len(corners) < FEWEST:
        return empty, empty, 0 if corners is None else len(corners)
    b = _like(b, a)
    ahead, found, _ = cv2.calcOpticalFlowPyrLK(a, b, corners, _nothing(), winSize=(15, 15))
    back, again, _ = cv2.calcOpticalFlowPyrLK(b, a, ahead, _nothing(), winSize=(15, 15))
    off = np.abs(back - corners).reshape(-1, 2).max(axis=1)
    good = (found.ravel() == 1) & (again.ravel() == 1) & (off < RETURN_PX)
    return corners.reshape(-1, 2)[good], ahead.reshape(-1, 2)[good], len(corners)


def _nothing() -> F32:
    """No first guess of where the corners went; OpenCV writes its answer here."""
    return np.empty(0, np.float32)


def _like(b: U8, a: U8) -> U8:
    mean_a, sd_a = (float(x[0, 0]) for x in cv2.meanStdDev(a))
    mean_b, sd_b = (float(x[0, 0]) for x in cv2.meanStdDev(b))
    gain = sd_a / sd_b if sd_b > 1 else 1.0
    return np.asarray(cv2.convertScaleAbs(b, alpha=gain, beta=mean_a - gain * mean_b), np.uint8)
