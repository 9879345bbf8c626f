"""Straight-line hypotheses: B shows A at one signed speed, one orientation and one offset.

Every line t_b = t_a / speed + c on the matrix of similarities between moments of A and of B is
scored by what lies on it (Hough voting, as in the temporal alignment baselines of VCSL,
arXiv 2203.02654, section 5, extended to signed speeds and orientations).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from triptych.measure.descriptors import F32, Orientation
from triptych.measure.survey import F64

Index = npt.NDArray[np.intp]

#: Speeds from a quarter to four times, 8 % apart: 1.0 is among them. Over a line of 12 s the
#: worst misfit is a quarter of a second at the ends, which the next, finer pass takes up.
COARSE_SPEEDS = tuple(float(s) for s in 2.0 ** (np.arange(-18, 19) / 9.0))
#: The finer speeds tried around a coarse one.
FINE_FACTORS = tuple(float(f) for f in 2.0 ** (np.arange(-8, 9) / 72.0))
#: A line shorter than this is drawn towards the background's score: short lines fit by chance.
SHRINK_S = 1.0
#: Hypotheses whose ratings are this close (share of the best) are not told apart by the picture.
#: Nor those that are this close: of a still picture every line rates nothing, and what is left
#: is rounding.
TIE, TIE_LEAST = 0.01, 0.005
#: Cells by which a line may miss a known offset.
OFFSET_CELLS = 1.0


@dataclass(frozen=True, slots=True)
class Line:
    """A hypothesis. ``speed`` is signed (negative: backwards); ``offset`` is B's cell for A's 0.

    ``rating`` ranks hypotheses: how far the mean similarity on the line exceeds the background,
    shrunk for short lines. ``similarity`` is the plain mean on the line, -1 to 1; ``length`` the
    number of A's cells on it.
    """

    orientation: Orientation
    speed: float
    offset: float
    rating: float
    similarity: float
    length: int


@lru_cache(maxsize=256)
def _diagonals(na: int, nb: int, speed: float) -> tuple[Index, int, F64]:
    """The line of each entry of a flat (na, nb) matrix, the first line's offset, their lengths."""
    # Cells stand for their middles: B's middle of A's cell i is at (i + 0.5) / speed.
    position = np.round((np.arange(na) + 0.5) / speed - 0.5).astype(np.intp)
    offset = np.arange(nb)[None, :] - position[:, None]
    low = int(offset.min())
    index = (offset - low).ravel()
    return index, low, np.bincount(index).astype(np.float64)


def best_offset(
    similarity: F32,
    o: Orientation,
    speed: float,
    step: float,
    background: float,
    offset_s: float | None = None,
) -> Line:
    """The best line of one signed speed on ``similarity`` (cells of A, cells of B).

    With ``offset_s``, the time in B of A's moment 0, only lines through it are looked at. The
    rating is minus infinity where A and B have too little in common along any of them.
    """
    na, nb = similarity.shape
    index, low, count = _diagonals(na, nb, speed)
    total = np.bincount(index, weights=similarity.ravel(), minlength=len(count))
    shrink = SHRINK_S / step
    rating = (total - background * count) / (count + shrink)
    rating[count * step < min(0.5, 0.5 * min(na, nb / abs(speed)) * step)] = -np.inf
    if offset_s is not None:
        wanted = offset_s / step - 0.5 + 0.5 / speed
        rating[np.abs(np.arange(len(rating)) + low - wanted) > OFFSET_CELLS] = -np.inf
    best = int(np.argmax(rating))
    return Line(
        orientation=o,
        speed=speed,
        offset=float(best + low),
        rating=float(rating[best]),
        similarity=float(total[best] / max(count[best], 1)),
        length=int(count[best]),
    )


def background_of(matrices: Mapping[Orientation, F32]) -> float:
    """The similarity of moments that do not correspond: the mean over the best orientation."""
    return max(float(m.mean()) for m in matrices.values())


def find_lines(
    matrices: Mapping[Orientation, F32],
    step: float,
    speeds: Iterable[float] = COARSE_SPEEDS,
    fine: int = 3,
    offset_s: float | None = None,
) -> list[Line]:
    """The best line of each orientation, direction and speed, best first.

    ``matrices`` maps an orientation to similarities (cells of A, cells of B) at ``step`` seconds.
    The ``fine`` best are tried again at finer speeds. ``offset_s``: see :func:`best_offset`.
    """
    background = background_of(matrices)
    speeds = tuple(speeds)
    signed = [*speeds, *(-s for s in speeds)]
    lines = [
        best_offset(m, o, s, step, background, offset_s)
        for o, m in matrices.items()
        for s in signed
    ]
    lines.sort(key=_rank)
    finer: list[Line] = []
    for line in lines[:fine]:
        matrix = matrices[line.orientation]
        finer += [
            best_offset(matrix, line.orientation, line.speed * f, step, background, offset_s)
            for f in FINE_FACTORS
            if f != 1.0
        ]
    return sorted([*lines, *finer], key=_rank)


def _rank(line: Line) -> float:
    return -line.rating


def _plainness(line: Line) -> tuple[int, bool, float]:
    turned = 2 * (line.orientation.quarter_turns != 0) + (line.orientation.mirror != "none")
    return turned, line.speed < 0, abs(math.log(abs(line.speed)))


def choose(lines: Sequence[Line]) -> Line:
    """The best line; of those that are as good (TIE) the plainest.

    A still picture fits every speed and both directions: then forward at normal speed is said.
    """
    best = lines[0].rating
    near = max(TIE * abs(best), TIE_LEAST)
    return min((x for x in lines if x.rating >= best - near), key=_plainness)


def contradicts(a: Line, b: Line) -> bool:
    """Whether two lines cannot both be right: orientation, direction or speed (by 10 %) differ."""
    return (
        a.orientation != b.orientation
        or (a.speed < 0) != (b.speed < 0)
        or abs(math.log(abs(a.speed / b.speed))) > 0.1
    )
