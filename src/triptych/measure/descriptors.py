"""Descriptors of moments: what a video's thumbnails look like on an even grid of times.

A descriptor is a small picture, made independent of brightness and contrast and with most of
what never changes taken out, so that the dot product of two says how well two moments agree.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.survey import F64, Thumbs
from triptych.measure.timemap import Mirror

F32 = npt.NDArray[np.float32]

#: Side of a descriptor, pixels. 32 square keeps what 32x18 keeps and can be turned by quarters.
SIDE = 32
#: Share of the temporal mean that is taken out. With 0.7, mirroring and direction came out right
#: in 26 of 26 edits of two clips, one of them nearly static.
STATIC_SHARE = 0.7
#: Smoothing by less than this sigma, pixels, is left out.
LEAST_BLUR = 0.4
#: A picture whose levels spread (standard deviation) by the first or less is flat, by the second or
#: more it is not. In between it is so in part: at a fade a graded copy gets flat at another moment.
FLAT_LEVELS, PATTERN_LEVELS = 1.5, 4.5


@dataclass(frozen=True, slots=True)
class Orientation:
    """How a picture is turned: mirrored first, then turned clockwise by quarters."""

    mirror: Mirror = "none"
    quarter_turns: int = 0

    @property
    def inverse(self) -> Orientation:
        """What undoes it. Mirrored ones undo themselves; plain turns turn back."""
        if self.mirror != "none":
            return self
        return Orientation("none", -self.quarter_turns % 4)


#: Mirroring vertically is mirroring horizontally and a half turn; the simplest name is listed.
ORIENTATIONS: tuple[Orientation, ...] = (
    Orientation(),
    Orientation("horizontal"),
    Orientation("vertical"),
    Orientation("none", 2),
    Orientation("none", 1),
    Orientation("none", 3),
    Orientation("horizontal", 1),
    Orientation("horizontal", 3),
)


def orient(pictures: npt.NDArray[np.generic], o: Orientation) -> npt.NDArray[np.generic]:
    """``pictures`` (..., h, w) as ``o`` shows them."""
    if o.mirror == "horizontal":
        pictures = pictures[..., ::-1]
    elif o.mirror == "vertical":
        pictures = pictures[..., ::-1, :]
    return np.rot90(pictures, -o.quarter_turns, axes=(-2, -1))


def grid(thumbs: Thumbs, end: float, step: float) -> tuple[F64, npt.NDArray[np.intp]]:
    """Even times from half a step on, and the index of the thumbnail shown at each."""
    n = cell_count(end, step)
    times = ((np.arange(n) + 0.5) * step).astype(np.float64)
    index = np.searchsorted(thumbs.times, times + 1e-6, side="right") - 1
    return times, np.clip(index, 0, len(thumbs.times) - 1)


def cells(
    thumbs: Thumbs, end: float, step: float, which: npt.NDArray[np.intp] | None = None
) -> F32:
    """The mean thumbnail of each cell of ``step`` seconds, (n, THUMB_SIDE, THUMB_SIDE).

    Averaging makes coarse cells of two videos agree even if their edges fall at different
    moments. A cell without a thumbnail shows the one before. ``which`` picks cells by number.
    """
    times, index = grid(thumbs, end, step)
    n = len(times)
    cell = np.minimum((thumbs.times / step).astype(np.intp), n - 1)
    count = np.bincount(cell, minlength=n)
    first = np.searchsorted(cell, np.arange(n))
    which = np.arange(n) if which is None else which
    out = thumbs.pictures[index[which]].astype(np.float32)
    for k, i in enumerate(which):
        if count[i] > 1:
            out[k] = thumbs.pictures[first[i] : first[i] + count[i]].mean(axis=0)
    return out


def cell_count(end: float, step: float) -> int:
    """Cells of ``step`` seconds in ``end`` seconds."""
    return max(1, round(end / step))


@dataclass(frozen=True, slots=True)
class View:
    """The part of a picture that is compared: a square turned by ``degrees`` (clockwise).

    ``left``, ``top``, ``right``, ``bottom`` are shares of the picture's active area; ``aspect``
    is that area's width over height, so that turning does not shear.
    """

    left: float = 0.0
    top: float = 0.0
    right: float = 1.0
    bottom: float = 1.0
    degrees: float = 0.0
    aspect: float = 1.0

    def matrix(self, active: Sequence[float], source: int, side: int) -> F32:
        """2x3 matrix from output pixels to pixels of a ``source``-sided squashed picture."""
        cx, cy = (self.left + self.right) / 2, (self.top + self.bottom) / 2
        w, h = self.right - self.left, self.bottom - self.top
        turn = np.deg2rad(self.degrees)
        cos, sin = np.cos(turn), np.sin(turn)
        # Shares of the active area per output pixel, turned about the centre.
        a = np.array([[cos * w, -sin * h / self.aspect], [sin * w * self.aspect, cos * h]]) / side
        aw, ah = active[2] - active[0], active[3] - active[1]
        scale = np.diag([aw * source, ah * source])
        linear = scale @ a
        origin = scale @ np.array([cx, cy]) + source * np.array(active[:2])
        middle = (side - 1) / 2
        shift = origin - 0.5 - linear @ np.array([middle, middle])
        matrix: F32 = np.hstack([linear, shift[:, None]]).astype(np.float32)
        return matrix


def look(pictures: F32, active: Sequence[float], view: View, side: int = SIDE) -> F32:
    """What ``view`` shows of each squashed picture's active area, resampled to a square."""
    source = pictures.shape[1]
    if view.degrees == 0:  # then lines and columns are resampled each by themselves
        down, across = _resampling(view, tuple(active), source, side)
        lines = np.matmul(pictures, across.T).transpose(0, 2, 1)
        square: F32 = np.matmul(lines, down.T).transpose(0, 2, 1)
        return square
    matrix = view.matrix(active, source, side)
    return np.stack([_resampled(p, matrix, (side, side)) for p in pictures])


@lru_cache(maxsize=64)
def _resampling(view: View, active: tuple[float, ...], source: int, side: int) -> tuple[F32, F32]:
    """What each line, and each column, of the square is made of: two (side, source) matrices."""
    matrix = view.matrix(active, source, side)
    across, down = matrix.copy(), matrix.copy()
    across[1], down[0] = (0, 1, 0), (1, 0, 0)
    unit = np.eye(source, dtype=np.float32)
    blur = _blur_of(matrix)
    return (
        _resampled(unit, down, (source, side), (0.0, blur)),
        _resampled(unit, across, (side, source), (blur, 0.0)).T.copy(),
    )


def _blur_of(matrix: F32) -> float:
    """Sigma in pixels of what has to be smoothed away before the picture gets smaller."""
    return 0.5 * math.sqrt(abs(float(np.linalg.det(matrix[:, :2]))))


def _resampled(
    picture: F32, matrix: F32, size: tuple[int, int], blur: tuple[float, float] | None = None
) -> F32:
    across, down = blur or (_blur_of(matrix),) * 2
    if max(across, down) > LEAST_BLUR:
        # OpenCV takes a sigma of 0 for one like the other: a kernel of one pixel smooths nothing.
        kernel = (0 if across else 1, 0 if down else 1)
        picture = np.asarray(
            cv2.GaussianBlur(picture, kernel, max(across, 1e-3), sigmaY=max(down, 1e-3))
        )
    return np.asarray(
        cv2.warpAffine(
            picture,
            matrix,
            size,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.float32,
    )


def static_part(pictures: F32) -> F32:
    """What is taken out of each of ``pictures`` (n, side, side) by :func:`normalise`."""
    return np.asarray(STATIC_SHARE * pictures.mean(axis=0), np.float32)


def normalise(pictures: F32, static: F32) -> F32:
    """Unit vectors (n, side * side + 1) of ``pictures`` (n, side, side) less ``static``.

    A flat picture (black, the end of a fade) has no pattern to compare: it gets the last axis, so
    that it is like any other flat picture and unlike all the rest.
    """
    flat = np.asarray(pictures.reshape(len(pictures), -1), np.float32)
    share = (PATTERN_LEVELS - flat.std(axis=1)) / (PATTERN_LEVELS - FLAT_LEVELS)
    plain = np.clip(share, 0.0, 1.0)
    rest = flat - static.ravel()
    rest = rest - rest.mean(axis=1, keepdims=True)
    unit = np.zeros((len(flat), flat.shape[1] + 1), np.float32)
    length = np.linalg.norm(rest, axis=1)
    unit[:, :-1] = rest * (np.sqrt(1.0 - plain**2) / np.maximum(length, 1e-6))[:, None]
    unit[:, -1] = plain
    return unit
