"""Gradual transitions: dissolves and fades, from luma thumbnails of every frame.

A dissolve is the one change in which each picture is a blend of the one before and the one after:
a moving camera or subject shows, half way, something that is in neither. A fade leads to or from
a picture without structure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from triptych.measure.survey import Thumbs
from triptych.media.frame import U8

F64 = npt.NDArray[np.float64]
F32 = npt.NDArray[np.float32]

#: Cells a side that thumbnails are averaged to: coarse, so that noise and small motion vanish.
CELLS = 16
#: Half lengths of dissolves looked for, seconds.
HALVES_S = (0.15, 0.25, 0.4, 0.6, 0.9, 1.3)
#: Least RMS difference of both ends, levels, least median of the cells' differences, and greatest
#: correlation of the ends.
DIFFERENCE, EVERYWHERE, ALIKE = 12.0, 6.0, 0.75
#: Greatest median of what a blend leaves unexplained in a cell, over that of the differences:
#: things that move meanwhile spoil some cells, a moving camera all. Dissolves of five clips, one
#: between scenes half covered by moving things: 0.007 to 0.07. Ten clips without: 0.154 and more.
UNEXPLAINED = 0.11
#: A side of a dissolve moves at most this share of the whole change in a third of its length.
STEADY = 0.35
#: Change from one frame to the next (see :func:`change_over`) that is a cut. Cuts of five clips:
#: 0.93 and more. What the detector took for one where the camera jerks by 1 % of the width: up to
#: 0.46; where frames are missing from a fast pan: 0.51 to 0.84.
OTHER_SHOT = 0.7
#: A picture is flat below this spread of its cells, levels; a fade comes from at least so much.
FLAT, STRUCTURE = 3.0, 9.0
#: A caption that stays on black: below this spread, and below a third of the picture's.
NEARLY_FLAT = 8.0
#: Shortest and longest way to or from flat, seconds, and the fewest frames on it.
SHORTEST_S, LONGEST_S, FEWEST = 0.12, 4.0, 3


@dataclass(frozen=True, slots=True)
class Gradual:
    """A transition from ``start`` to ``end``, seconds."""

    kind: Literal["dissolve", "fade"]
    start: float
    end: float


def gradual(times: F64, pictures: U8, cuts: Sequence[float]) -> list[Gradual]:
    """Fades and dissolves. ``times`` (n,), seconds; ``pictures`` (n, s, s); hard ``cuts``, s."""
    if len(times) < 2 * FEWEST:
        return []
    x = _coarse(pictures)
    fades = _fades(times, x, cuts)
    found = list(fades)
    for d in _dissolves(times, x):
        cut = any(_is_cut(times, x, c) and d.start < c < d.end for c in cuts)
        if not cut and not any(d.start < f.end and f.start < d.end for f in fades):
            found.append(d)
    return _joined(times, x, sorted(found, key=lambda g: g.start), cuts)


def _joined(times: F64, x: F32, found: Sequence[Gradual], cuts: Sequence[float]) -> list[Gradual]:
    """The way into a still, nearly flat picture and the one out of it are one fade."""
    out: list[Gradual] = []
    joined = -1
    for g in found:
        before = out[-1] if out else None
        if before is not None and before.kind == g.kind == "fade" and joined != len(out) - 1:
            i, j = np.searchsorted(times, [before.end, g.start - 1e-6])
            between = x[i : max(j, i + 1)]
            empty = between.std(axis=1).max() < NEARLY_FLAT
            still = _rms(between[0] - between[-1]) < FLAT
            cut = any(before.end <= c <= g.start and _is_cut(times, x, c) for c in cuts)
            if empty and still and not cut:
                out[-1] = Gradual("fade", before.start, g.end)
                joined = len(out) - 1
                continue
        out.append(g)
    return out


def change_over(thumbs: Thumbs, start: float, end: float) -> float:
    """How far the pictures at ``start`` and ``end``, seconds, lie apart whatever the light.

    RMS difference of both brought to mean 0 and spread 1: 0 for the same, 1.4 for two that have
    nothing in common.
    """
    i, j = _first_last(thumbs, start, end)
    a, b = (_even(x) for x in _coarse(thumbs.pictures[[i, j]]))
    return float(_rms(b - a))


def is_other_shot(thumbs: Thumbs, cut: float) -> bool:
    """Whether the picture from ``cut`` (s) on is another, not the one before jerked or lit."""
    i = int(np.searchsorted(thumbs.times, cut - 1e-6))
    if not 0 < i < len(thumbs.times):
        return False
    x = _coarse(thumbs.pictures[[i - 1, i]])
    if x.std(axis=1).min() < FLAT:
        return bool(_rms(x[1] - x[0]) > DIFFERENCE)
    return float(_rms(_even(x[1]) - _even(x[0]))) > OTHER_SHOT


def sudden_share(thumbs: Thumbs, start: float, end: float) -> float:
    """Share of the change from ``start`` to ``end``, seconds, that the greatest step makes up."""
    i, j = _first_last(thumbs, start, end)
    x = _coarse(thumbs.pictures[i : j + 1])
    whole = float(_rms(x[-1] - x[0]))
    return float(_rms(np.diff(x, axis=0)).max() / whole) if len(x) > 1 and whole > 0 else 0.0


def _first_last(thumbs: Thumbs, start: float, end: float) -> tuple[int, int]:
    """Indices of the last picture until ``start`` and of the first from ``end`` on."""
    i = int(np.searchsorted(thumbs.times, start + 1e-6)) - 1
    j = int(np.searchsorted(thumbs.times, end - 1e-6))
    return max(i, 0), min(j, len(thumbs.times) - 1)


def _even(x: F32) -> F32:
    out: F32 = (x - x.mean()) / max(float(x.std()), FLAT)
    return out


def _coarse(pictures: U8) -> F32:
    n, height, width = pictures.shape
    step = height // CELLS, width // CELLS
    whole = pictures[:, : step[0] * CELLS, : step[1] * CELLS]
    blocks = whole.reshape(n, CELLS, step[0], CELLS, step[1])
    out: F32 = blocks.mean(axis=(2, 4), dtype=np.float32).reshape(n, -1)
    return out


def _rms(x: F32) -> F64:
    return np.asarray(np.sqrt((x * x).mean(axis=-1)), np.float64)


def _middle(x: F32) -> F64:
    return np.asarray(np.median(np.abs(x), axis=-1), np.float64)


def _is_cut(times: F64, x: F32, cut: float) -> bool:
    """Whether most of the change about ``cut`` comes with a single frame."""
    i = int(np.searchsorted(times, cut - 1e-6))
    if not 0 < i < len(x):
        return False
    low, high = np.searchsorted(times, [cut - 0.4, cut + 0.4])
    low, high = min(low, i - 1), max(min(high, len(x) - 1), i)
    whole = float(_rms(x[high] - x[low]))
    return bool(float(_rms(x[i] - x[i - 1])) > 0.6 * whole)


def _dissolves(times: F64, x: F32) -> list[Gradual]:
    """Windows in which each picture is a blend of both ends, the clearest first."""
    candidates: list[tuple[float, int, int]] = []
    spread = x - x.mean(axis=1, keepdims=True)
    norm = np.sqrt((spread * spread).sum(axis=1)) + 1e-3
    for half in HALVES_S:
        left = np.searchsorted(times, times - half + 1e-6)
        right = np.searchsorted(times, times + half - 1e-6)
        inside = (times - half >= times[0] - 1e-6) & (times + half <= times[-1] + 1e-6)
        i = np.flatnonzero(inside & (right < len(times)))
        if len(i) == 0:
            continue
        a, b = left[i], right[i]
        i, a, b = (k[(b - a) >= 2 * FEWEST] for k in (i, a, b))
        if len(i) == 0:
            continue
        size = _rms(x[b] - x[a])
        alike = (spread[a] * spread[b]).sum(axis=1) / (norm[a] * norm[b])
        share = ((times[i] - times[a]) / (times[b] - times[a])).astype(np.float32)[:, None]
        # Medians are slow, and most windows are no candidates anyway.
        k = np.flatnonzero((size > DIFFERENCE) & (alike < ALIKE))
        i, a, b, size, share = i[k], a[k], b[k], size[k], share[k]
        most = _middle(x[b] - x[a])
        rest = _middle(x[i] - (1 - share) * x[a] - share * x[b])
        good = (most > EVERYWHERE) & (rest < UNEXPLAINED * most)
        candidates += [
            (float(rest[k] - size[k]), int(a[k]), int(b[k])) for k in np.flatnonzero(good)
        ]
    chosen: list[Gradual] = []
    for _, first, last in sorted(candidates):
        if any(times[first] < c.end and c.start < times[last] for c in chosen):
            continue
        d = _dissolve(times, x, first, last)
        if d is not None and not any(d.start < c.end and c.start < d.end for c in chosen):
            chosen.append(d)
    return chosen


def _dissolve(times: F64, x: F32, a: int, b: int) -> Gradual | None:
    """The dissolve that the window from ``a`` to ``b`` lies in or holds, if it is one."""
    way = x[b] - x[a]
    length = float(way @ way)
    span = times[b] - times[a]
    low, high = np.searchsorted(times, [times[a] - span, times[b] + span])
    index = np.arange(low, high)
    p = ((x[index] - x[a]) @ way) / length
    inner = (index >= a) & (index <= b)
    rest = _middle(x[index] - x[a] - p[:, None].astype(np.float32) * way)
    if rest[inner].max() > UNEXPLAINED * _middle(way) or np.diff(p[inner]).min() < -0.1:
        return None
    rising = inner & (p > 0.15) & (p < 0.85)
    if rising.sum() < FEWEST:
        return None
    slope, offset = np.polyfit(times[index][rising], p[rising], 1)
    # A straight rise: a cut, a flash or a jerk is none.
    if slope <= 0 or np.abs(np.diff(p[inner])).max() > 0.4:
        return None
    start, end = float(-offset / slope), float((1 - offset) / slope)
    if end - start > 1.3 * span or end - start < 2 * SHORTEST_S:
        return None
    before = index[(times[index] <= start) & (times[index] >= start - (end - start) / 3)]
    after = index[(times[index] >= end) & (times[index] <= end + (end - start) / 3)]
    for side in (before, after):
        if len(side) < 2 or _rms(x[side[-1]] - x[side[0]]) > STEADY * np.sqrt(length / len(way)):
            return None
    i, j = np.searchsorted(times, [start, end])
    ends = sorted(float(x[min(k, len(x) - 1)].std()) for k in (i, j))
    empty = ends[0] < FLAT or (ends[0] < NEARLY_FLAT and ends[0] < 0.3 * ends[1])
    kind: Literal["dissolve", "fade"] = "fade" if empty else "dissolve"
    return Gradual(kind, max(start, float(times[0])), min(end, float(times[-1])))


def _fades(times: F64, x: F32, cuts: Sequence[float]) -> list[Gradual]:
    """Ways into and out of runs of flat pictures."""
    spread = x.std(axis=1).astype(np.float64)
    flat = spread < FLAT
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flat.astype(np.int8), [0]])))
    found = []
    for first, stop in zip(edges[::2], edges[1::2], strict=True):
        first, last = int(first), int(stop) - 1
        start = _way(times, x, spread, first, -1)
        end = _way(times, x, spread, last, 1)
        if start is None and end is None:
            continue
        # What comes or goes at once is a cut; the fade is then only the other way.
        begin = last if start is None else start
        stop_at = first if end is None else end
        found.append(Gradual("fade", float(times[begin]), float(times[stop_at])))
    return found


def _way(times: F64, x: F32, spread: F64, flat: int, step: int) -> int | None:
    """Where the picture has its full structure, going from ``flat`` by ``step``.

    ``None`` when it gets it at once, or never.
    """
    i = flat
    while 0 <= i + step < len(x) and abs(times[i + step] - times[flat]) <= LONGEST_S:
        # Over a few frames: single ones may be repeated.
        ahead = spread[min(max(i + step * 3, 0), len(x) - 1)]
        if max(spread[i + step], ahead) <= spread[i] * 1.02 + 0.02:
            break
        i += step
    if spread[i] < STRUCTURE or abs(times[i] - times[flat]) < SHORTEST_S or abs(i - flat) < FEWEST:
        return None
    # The same picture all the way, only with more of its contrast; and no one step makes it up.
    path = np.arange(flat, i + step, step)
    if np.abs(np.diff(spread[path])).max() > 0.6 * spread[i]:
        return None
    middle = path[np.argmin(np.abs(spread[path] - spread[i] / 2))]
    if float(np.corrcoef(x[middle], x[i])[0, 1]) < 0.7:
        return None
    return int(i)
