"""Shake: how unsteadily B's framing sits on A's, over bursts of frames of the same moments.

The camera's own movement is in both and drops out; a made pan, zoom or roll is smooth, so over a
second a parabola takes it away. What is left is jitter that only one of them has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.align import Match
from triptych.measure.camera_drift import Course, good_moments
from triptych.measure.descriptors import Orientation
from triptych.measure.follow import FEWEST, follow
from triptych.measure.register import (
    Transform,
    compose,
    fill_matrix,
    matrix_of,
    orientation_matrix,
)
from triptych.measure.survey import Survey
from triptych.measure.timemap import Piece
from triptych.media.frame import U8

F64 = npt.NDArray[np.float64]
Each = Sequence[tuple[float, float, Transform | None]]

#: Bursts over what matches, samples in each, the fewest that count, and seconds they span.
BURSTS, SAMPLES, ENOUGH, SPAN_S = 3, 8, 6, 1.0
#: Frames of B at most this far from the moment wanted, or all as far from it as each other, in
#: frames.
OFF_FRAMES = 0.2
#: Where B jitters more than this (pixels), neighbours of each of its frames are tried too: the
#: mapping of time may be a frame out, and then a moving camera looks like a shaking one.
TRY_PX, NEIGHBOURS = 0.2, (-1, 1, -2, 2)
#: Registered moments that the smooth course is drawn through, at least.
FEWEST_MOMENTS = 3
#: Spread of corners about their common displacement, pixels, above which a sample is dropped.
SPREAD_PX = 1.5


@dataclass(frozen=True, slots=True)
class Shake:
    """Standard deviation of B's picture on A's, per axis, as a share of the width.

    ``own_a`` and ``own_b`` say how much each jitters against its own smooth course; ``pixels`` is
    the same as ``relative`` in pixels of the analysis picture; ``at`` are moments (A, B).
    """

    relative: float
    pixels: float
    own_a: float
    own_b: float
    bursts: int
    at: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class _Sample:
    i: int
    j: int
    piece: Piece


def shake(match: Match, each: Each, a: Survey, b: Survey) -> Shake | None:
    """Measure it, or ``None`` where too few frames of the same moments can be registered."""
    good = good_moments(each)
    if len(good) < FEWEST_MOMENTS:
        return None
    course = Course(good)
    found: list[tuple[float, list[_Sample]]] = []
    for burst in _bursts(match, a, b):
        jitter = _jitter(burst, course, a, b, ())
        if jitter is not None:
            found.append((jitter, burst))
    if not found:
        return None
    found.sort(key=lambda x: x[0])
    pixels, burst = found[(len(found) - 1) // 2]
    if pixels > TRY_PX:
        again = _jitter(burst, course, a, b, NEIGHBOURS)
        pixels = pixels if again is None else min(pixels, again)
    own_a = _own(a, [s.i for s in burst]) if pixels > TRY_PX else 0.0
    own_b = _own(b, [s.j for s in burst]) if pixels > TRY_PX else 0.0
    moments = [(float(a.stills.times[s.i]), float(b.stills.times[s.j])) for s in burst]
    return Shake(pixels / b.size[0], pixels, own_a, own_b, len(found), moments)


def _bursts(match: Match, a: Survey, b: Survey) -> list[list[_Sample]]:
    """Frames that show the same instants, in windows spread over the matched pieces."""
    pieces = match.timemap.pieces
    total = sum(p.a1 - p.a0 for p in pieces)
    gap = float(np.median(np.diff(b.frame_times))) if len(b.frame_times) > 1 else 0.04
    out = []
    for k in range(BURSTS):
        left = total * (k + 0.5) / BURSTS
        for p in pieces:
            if left <= p.a1 - p.a0:
                out.append(_burst(p, p.a0 + left, match, a, b, gap))
                break
            left -= p.a1 - p.a0
    return [x for x in out if len(x) >= ENOUGH]


def _burst(
    p: Piece, middle: float, match: Match, a: Survey, b: Survey, gap: float
) -> list[_Sample]:
    span = SPAN_S * max(1.0, p.speed)
    start = max(p.a0, min(middle - span / 2, p.a1 - span))
    low, high = np.searchsorted(a.stills.times, [start, min(start + span, p.a1)])
    off: dict[int, tuple[float, _Sample]] = {}
    for i in range(int(low), int(high)):
        target = p.to_b(float(a.stills.times[i]))
        j = b.stills.nearest(target)
        by = (float(b.stills.times[j]) - target) / gap
        held = any(h.b0 - gap <= target <= h.b1 + gap for h in match.holds)
        if not held and abs(by) <= 1 and (j not in off or abs(by) < abs(off[j][0])):
            off[j] = by, _Sample(i, j, p)
    near = _as_far(off.values(), 0.0)
    if len(near) < ENOUGH and off:
        near = _as_far(off.values(), float(np.median([x for x, _ in off.values()])))
    if len(near) <= SAMPLES:
        return near
    return [near[int(k)] for k in np.linspace(0, len(near) - 1, SAMPLES).round()]


def _as_far(samples: Iterable[tuple[float, _Sample]], centre: float) -> list[_Sample]:
    """Those about ``centre`` frames late: a lag that stays moves all alike and jitters nothing."""
    return [s for by, s in samples if abs(by - centre) <= OFF_FRAMES]


def _jitter(
    burst: Sequence[_Sample], course: Course, a: Survey, b: Survey, neighbours: Sequence[int]
) -> float | None:
    """RMS over both axes, pixels, of what a parabola over time leaves of the displacement."""
    times, moved = [], []
    for s in burst:
        best: tuple[float, float, float] | None = None
        for k in (0, *neighbours):
            j = s.j + k
            if 0 <= j < len(b.stills.times):
                tried = _displacement(s, j, course, a, b)
                if tried is not None and (best is None or tried[2] < best[2]):
                    best = tried
        if best is not None:
            times.append(float(a.stills.times[s.i]))
            moved.append(best[:2])
    if len(moved) < ENOUGH:
        return None
    return _rough(np.asarray(times), np.asarray(moved))


def _rough(times: F64, moved: F64) -> float:
    t = (times - times.mean()) / max(float(np.ptp(times)), 1e-6)
    powers = np.stack([np.ones_like(t), t, t * t], axis=1)
    rest = moved - powers @ np.linalg.lstsq(powers, moved, rcond=None)[0]
    return float(np.sqrt((rest**2).sum() / (2 * max(len(t) - 3, 1))))


def _displacement(
    s: _Sample, j: int, course: Course, a: Survey, b: Survey
) -> tuple[float, float, float] | None:
    """Right, down (pixels of B) from where the smooth course puts A's frame, and what differs."""
    target = b.stills.pictures[j].y
    size = target.shape[1], target.shape[0]
    expected = course.at(float(b.stills.times[s.j]))
    placed = _placed(a.stills.pictures[s.i].y, s.piece, expected, size)
    placed, blurred = _blurred(placed), _blurred(target)
    pa, pb, _ = follow(placed, blurred)
    if len(pa) < FEWEST:
        return None
    way = pb - pa
    dx, dy = (float(x) for x in np.median(way, axis=0))
    if float(np.median(np.abs(way - (dx, dy)).max(axis=1))) > SPREAD_PX:
        return None
    return dx, dy, _difference(placed, blurred, dx, dy)


def _blurred(y: U8) -> U8:
    return np.asarray(cv2.GaussianBlur(y, (0, 0), 1.0), np.uint8)


def _placed(y: U8, p: Piece, t: Transform, size: tuple[int, int]) -> U8:
    height, width = y.shape
    o = Orientation(p.mirror, p.quarter_turns)
    source = (height, width) if p.quarter_turns % 2 else (width, height)
    matrix = matrix_of(t, fill_matrix(source, size), size)
    matrix = compose(matrix, orientation_matrix(o, width, height))
    return np.asarray(cv2.warpAffine(y, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)


def _difference(a: U8, b: U8, dx: float, dy: float) -> float:
    """Median difference of the middle parts once ``a`` is moved by (dx, dy), levels."""
    height, width = a.shape
    matrix = np.array([[1, 0, dx], [0, 1, dy]])
    moved = cv2.warpAffine(a, matrix, (width, height), flags=cv2.INTER_LINEAR)
    inner = (slice(height // 6, -(height // 6)), slice(width // 6, -(width // 6)))
    off = moved[inner].astype(np.float32) - b[inner]
    return float(np.abs(off - np.median(off)).mean())


def _own(s: Survey, index: Sequence[int]) -> float:
    """Jitter of a video against its own smooth course, as a share of the width."""
    at_once = np.zeros(2)
    course, times = [at_once], [float(s.stills.times[index[0]])]
    for i, j in pairwise(index):
        pa, pb, _ = follow(s.stills.pictures[i].y, s.stills.pictures[j].y)
        if len(pa) < FEWEST:
            continue
        at_once = at_once + np.median(pb - pa, axis=0)
        course.append(at_once)
        times.append(float(s.stills.times[j]))
    if len(course) < ENOUGH - 1:
        return 0.0
    return _rough(np.asarray(times), np.asarray(course)) / s.size[0]
