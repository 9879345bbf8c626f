"""Alignment of long videos: windows of B are looked for in all of A.

A matrix of all moments of three hours against three hours does not fit in memory and need not
exist: B's windows are compared with A one after the other. A few windows spread over B settle
orientation, direction and speed; then every window finds its place, a path over the windows
settles which places belong together, and where the path jumps the edge is found cell by cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from triptych.measure.descriptors import F32, ORIENTATIONS, Orientation
from triptych.measure.survey import F64
from triptych.measure.timemap import Piece

#: Seconds per cell at least, cells of a video at most, seconds and cells of a window.
LONG_CELL_S = 0.2
LONG_CELLS = 27_000
WINDOW_S = 24.0
WINDOW_CELLS = (30, 100)
#: Windows that settle orientation and speed, at least; how many in the length of A, so that one
#: lies in it where A is a short part of B; and how many of the best count.
PROBES, PROBES_IN_A, BEST_PROBES = 14, 2.5, 7
#: Speeds tried; 25/24 and 24/25 are film shown as PAL television and back.
SPEEDS = (0.25, 0.5, 0.67, 0.8, 0.9, 0.96, 1.0, 25 / 24, 1.1, 1.25, 1.5, 2.0, 4.0)
#: Principal components kept of the descriptors: 48 hold over 95 % of a feature film's variance.
COMPONENTS = 48
#: What a jump between windows costs, and what a window is worth that shows nothing of A, in mean
#: similarity of a window.
JUMP, NOTHING = 0.25, 0.45
#: Places kept of each window.
PLACES = 4
#: Cells by which neighbouring windows may be off one line.
LOOSE = 2.5


@dataclass(frozen=True, slots=True)
class Found:
    """Rough pieces, and the mean similarity of the chosen hypothesis and of the best other."""

    pieces: list[Piece]
    speed: float
    orientation: Orientation
    similarity: float
    runner_up: float
    other_orientation: float


@dataclass(frozen=True, slots=True)
class _Place:
    """Cell of A that a window's first cell shows, and the mean similarity there."""

    cell: int
    score: float


def cell_length(longest: float) -> float:
    """Seconds per cell for videos of up to ``longest`` seconds."""
    return max(LONG_CELL_S, longest / LONG_CELLS)


def align_long(of_a: F32, of_b: dict[Orientation, F32], step: float) -> Found:
    """Align cells of A (n, k) with cells of B, given for each orientation that may hold.

    Both are projected on the same :func:`principal_directions`.
    """
    a, b = of_a, of_b
    nb = len(next(iter(b.values())))
    length = int(np.clip(round(WINDOW_S / step), *WINDOW_CELLS))
    length = max(1, min(length, nb, max(2, len(a) // 4)))
    starts = list(range(0, nb - length + 1, length))
    count = max(PROBES, int(np.ceil(PROBES_IN_A * nb / len(a))))
    probes = [starts[i] for i in np.unique(np.linspace(0, len(starts) - 1, count).astype(int))]
    rated: list[tuple[float, Orientation, float]] = []
    for o in ORIENTATIONS:
        if o not in b:
            continue
        tops = np.empty((2 * len(SPEEDS), len(probes)))
        for i, s in enumerate(probes):
            similar = a @ b[o][s : s + length].T
            for k, speed in enumerate((*SPEEDS, *(-x for x in SPEEDS))):
                tops[k, i] = float(_along(similar, speed).max(initial=-1.0))
        best_of = np.sort(tops, axis=1)[:, -BEST_PROBES:].mean(axis=1)
        for k, speed in enumerate((*SPEEDS, *(-x for x in SPEEDS))):
            rated.append((float(best_of[k]), o, speed))
    # Ties go to the plainer: orientations and speeds are listed plainest first but for speed.
    best = max(
        rated, key=lambda r: (round(r[0], 2), r[1] == Orientation(), -abs(np.log(abs(r[2]))))
    )
    others = [r for r in rated if r[1] != best[1] or r[2] * best[2] < 0]
    turned = [r for r in rated if r[1] != best[1]]
    speed = _exact_speed(a, b[best[1]], probes, length, best[2])
    pieces = _pieces(a, b[best[1]], starts, length, speed, step, best[1])
    return Found(
        pieces=pieces,
        speed=speed,
        orientation=best[1],
        similarity=best[0],
        runner_up=max((r[0] for r in others), default=0.0),
        other_orientation=max((r[0] for r in turned), default=0.0),
    )


def principal_directions(x: F32) -> F32:
    """The COMPONENTS directions (d, k) that hold most of the rows of ``x`` (n, d)."""
    wide = x.astype(np.float64)
    _, vectors = np.linalg.eigh(wide.T @ wide)
    return np.asarray(vectors[:, -COMPONENTS:], np.float32)


def _along(similar: F32, speed: float) -> F32:
    """Mean similarity of a window (columns) laid along A (rows) from each of A's cells."""
    na, length = similar.shape
    shift = np.round(np.arange(length) * speed).astype(np.intp)
    low, high = int(shift.min()), int(shift.max())
    n = na - (high - low)
    if n <= 0:
        return np.full(1, -1.0, np.float32)
    total = np.zeros(n, np.float32)
    for j, s in enumerate(shift - low):
        total += similar[s : s + n, j]
    return np.asarray(total / length, np.float32)


def _first_cell(index: int, speed: float, length: int) -> int:
    """A's cell of a window's first cell, from the index that :func:`_along` uses."""
    return index - int(np.round(np.arange(length) * speed).min())


def _exact_speed(a: F32, b: F32, probes: Sequence[int], length: int, speed: float) -> float:
    """The slope through the probes' places, where enough of them agree on one."""
    cells = []
    for s in probes:
        along = _along(a @ b[s : s + length].T, speed)
        cells.append(_first_cell(int(along.argmax()), speed, length))
    x, y = np.array(probes, np.float64), np.array(cells, np.float64)
    slopes = [
        (y[j] - y[i]) / (x[j] - x[i]) for i in range(len(x)) for j in range(i) if x[i] != x[j]
    ]
    near = [s for s in slopes if abs(s / speed - 1) < 0.06]
    if len(near) < max(2, len(slopes) / 4):
        return speed
    return float(np.median(near))


def _places(a: F32, window: F32, speed: float) -> list[_Place]:
    """The best places of a window in A, apart from each other."""
    length = len(window)
    along = _along(a @ window.T, speed).copy()
    out = []
    for _ in range(PLACES):
        i = int(along.argmax())
        if along[i] < 0.2:
            break
        out.append(_Place(_first_cell(i, speed, length), float(along[i])))
        along[max(0, i - length // 3) : i + length // 3 + 1] = -1
    return out


def _score_at(a: F32, window: F32, speed: float, cell: int) -> _Place | None:
    """The window's best similarity within a cell of a given place."""
    best: _Place | None = None
    for c in (cell - 1, cell, cell + 1):
        rows = c + np.round(np.arange(len(window)) * speed).astype(np.intp)
        inside = (rows >= 0) & (rows < len(a))
        if inside.mean() < 0.7:
            continue
        score = float((a[rows[inside]] * window[inside]).sum()) / len(window)
        if best is None or score > best.score:
            best = _Place(c, score)
    return best


def _pieces(
    a: F32,
    b: F32,
    starts: Sequence[int],
    length: int,
    speed: float,
    step: float,
    o: Orientation,
) -> list[Piece]:
    windows = [b[s : s + length] for s in starts]
    options: list[list[_Place]] = []
    offset: float | None = None
    for s, window in zip(starts, windows, strict=True):
        found = _places(a, window, speed)
        if offset is not None:  # where the line so far would go on
            expected = _score_at(a, window, speed, round(offset + s * speed))
            if expected is not None and all(p.cell != expected.cell for p in found):
                found.append(expected)
        if found:
            offset = max(found, key=lambda p: p.score).cell - s * speed
        options.append(found)
    runs = _runs(options, starts, speed)
    lines = [
        (first, last, float(np.median([p.cell - starts[k] * speed for k, p in run])))
        for run in runs
        for first, last in [(run[0][0], run[-1][0])]
    ]
    edges = _edges(a, b, lines, starts, length, speed)
    out = []
    for (_, _, line), (begin, end) in zip(lines, edges, strict=True):
        first, last = sorted((line + begin * speed, line + end * speed))
        first, last = max(first, 0.0), min(last, float(len(a)))
        if last - first <= 1:
            continue
        slope = 1 / speed
        # Cell middles correspond: B's cell j + 0.5 shows A's cell line + j * speed + 0.5.
        b_at = ((first - 0.5 - line) * slope + 0.5) * step
        out.append(Piece(first * step, last * step, b_at, slope, o.mirror, o.quarter_turns))
    return out


def _runs(
    options: Sequence[Sequence[_Place]], starts: Sequence[int], speed: float
) -> list[list[tuple[int, _Place]]]:
    """The best path over the windows' places, cut where it jumps; None is a place as well."""
    states: list[list[_Place | None]] = [[None, *o] for o in options]
    value = np.array([0.0 if p is None else p.score - NOTHING for p in states[0]])
    back: list[npt.NDArray[np.intp]] = []
    for k in range(1, len(states)):
        new = np.empty(len(states[k]))
        came: npt.NDArray[np.intp] = np.empty(len(states[k]), np.intp)
        for i, place in enumerate(states[k]):
            costs = [
                value[j]
                - (0.0 if _follows(before, place, starts[k] - starts[k - 1], speed) else JUMP)
                for j, before in enumerate(states[k - 1])
            ]
            came[i] = int(np.argmax(costs))
            new[i] = costs[came[i]] + (0.0 if place is None else place.score - NOTHING)
        value = new
        back.append(came)
    path = [int(np.argmax(value))]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    runs: list[list[tuple[int, _Place]]] = []
    previous: _Place | None = None
    for k, i in enumerate(reversed(path)):
        place = states[k][i]
        if place is not None:
            if previous is not None and _follows(previous, place, starts[k] - starts[k - 1], speed):
                runs[-1].append((k, place))
            else:
                runs.append([(k, place)])
        previous = place
    return runs


def _follows(before: _Place | None, after: _Place | None, cells: int, speed: float) -> bool:
    if before is None or after is None:
        return before is after
    return abs(after.cell - before.cell - cells * speed) <= LOOSE


def _edges(
    a: F32,
    b: F32,
    lines: Sequence[tuple[int, int, float]],
    starts: Sequence[int],
    length: int,
    speed: float,
) -> list[tuple[int, int]]:
    """First and last (exclusive) cell of B on each line, found cell by cell between windows."""
    out: list[tuple[int, int]] = []
    for i, (first, last, line) in enumerate(lines):
        begin = 0
        if i > 0:
            before = lines[i - 1]
            # Between the middle of the last window before and that of the first one of this line.
            low = starts[before[1]] + length // 2
            high = starts[first] + length // 2
            own, other = _on(a, b, line, speed, low, high), _on(a, b, before[2], speed, low, high)
            stop, begin = _handover(other, own)
            stop, begin = low + stop, low + begin
            out[-1] = (out[-1][0], stop)
        else:
            own = _on(a, b, line, speed, 0, starts[first] + length // 2)
            _, begin = _handover(np.full(len(own), -1.0), own)
        end = len(b)
        if i == len(lines) - 1:
            low = starts[last] + length // 2
            own = _on(a, b, line, speed, low, len(b))
            stop, _ = _handover(own, np.full(len(own), -1.0))
            end = low + stop
        out.append((begin, end))
    return out


def _on(a: F32, b: F32, line: float, speed: float, low: int, high: int) -> F64:
    """Similarity of B's cells ``low`` to ``high`` with where the line puts them in A."""
    j = np.arange(low, high)
    rows = np.round(line + j * speed).astype(np.intp)
    inside = (rows >= 0) & (rows < len(a))
    score = (a[np.clip(rows, 0, len(a) - 1)] * b[low:high]).sum(axis=1)
    return np.where(inside, score, -1.0).astype(np.float64)


def _handover(first: F64, second: F64) -> tuple[int, int]:
    """Where ``first`` ends and ``second`` begins so that the most similarity is covered."""
    gain_first = np.concatenate([[0.0], np.cumsum(first - NOTHING)])
    after = (second - NOTHING)[::-1]
    gain_second = np.concatenate([[0.0], np.cumsum(after)])[::-1]
    # best end of first at or before each cell
    best_value = np.maximum.accumulate(gain_first)
    begin = int(np.argmax(best_value + gain_second))
    return int(np.argmax(gain_first[: begin + 1])), begin
