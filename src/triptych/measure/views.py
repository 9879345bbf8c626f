"""Descriptors of two videos under one guess of how the one frames the other's picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from triptych.measure.descriptors import (
    F32,
    Orientation,
    cell_count,
    cells,
    look,
    normalise,
    orient,
    static_part,
)
from triptych.measure.geometry import Guess
from triptych.measure.refine import Describe
from triptych.measure.survey import Survey
from triptych.measure.timemap import Piece
from triptych.media.frame import U8

#: Cells described at a time.
SPREAD_CELLS = 2000
#: Thumbnails described at a time: few enough to stay in the cache, half the time of all at once.
AT_ONCE = 128
#: Videos of up to so many thumbnails are described once, whole: 8 MB. The lines are fitted in
#: several rounds, each of which asks for most of them.
KEPT_DESCRIPTORS = 2000
#: Cells that what is static is told from, at least.
FEWEST_CELLS = 5
#: Left, top, right, bottom of a part of a picture, as shares of its width and height.
Share = tuple[float, float, float, float]


class Views:
    """Descriptors of both videos under one guess of the framing.

    ``painted``: bars lie over the picture rather than around it, so the same part of both is
    compared.
    """

    def __init__(self, a: Survey, b: Survey, guess: Guess, painted: bool = False) -> None:
        self.a, self.b, self.guess, self.painted = a, b, guess, painted
        self._share_a, self._share_b = active_share(a), active_share(b)
        self._static: dict[Orientation | None, F32] = {}
        self._kept: dict[Orientation | None, tuple[F32, F32]] = {}
        #: How flat B's cells are, 0 to 1, (cells of B); set by :meth:`matrices`.
        self.plain_b: F32 = np.zeros(0, np.float32)

    def matrices(
        self, step: float, orientations: Sequence[Orientation]
    ) -> Mapping[Orientation, F32]:
        """Similarities of cells, (cells of A, cells of B), by how B shows A."""
        of_a = look(cells(self.a.thumbs, self.a.duration, step), self._active(None), self.guess.a)
        in_b = cells(self.b.thumbs, self.b.duration, step)
        self._static[None] = static_part(of_a)
        da = normalise(of_a, self._static[None])
        result = {}
        for o in orientations:
            of_b = self._look_b(in_b, o)
            self._static[o] = static_part(of_b)
            db = normalise(of_b, self._static[o])
            self.plain_b = db[:, -1]
            result[o] = da @ db.T
        return result

    def settle(self, o: Orientation, pieces: Sequence[Piece], step: float) -> None:
        """Take what is static from the matched stretches alone.

        Footage that only one video has is in its mean too: then the same moments are described
        otherwise in both, and in slow scenes seem to lie a frame or two elsewhere.
        """
        spans_a = [(p.a0, p.a1) for p in pieces]
        spans_b = [(min(p.b0, p.b1), max(p.b0, p.b1)) for p in pieces]
        for which, survey, spans in ((None, self.a, spans_a), (o, self.b, spans_b)):
            middles = (np.arange(cell_count(survey.duration, step)) + 0.5) * step
            inside = np.zeros(len(middles), np.bool_)
            for start, end in spans:
                inside |= (middles >= start) & (middles <= end)
            index = np.flatnonzero(inside)
            if len(index) >= FEWEST_CELLS:
                seen = cells(survey.thumbs, survey.duration, step, index)
                self._static[which] = static_part(self._look(seen, which))

    def track(self, o: Orientation | None, step: float, basis: F32 | None = None) -> F32:
        """Descriptors of A's cells (``None``) or of B's turned back from ``o``.

        With ``basis`` (d, k) they are projected piece by piece, so that memory holds k numbers a
        cell; without it only evenly spread cells are returned, enough to find a basis from.
        """
        s = self.a if o is None else self.b
        n = cell_count(s.duration, step)
        if basis is None:
            spread = np.unique(np.linspace(0, n - 1, SPREAD_CELLS).astype(np.intp))
            seen = self._look(cells(s.thumbs, s.duration, step, spread), o)
            self._static[o] = static_part(seen)
            return normalise(seen, self._static[o])
        parts = []
        for first in range(0, n, SPREAD_CELLS):
            which = np.arange(first, min(first + SPREAD_CELLS, n))
            seen = self._look(cells(s.thumbs, s.duration, step, which), o)
            parts.append(normalise(seen, self._static[o]) @ basis)
        return np.concatenate(parts)

    def _look(self, pictures: F32, o: Orientation | None) -> F32:
        if o is None:
            return look(pictures, self._active(None), self.guess.a)
        return self._look_b(pictures, o)

    def _look_b(self, pictures: F32, o: Orientation) -> F32:
        upright = np.ascontiguousarray(orient(pictures, o.inverse), dtype=np.float32)
        return look(upright, self._active(o), self.guess.b)

    def _active(self, o: Orientation | None) -> Share:
        """The part of A (``None``) or of B turned back from ``o`` that is compared."""
        a, b = self._share_a, self._share_b
        if not self.painted:
            return a if o is None else turned_share(b, o.inverse)
        return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])

    def describe_a(self, index: npt.NDArray[np.intp]) -> F32:
        """Descriptors of A's thumbnails."""
        return self._described(None, index)

    def describe_b(self, o: Orientation) -> Describe:
        """Descriptors of B's thumbnails, turned back from ``o``."""
        return lambda index: self._described(o, index)

    def _described(self, o: Orientation | None, index: npt.NDArray[np.intp]) -> F32:
        thumbs = (self.a if o is None else self.b).thumbs
        if len(thumbs.times) > KEPT_DESCRIPTORS:
            return self._describe(o, thumbs.pictures[index])
        static = self._static[o]
        kept = self._kept.get(o)
        # What is static depends on the step of the cells, so it may have changed since.
        if kept is None or kept[0] is not static:
            kept = static, self._describe(o, thumbs.pictures)
            self._kept[o] = kept
        return kept[1][index]

    def _describe(self, o: Orientation | None, pictures: U8) -> F32:
        parts = [
            normalise(self._look(pictures[i : i + AT_ONCE].astype(np.float32), o), self._static[o])
            for i in range(0, max(1, len(pictures)), AT_ONCE)
        ]
        return np.concatenate(parts)


def active_share(survey: Survey) -> Share:
    """Left, top, right, bottom of the picture inside its bars, as shares of the display area."""
    media = survey.media
    width, height = media.display_width or 1, media.display_height or 1
    left, top, right, bottom = media.bars
    return left / width, top / height, 1 - right / width, 1 - bottom / height


def turned_share(share: Share, o: Orientation) -> Share:
    """``share`` of a picture after the picture was turned by ``o``."""
    left, top, right, bottom = share
    if o.mirror == "horizontal":
        left, right = 1 - right, 1 - left
    elif o.mirror == "vertical":
        top, bottom = 1 - bottom, 1 - top
    for _ in range(o.quarter_turns):
        left, top, right, bottom = 1 - bottom, left, 1 - top, right
    return left, top, right, bottom
