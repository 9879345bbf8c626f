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
#: The interval is this many standard errors either way. Residuals of neighbouring anchors are
#: alike, so the plain standard error is too small; see ``diff/thresholds.py``.
WIDTH = 4.0

Describe = Callable[[npt.NDArray[np.intp]], F32]


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
        spans = [np.arange(x, y) for x, y in zip(low, high, strict=True)]
        wanted = np.unique(np.concatenate(spans)).astype(np.intp)
        if len(wanted) < 3:
            return fit
        db = describe_b(wanted)
        first = np.searchsorted(wanted, low)
        found = [
            _peak(_together(db[f : f + y - x] @ d.T, times_b[x:y], slope * t), times_b[x:y])
            for d, t, f, x, y in zip(da, apart, first, low, high, strict=True)
        ]
        tb = np.array([f[0] for f in found])
        weight = np.array([f[1] for f in found])
        peak = np.array([f[2] for f in found])
        result = _robust_line(ta, tb, weight, floor=0.3 * gap_b)
        if result is None:
            return fit
        a0, b_at_a0, slope, error, support = result
        b0 = b_at_a0 - slope * a0
        keep = weight > 0
        fit = Fit(a0, b_at_a0, slope, error, support, float(np.median(peak[keep])))
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


def _together(similarity: F32, times: F64, apart: F64) -> F64:
    """Mean similarity of an anchor and its neighbours, (n,), if the anchor is at ``times``.

    ``similarity`` (n, k): of neighbour k with the frame at ``times``; ``apart`` (k,): how much
    later it is expected, seconds.
    """
    if not len(times):
        return np.empty(0)
    out = np.zeros(len(times))
    for t, column in zip(apart, similarity.T, strict=True):
        out += np.interp(times + t, times, column)
    return out / len(apart)


def _peak(similarity: F64, times: F64) -> tuple[float, float, float]:
    """Time, weight and height of the best match; weight 0 at the window's edge or where flat."""
    n = len(similarity)
    if n < 3:
        return 0.0, 0.0, 0.0
    i = int(np.argmax(similarity))
    top = float(similarity[i])
    if i in (0, n - 1):
        return float(times[i]), 0.0, top
    x0, x2 = float(times[i - 1] - times[i]), float(times[i + 1] - times[i])
    y0, y2 = float(similarity[i - 1]) - top, float(similarity[i + 1]) - top
    # Parabola through (x0, y0), (0, 0), (x2, y2).
    denominator = x0 * x2 * (x0 - x2)
    curve = (y0 * x2 - y2 * x0) / denominator
    tilt = (y2 * x0 * x0 - y0 * x2 * x2) / denominator
    if curve >= -1e-9:
        return float(times[i]), 0.0, top
    # Two frames to either side: halfway between two frames the nearest two are as good.
    left = top - float(similarity[max(0, i - 2) : i].min())
    right = top - float(similarity[i + 1 : i + 3].min())
    if min(left, right) < BOTH_SIDES * max(left, right):
        return float(times[i]), 0.0, top
    at = min(max(-tilt / (2 * curve), x0 / 2), x2 / 2)
    return float(times[i]) + at, -curve, top


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
