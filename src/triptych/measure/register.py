"""Registration: where a point of A's picture lies in B's, from frames of the same moment.

Keypoints (SIFT, Lowe, IJCV 2004) matched both ways and a similarity transform by RANSAC, on each
of several moments; the median over moments is what the videos have in common.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.descriptors import Orientation
from triptych.measure.follow import follow
from triptych.media.frame import U8

F64 = npt.NDArray[np.float64]

#: Keypoints kept a picture, and the least that must agree for a transform to be believed.
KEYPOINTS = 400
ENOUGH = 10
#: A keypoint agrees when it lands within this many pixels of the analysis picture.
REPROJECTION_PX = 1.5
#: Lowe's ratio of the nearest to the second nearest descriptor.
RATIO = 0.8
#: Corners that have to be followed, and the share of those found that has to go one way, for a
#: picture to be said to lie where it was without looking for keypoints. At 460 moments of 40 known
#: edits keypoints agreed every time, to 0.25 % of the frame where bars were put on, else to 0.17 %.
FEWEST_CORNERS, STAYED = 24, 0.6


@dataclass(frozen=True, slots=True)
class Transform:
    """A's display picture on B's: scaled about its centre, turned clockwise, shifted.

    ``scale`` is relative to filling B's display from left to right; ``shift`` is that of the
    centre, in shares of B's width and height. ``agreeing`` keypoints stand behind it.
    """

    scale: float
    degrees: float
    shift: tuple[float, float]
    agreeing: int


def orientation_matrix(o: Orientation, width: int, height: int) -> F64:
    """2x3 matrix of ``o`` on pixels of a ``width`` x ``height`` picture."""
    m = np.eye(3)
    w, h = width, height
    if o.mirror == "horizontal":
        m = np.array([[-1, 0, w - 1], [0, 1, 0], [0, 0, 1.0]]) @ m
    elif o.mirror == "vertical":
        m = np.array([[1, 0, 0], [0, -1, h - 1], [0, 0, 1.0]]) @ m
    for _ in range(o.quarter_turns):
        m = np.array([[0, -1, h - 1], [1, 0, 0], [0, 0, 1.0]]) @ m
        w, h = h, w
    return m[:2]


def fill_matrix(source: tuple[int, int], target: tuple[int, int]) -> F64:
    """2x3 matrix that scales a picture of size ``source`` (w, h) to ``target``'s width, centred.

    What was square stays square.
    """
    scale = target[0] / source[0]
    dx, dy = ((t - 1 - scale * (s - 1)) / 2 for s, t in zip(source, target, strict=True))
    return np.array([[scale, 0, dx], [0, scale, dy]])


def compose(second: F64, first: F64) -> F64:
    """2x3 matrix of ``first`` followed by ``second``."""
    a = np.vstack([second, [0, 0, 1]])
    b = np.vstack([first, [0, 0, 1]])
    product: F64 = (a @ b)[:2]
    return product


def matrix_of(t: Transform, fill: F64, size: tuple[int, int]) -> F64:
    """2x3 matrix from oriented A pixels to B pixels; ``size`` is B's (w, h)."""
    turn = math.radians(t.degrees)
    c, s = t.scale * math.cos(turn), t.scale * math.sin(turn)
    cx, cy = (size[0] - 1) / 2, (size[1] - 1) / 2
    linear = np.array([[c, -s], [s, c]])
    target = np.array([cx + t.shift[0] * size[0], cy + t.shift[1] * size[1]])
    offset = target - linear @ np.array([cx, cy])
    return compose(np.hstack([linear, offset[:, None]]), fill)


@dataclass(frozen=True, slots=True)
class Keypoints:
    """Positions (n, 2), unit descriptors (n, 128), and the picture's (width, height)."""

    points: F64
    descriptors: npt.NDArray[np.float32]
    size: tuple[int, int]


def keypoints(picture: U8) -> Keypoints:
    """SIFT keypoints of luma (h, w), described as RootSIFT (Arandjelovic, CVPR 2012)."""
    sift = cv2.SIFT.create(nfeatures=KEYPOINTS, contrastThreshold=0.02)
    found, described = sift.detectAndCompute(picture, np.empty(0, np.uint8))
    size = picture.shape[1], picture.shape[0]
    if described is None or not found:
        return Keypoints(np.empty((0, 2)), np.empty((0, 128), np.float32), size)
    share = np.asarray(described, np.float32)
    share = share / np.maximum(share.sum(axis=1, keepdims=True), 1e-6)
    return Keypoints(np.array([k.pt for k in found], np.float64), np.sqrt(share), size)


def find_transform(a: Keypoints, b: Keypoints) -> Transform | None:
    """The similarity transform from ``a``, already oriented like ``b``, to ``b``."""
    points = _matches(a, b)
    if points is None:
        return None
    pa, pb = points
    fill = fill_matrix(a.size, b.size)
    return _similarity(pa @ fill[:, :2].T + fill[:, 2], pb, b.size)


def nudge(a: U8, b: U8) -> Transform | None:
    """The same for luma of one size that lies where it was but for a few pixels.

    Corners are followed instead of matched, in a tenth of the time. ``None`` where fewer than
    STAYED of them go one way: then something else has to be tried.
    """
    if a.shape != b.shape:
        return None
    pa, pb, asked = follow(a, b)
    if len(pa) < FEWEST_CORNERS:
        return None
    size = a.shape[1], a.shape[0]
    found = _similarity(pa.astype(np.float64), pb.astype(np.float64), size)
    return None if found is None or found.agreeing < STAYED * asked else found


def _similarity(pa: F64, pb: F64, size: tuple[int, int]) -> Transform | None:
    """From points (n, 2) to points of a picture of ``size``."""
    cv2.setRNGSeed(7)  # RANSAC draws from one generator for the whole process
    found, agree = cv2.estimateAffinePartial2D(
        pa.astype(np.float32),
        pb.astype(np.float32),
        method=cv2.RANSAC,
        ransacReprojThreshold=REPROJECTION_PX,
        maxIters=1000,
        confidence=0.995,
    )
    if found is None or int(agree.sum()) < ENOUGH:
        return None
    scale = math.hypot(found[0, 0], found[1, 0])
    degrees = math.degrees(math.atan2(found[1, 0], found[0, 0]))
    centre = np.array([(size[0] - 1) / 2, (size[1] - 1) / 2])
    moved = found[:, :2] @ centre + found[:, 2] - centre
    shift = float(moved[0] / size[0]), float(moved[1] / size[1])
    if not 0.2 < scale < 5 or max(abs(shift[0]), abs(shift[1])) > 1:
        return None
    return Transform(scale, degrees, shift, int(agree.sum()))


def _matches(a: Keypoints, b: Keypoints) -> tuple[F64, F64] | None:
    """Positions (n, 2) of keypoints that are each other's nearest."""
    if len(a.points) < ENOUGH or len(b.points) < ENOUGH:
        return None
    similar = a.descriptors @ b.descriptors.T
    best = similar.argmax(axis=1)
    back = similar.argmax(axis=0)
    rows = np.arange(len(best))
    top = similar[rows, best]
    similar[rows, best] = -1
    second = similar.max(axis=1)
    near, next_near = np.sqrt(np.maximum(2 - 2 * top, 0)), np.sqrt(np.maximum(2 - 2 * second, 0))
    good = (back[best] == rows) & (near < RATIO * next_near)
    if int(good.sum()) < ENOUGH:
        return None
    return a.points[good], b.points[best[good]]


def consensus(found: Sequence[Transform | None]) -> Transform | None:
    """The median transform of the moments, or ``None`` where fewer than a third gave one."""
    good = [t for t in found if t is not None]
    if len(good) < max(1, len(found) / 3):
        return None
    return Transform(
        scale=float(np.median([t.scale for t in good])),
        degrees=float(np.median([t.degrees for t in good])),
        shift=(
            float(np.median([t.shift[0] for t in good])),
            float(np.median([t.shift[1] for t in good])),
        ),
        agreeing=int(np.median([t.agreeing for t in good])),
    )
