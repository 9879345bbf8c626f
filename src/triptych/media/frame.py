"""One decoded frame, with its time."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

U8 = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class I420:
    """A small colour picture: full-range BT.709 luma at full size, chroma at half size.

    ``y``: uint8 (h, w); ``u``, ``v``: uint8 (h/2, w/2), 128 is neutral. Whatever matrix, range,
    bit depth, rotation flag and pixel shape the file had, they are already applied.
    """

    y: U8
    u: U8
    v: U8


class Frame(Protocol):
    """A frame of any reader. Pixels are only converted when asked for.

    ``time`` is in seconds from the first presented frame; ``duration`` lasts until the next
    frame. ``width`` and ``height`` are display pixels: after rotation and pixel shape.
    """

    @property
    def time(self) -> Fraction: ...
    @property
    def duration(self) -> Fraction | None: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...

    def i420(self, width: int, height: int) -> I420:
        """The frame scaled by area averaging to even ``width`` x ``height``, upright."""
        ...

    def luma(self) -> U8:
        """Luma at coded resolution as the display shows it (upright, full range), (h, w).

        By the file's own matrix. Read only: it may be the decoder's own picture.
        """
        ...

    def rgb(self, max_side: int | None = None) -> U8:
        """sRGB-like (h, w, 3) uint8 at display size, or scaled down to ``max_side``."""
        ...
