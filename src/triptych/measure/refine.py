"""The exact line through matched moments: speed and offset to a fraction of a frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.descriptors import F32
from triptych.measure.survey import F64, Thumbs

#: Moments of A that are looked for in B, at most.
ANCHORS = 160
#: Thumbnails whose change is measured at a time.
CHUNK = 4096
#: Frames of A on either side that are looked for together with an anchor: the frame beside a cut
#: is like all others of its shot, with its neighbour it is like no other.
CONTEXT = 1
#: Similarity must fall on both sides of a peak: the lesser fall is at least this share of the
#: greater. Where it falls on one side only, the peak is the edge of a still stretch.
BOTH_SIDES = 0.1
#: An anchor counts for at most this many times the typical weight.
MOST_WEIGHT = 4.0
#: Frames at either edge of a stretch that are not looked for, where it has enough others.
EDGE_FRAMES = 2
#: Rounds of re-fitting around the line found last.
ROUNDS = 3
#: Frames of B by which the line may still move in a round without another one after it.
SETTLED = 0.05
#: The interval is this many standard errors either way. Residuals of neighbouring anchors are
#: alike, so the plain standard error is too small; see ``diff/thresholds.py``.
WIDTH = 4.0

Index = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Describe = Callable[[Index], F32]


@dataclass(frozen=True, slots=True)
class Fit:
    """t_b = b0 + slope * (t_a - a0); ``error`` is the slope's standard error.

    ``support`` is the number of anchors that say anything (a still picture's do not), and
    ``similarity`` the median similarity at their best match.
    """

    a0: float
    b0: float
    slope: float
    error: float
    support: float
    similarity: float


def fit_line(
    thumbs_a: Thumbs,
    times_b: F64,
    describe_a: Describe,
    describe_b: Describe,
    a_range: tuple[float, float],
    guess: tuple[float, float],
    window: float,
) -> Fit | None:
    """Fit t_b = guess[0] + guess[1] * t_a more exactly over ``a_range``.

    ``describe_*`` return unit descriptors (n, d) of the frames with the given indices.
    ``window`` is how far, in seconds of B, the guess may be off. ``None`` where there are too
    few frames to fit a line to.
    """
    times_a = thumbs_a.times
    inside = np.flatnonzero((times_a >= a_range[0]) & (times_a <= a_range[1]))
    # The frame beside a cut is pulled away from it: what follows in B is not what follows in A.
    if len(inside) >= 3 * EDGE_FRAMES + 3:
        inside = inside[EDGE_FRAMES:-EDGE_FRAMES]
    if len(inside) < 3 or len(times_b) < 3:
        return None
    anchors = _liveliest(thumbs_a, inside)
    ta = times_a[anchors]
    beside = np.clip(anchors[:, None] + np.arange(-CONTEXT, CONTEXT + 1), inside[0], inside[-1])
    da = describe_a(beside.ravel()).reshape(*beside.shape, -1)
    apart = times_a[beside] - ta[:, None]
    gap_b = float(np.median(np.diff(times_b)))
    b0, slope = guess
    fit: Fit | None = None
    for _ in range(ROUNDS):
        reach = max(window, 2.5 * gap_b)
        expected = b0 + slope * ta
        low = np.searchsorted(times_b, expected - reach)
        high = np.searchsorted(times_b, expected + reach, side="right")
        wanted = _union(low, high, len(times_b))
        if len(wanted) < 3:
            return fit
        db = describe_b(wanted)
        similar = np.full((len(ta), int((high - low).max()), da.shape[1]), -np.inf)
        for i, (d, f, n) in enumerate(
            zip(da, np.searchsorted(wanted, low), high - low, strict=True)
        ):
            similar[i, :n] = db[f : f + n] @ d.T
        windows = _Windows(times_b, low, high)
        tb, weight, peak = _peaks(windows, _together(windows, similar, slope * apart))
        result = _robust_line(ta, tb, weight, floor=0.3 * gap_b)
        if result is None:
            return fit
        a0, b_at_a0, slope, error, support = result
        b0 = b_at_a0 - slope * a0
        keep = weight > 0
        fit = Fit(a0, b_at_a0, slope, error, support, float(np.median(peak[keep])))
        # Where nearly the same frames would be looked at again, nearly the same would be found.
        moved = float(np.abs(b0 + slope * ta - expected).max())
        if reach <= 2.5 * gap_b and moved < SETTLED * gap_b:
            break
        window = max(window / 3, 2.5 * gap_b)
    return fit


def _liveliest(thumbs: Thumbs, inside: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Of each of ANCHORS equal parts of ``inside`` the frame that differs most from the one before.

    In a film of still pictures only the cuts tell the time, and evenly spread frames miss them.
    """
    if len(inside) <= ANCHORS:
        return inside
    change = np.empty(len(inside), np.float32)
    for first in range(0, len(inside), CHUNK):
        part = inside[first : first + CHUNK]
        now, before = thumbs.pictures[part], thumbs.pictures[np.maximum(part - 1, 0)]
        change[first : first + CHUNK] = cv2.absdiff(now, before).mean(axis=(1, 2))
    edges = np.linspace(0, len(inside), ANCHORS + 1).round().astype(np.intp)
    return inside[[x + int(np.argmax(change[x:y])) for x, y in pairwise(edges)]]


@dataclass(frozen=True, slots=True)
class _Windows:
    """Frames ``low`` to ``high``, exclusive, of ``times``: one window (n,) for each anchor."""

    times: F64
    low: Index
    high: Index

    def frames(self, width: int) -> tuple[Index, Mask]:
        """Indices (n, width) into ``times``, and which of them lie in their window."""
        index = self.low[:, None] + np.arange(width)
        return np.minimum(index, len(self.times) - 1), index < self.high[:, None]


def _union(low: Index, high: Index, count: int) -> Index:
    """All frames of 0 to ``count`` that lie in a window."""
    steps = np.zeros(count + 1, np.intp)
    np.add.at(steps, low, 1)
    np.add.at(steps, high, -1)
    return np.flatnonzero(np.cumsum(steps[:-1]) > 0)


def _together(windows: _Windows, similar: F64, apart: F64) -> F64:
    """Mean similarity of an anchor and its neighbours, (n, w), if the anchor is at each frame.

    ``similar`` (n, w, k): of neighbour k with each frame of the window; ``apart`` (n, k): how much
    later it is expected, seconds. Between frames straight, beyond the window as at its edge.
    """
    index, inside = windows.frames(similar.shape[1])
    rows = np.arange(len(similar))[:, None]
    last = np.maximum(windows.high - windows.low - 2, 0)[:, None]
    out = np.zeros(index.shape)
    for k in range(similar.shape[2]):
        wanted = windows.times[index] + apart[:, k, None]
        left = np.searchsorted(windows.times, wanted, side="right") - 1 - windows.low[:, None]
        left = np.clip(left, 0, last)
        at = np.minimum(windows.low[:, None] + left, len(windows.times) - 2)
        t0, t1 = windows.times[at], windows.times[at + 1]
        share = np.clip((wanted - t0) / (t1 - t0), 0.0, 1.0)
        right = np.minimum(left + 1, similar.shape[1] - 1)
        with np.errstate(invalid="ignore"):  # windows of one frame, which are left out later
            out += similar[rows, left, k] * (1 - share) + similar[rows, right, k] * share
    return np.where(inside, out / similar.shape[2], -np.inf)


def _peaks(windows: _Windows, similar: F64) -> tuple[F64, F64, F64]:
    """Time, weight and height (n,) of the best matches; weight 0 at a window's edge or where flat.

    ``similar`` (n, w) is minus infinity beyond the window.
    """
    n = windows.high - windows.low
    index, _ = windows.frames(similar.shape[1])
    times, rows = windows.times[index], np.arange(len(similar))
    best = np.argmax(similar, axis=1)
    top, at = similar[rows, best], times[rows, best]
    inner = (n >= 3) & (best > 0) & (best < n - 1)
    rows, best, middle, height = rows[inner], best[inner], at[inner], top[inner]
    x0, x2 = times[rows, best - 1] - middle, times[rows, best + 1] - middle
    y0, y2 = similar[rows, best - 1] - height, similar[rows, best + 1] - height
    # Parabola through (x0, y0), (0, 0), (x2, y2).
    denominator = x0 * x2 * (x0 - x2)
    curve = (y0 * x2 - y2 * x0) / denominator
    tilt = (y2 * x0 * x0 - y0 * x2 * x2) / denominator
    # Two frames to either side: halfway between two frames the nearest two are as good.
    before = similar[rows, np.maximum(best - 2, 0)]
    after = similar[rows, np.minimum(best + 2, n[inner] - 1)]
    left = height - np.minimum(before, height + y0)
    right = height - np.minimum(after, height + y2)
    sharp = (curve < -1e-9) & (np.minimum(left, right) >= BOTH_SIDES * np.maximum(left, right))
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = np.clip(-tilt / (2 * curve), x0 / 2, x2 / 2)
    found = np.flatnonzero(inner)[sharp]
    weight = np.zeros(len(n))
    weight[found] = -curve[sharp]
    at[found] += moved[sharp]
    return at, weight, np.where(n >= 3, top, 0.0)


def _weighted_median(values: F64, weights: F64) -> float:
    order = np.argsort(values)
    summed = np.cumsum(weights[order])
    return float(values[order[int(np.searchsorted(summed, 0.5 * summed[-1]))]])


def _robust_line(
    ta: F64, tb: F64, weight: F64, floor: float
) -> tuple[float, float, float, float, float] | None:
    """Weighted Huber regression: (a0, b at a0, slope, standard error of slope, support)."""
    if np.count_nonzero(weight > 0) < 3:
        return None
    # Typical is the weight that half of all weight lies below: where most anchors stand still,
    # the median is that of noise.
    base = np.minimum(weight, MOST_WEIGHT * _weighted_median(weight, weight))
    w = base.copy()
    slope = b = a0 = 0.0
    residual = np.zeros_like(ta)
    for _ in range(12):
        total = float(w.sum())
        a0, b = float((w * ta).sum() / total), float((w * tb).sum() / total)
        spread = float((w * (ta - a0) ** 2).sum())
        if spread <= 1e-12:
            return None
        slope = float((w * (ta - a0) * (tb - b)).sum() / spread)
        residual = tb - b - slope * (ta - a0)
        scale = max(1.4826 * _weighted_median(np.abs(residual), base), floor)
        w = base * np.minimum(1.0, 1.5 * scale / np.maximum(np.abs(residual), 1e-9)) ** 2
    share = w / w.sum()
    support = 1.0 / float((share**2).sum())
    variance = max(float((share * residual**2).sum()), floor**2 / 3)
    spread = float((share * (ta - a0) ** 2).sum())
    return a0, b, slope, float(np.sqrt(variance / (spread * support))), support
