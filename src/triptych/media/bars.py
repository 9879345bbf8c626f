"""Black bars, from the brightest that every pixel ever gets."""

from __future__ import annotations

import numpy as np

from triptych.media.frame import U8
from triptych.media.orientation import Orientation

#: Levels above black that a bar may reach: coding noise. Bars of the clips made
#: with x264 at default quality stay at or below 4; a 16-level step is the least seen inside.
BLACK = 10
#: Levels above black that the picture beside a bar must reach.
LIT = 32
#: Share of a line that must stay black to be a bar, and share that must be lit just inside.
BLACK_SHARE = 0.995
LIT_SHARE = 0.2
#: The picture must be reached within so many lines of the bar: an edge, not a night sky.
EDGE_LINES = 3
#: A bar is at least so thick, and less than this share of the side.
LEAST = 2
MOST = 0.45


class Bars:
    """Looks at sampled frames of a pass and says which borders were never anything but black.

    Works on luma at coded resolution; memory is one picture. A change of size starts it anew.
    """

    def __init__(self) -> None:
        self._brightest: U8 | None = None
        self._black = 0

    def see(self, luma: U8, black: int) -> None:
        """A sampled frame's luma (h, w) in coded orientation, and the level that is black."""
        self._black = black
        if self._brightest is None or self._brightest.shape != luma.shape:
            self._brightest = luma.copy()
        else:
            np.maximum(self._brightest, luma, out=self._brightest)

    def coded(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom in coded pixels, before the picture is turned."""
        if self._brightest is None:
            return (0, 0, 0, 0)
        b = self._brightest
        # Rows first over the whole width, then columns between the rows that are left.
        top, bottom = _edge(b, self._black), _edge(b[::-1], self._black)
        inside = b[top : b.shape[0] - bottom].T
        return (_edge(inside, self._black), top, _edge(inside[::-1], self._black), bottom)

    def shown(self, shape: tuple[int, int], orientation: Orientation) -> list[int]:
        """Left, top, right, bottom in display pixels of a picture shown as ``shape`` (w, h)."""
        if self._brightest is None:
            return [0, 0, 0, 0]
        height, width = self._brightest.shape
        left, top, right, bottom = self.coded()
        if orientation.mirrored:
            left, right = right, left
        for _ in range(orientation.clockwise // 90):
            # A quarter turn clockwise brings the left side to the top.
            left, top, right, bottom = bottom, left, top, right
        if orientation.swaps:
            width, height = height, width
        sx, sy = shape[0] / width, shape[1] / height
        return [round(left * sx), round(top * sy), round(right * sx), round(bottom * sy)]


def _edge(brightest: U8, level: int) -> int:
    """How many lines at the start of ``brightest`` (lines, pixels) are a bar."""
    lines, _ = brightest.shape
    black = (brightest <= level + BLACK).mean(axis=1) >= BLACK_SHARE
    inside = np.flatnonzero(~black)
    if inside.size == 0:
        return 0
    thick = int(inside[0])
    if thick < LEAST or thick >= MOST * lines:
        return 0
    lit = (brightest[thick : thick + EDGE_LINES] >= level + LIT).mean(axis=1).max()
    return thick if lit >= LIT_SHARE else 0
