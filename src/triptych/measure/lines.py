"""Straight-line hypotheses: B shows A at one signed speed, one orientation and one offset.

Every line t_b = t_a / speed + c on the matrix of similarities between moments of A and of B is
scored by what lies on it (Hough voting, as in the temporal alignment baselines of VCSL,
arXiv 2203.02654, section 5, extended to signed speeds and orientations).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from triptych.measure.descriptors import F32, Orientation
from triptych.measure.survey import F64

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


def best_offsets(
    orientations: Sequence[Orientation],
    similarities: F64,
    speed: float,
    step: float,
    background: float,
    offset_s: float | None = None,
) -> list[Line]:
    """The best line of one signed speed in each orientation.

    ``similarities``: (cells of A, cells of B, orientations). With ``offset_s``, the time in B of
    A's moment 0, only lines through it are looked at. The rating is minus infinity where A and B
    have too little in common along any.
    """
    na, nb, k = similarities.shape
    # Cells stand for their middles: B's middle of A's cell i is at (i + 0.5) / speed.
    position = np.round((np.arange(na) + 0.5) / speed - 0.5).astype(np.intp)
    low = -int(position.max())
    # Where in the line of offset ``low`` and those that follow it A's cells have B's first.
    first = -position - low
    flat = np.zeros((int(first.max()) + nb) * k)
    # Whole rows shifted onto each other: several times as fast as counting entry by entry.
    for row, start in zip(similarities.reshape(na, -1), (first * k).tolist(), strict=True):
        part = flat[start : start + nb * k]
        np.add(part, row, out=part)
    total = flat.reshape(-1, k)
    begun = np.bincount(first, minlength=len(total))
    ended = np.bincount(first + nb, minlength=len(total))[: len(total)]
    count = np.cumsum(begun - ended).astype(np.float64)[:, None]
    rating = (total - background * count) / (count + SHRINK_S / step)
    rating[count[:, 0] * step < min(0.5, 0.5 * min(na, nb / abs(speed)) * step)] = -np.inf
    if offset_s is not None:
        wanted = offset_s / step - 0.5 + 0.5 / speed
        rating[np.abs(np.arange(len(total)) + low - wanted) > OFFSET_CELLS] = -np.inf
    return [
        Line(
            orientation=o,
            speed=speed,
            offset=float(at + low),
            rating=float(rating[at, i]),
            similarity=float(total[at, i] / max(count[at, 0], 1)),
            length=int(count[at, 0]),
        )
        for i, (o, at) in enumerate(zip(orientations, rating.argmax(0).tolist(), strict=True))
    ]


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
    The ``fine`` best are tried again at finer speeds. ``offset_s``: see :func:`best_offsets`.
    """
    background = background_of(matrices)
    names = list(matrices)
    # Orientations side by side, in the precision that sums are taken in.
    stack = np.stack(list(matrices.values()), axis=2).astype(np.float64)
    speeds = tuple(speeds)
    by_speed = [
        best_offsets(names, stack, s, step, background, offset_s)
        for s in [*speeds, *(-s for s in speeds)]
    ]
    lines = sorted((line for same in zip(*by_speed, strict=True) for line in same), key=_rank)
    finer: list[Line] = []
    for line in lines[:fine]:
        i = names.index(line.orientation)
        alone = np.ascontiguousarray(stack[:, :, i : i + 1])
        for f in FINE_FACTORS:
            if f != 1.0:
                finer += best_offsets([names[i]], alone, line.speed * f, step, background, offset_s)
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
