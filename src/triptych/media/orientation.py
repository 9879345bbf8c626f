"""The display matrix and the pixel shape: from coded pixels to the picture that is shown."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import av
import numpy as np
from av.buffer import Buffer
from av.sidedata.sidedata import Type

from triptych.media.frame import U8


@dataclass(frozen=True, slots=True)
class Orientation:
    """First mirror left-right if ``mirrored``, then turn by ``clockwise`` (0, 90, 180, 270)."""

    clockwise: int = 0
    mirrored: bool = False

    @property
    def swaps(self) -> bool:
        """Whether width and height change places."""
        return self.clockwise in (90, 270)

    def apply(self, plane: U8) -> U8:
        """``plane`` (h, w) or (h, w, c) the right way up; a view where nothing is to be done."""
        if self.mirrored:
            plane = plane[:, ::-1]
        if self.clockwise:
            plane = np.rot90(plane, -self.clockwise // 90)
        return plane if plane.flags.c_contiguous else np.ascontiguousarray(plane)


UPRIGHT = Orientation()


def orientation_of(frame: av.VideoFrame) -> Orientation:
    """What the display matrix that travels with ``frame`` asks for, to the nearest right angle.

    The matrix is nine int32, row vectors times matrix (ISO/IEC 14496-12, 6.2.2): a point (x, y)
    of the coded picture, y down, is shown at (a x + c y, b x + d y).
    """
    matrix = cast("Mapping[Type, Buffer]", frame.side_data).get(Type.DISPLAYMATRIX)
    if matrix is None:
        return UPRIGHT
    data = bytes(matrix)
    if len(data) < 36:
        return UPRIGHT
    a, b, _, c, d = struct.unpack("=5i", data[:20])
    if a == b == c == d == 0:
        return UPRIGHT
    mirrored = a * d - b * c < 0
    if mirrored:
        a, b = -a, -b
    # The image of the x axis, (a, b), says how far the picture is turned.
    degrees = float(np.degrees(np.arctan2(b, a)))
    return Orientation(round(degrees / 90) % 4 * 90, mirrored)


class Orientations:
    """The orientation of each frame of a stream, looked up anew only when the angle changes.

    PyAV ties a frame whose side data is looked at into a reference cycle, and its picture stays
    in memory until the garbage collector comes by: hundreds of megabytes if done for each.
    """

    def __init__(self) -> None:
        self._angle: int | None = None
        self._last = UPRIGHT

    def of(self, frame: av.VideoFrame) -> Orientation:
        """See :func:`orientation_of`."""
        angle = frame.rotation
        if angle != self._angle:
            self._angle, self._last = angle, orientation_of(frame)
        return self._last


def display_size(
    width: int, height: int, shape: Fraction | None, orientation: Orientation
) -> tuple[int, int]:
    """Width and height as shown: pixels made square by width, as players do, then turned."""
    if shape is not None and shape > 0 and shape != 1:
        width = max(1, round(width * shape))
    return (height, width) if orientation.swaps else (width, height)
