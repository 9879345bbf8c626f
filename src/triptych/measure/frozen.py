"""Stretches in which one video stands still while the other moves, and the map without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from triptych.measure.pieces import Hold
from triptych.measure.register import fill_matrix, find_transform, keypoints, matrix_of
from triptych.measure.repeats import Steps
from triptych.measure.survey import Stills, Thumbs
from triptych.measure.timemap import Piece, TimeMap

#: Change from frame to frame, levels, up to which a picture stands still whatever the clip: frozen
#: frames after H.264 CRF 18 change by 0.0 to 0.1, and 0.4 at their first and last frame.
QUIET = 0.12
#: Share of the clip's own median change that is still quiet: coding flickers with what moves.
QUIET_SHARE = 0.1
#: A single frame inside a freeze may change by this share of that median: a key frame.
BLIP_SHARE = 0.5
#: How much more the other video must change in the same time: from frame to frame, and from the
#: first moment to any later one; the least such change, levels; and how many times the change from
#: frame to frame that must be, for noise changes every frame and leads nowhere.
LIVELIER, LEAST_NET, NET_STEPS = 4.0, 0.7, 1.5
#: A change from one frame to the next that is a cut: levels, and times the median.
CUT_LEVELS, CUT_TIMES = 10.0, 5.0
#: How far a freeze may be from the stretch that is known to match, seconds.
REACH_S = 0.25
#: Within this of each other, seconds, two stretches that stand still equally long are the same.
NEARBY_S = 3.0
#: Sigma that noise is smoothed with, pixels of the analysis picture.
EVEN_OUT = 2.0
#: How far the map may be out where one asks whether the other stands still, seconds.
SLACK_S = 0.1


@dataclass(frozen=True, slots=True)
class Freeze:
    """``start`` to ``end`` of one video, seconds, stand still on what the other shows at ``other``.

    ``resumes`` is the other's moment that comes next: about ``other`` where the video was only
    paused, later where what follows was lost.
    """

    start: float
    end: float
    other: float
    resumes: float


def still_runs(steps: Steps, shortest: float) -> list[tuple[int, int]]:
    """First and last frame of each stretch that stands still for ``shortest`` seconds or more."""
    change = steps.change
    if len(change) < 3:
        return []
    median = _median(change)
    quiet = change <= max(QUIET, QUIET_SHARE * median)
    quiet[0] = False
    blip = change <= BLIP_SHARE * median
    # Fill single frames between two quiet ones.
    quiet[1:-1] |= quiet[:-2] & quiet[2:] & blip[1:-1]
    edges = np.flatnonzero(np.diff(np.concatenate([[0], quiet.astype(np.int8), [0]])))
    gap = float(np.median(np.diff(steps.times)))
    out = []
    for first, beyond in zip(edges[::2], edges[1::2], strict=True):
        end = float(steps.times[beyond]) if beyond < len(change) else float(steps.times[-1]) + gap
        if end - float(steps.times[first - 1]) >= shortest:
            out.append((int(first) - 1, int(beyond) - 1))
    return out


def _median(change: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    lively = change[change > QUIET]
    return float(np.median(lively)) if len(lively) else 0.0


@dataclass(frozen=True, slots=True)
class Moving:
    """A video's change from frame to frame, and its thumbnails."""

    steps: Steps
    thumbs: Thumbs

    def typical(self, start: float, end: float) -> float:
        """Median change from frame to frame between two moments, levels: a cut does not count."""
        inside = (self.steps.times > start + 1e-3) & (self.steps.times <= end + 1e-3)
        return float(np.median(self.steps.change[inside])) if inside.any() else 0.0

    def net(self, start: float, end: float) -> tuple[float, float]:
        """Largest change since ``start`` and median change of a step, levels, of thumbnails."""
        low, high = np.searchsorted(self.thumbs.times, [start - 1e-3, end - 1e-3])
        seen = self.thumbs.pictures[low:high].astype(np.int16)
        if len(seen) < 2:
            return 0.0, 0.0
        since = np.abs(seen[1:] - seen[0]).mean(axis=(1, 2))
        step = np.abs(seen[1:] - seen[:-1]).mean(axis=(1, 2))
        return float(since.max()), float(np.median(step))


def freezes(own: Moving, other: Moving, timemap: TimeMap, shortest: float) -> list[Freeze]:
    """Stretches of B (``own``) that stand still where A (``other``) moves.

    For freezes of A pass ``own`` and ``other`` the other way round, and ``inverse(timemap)``.
    """
    found = []
    for first, last in still_runs(own.steps, shortest):
        start = float(own.steps.times[first])
        end = float(own.steps.times[min(last + 1, len(own.steps.times) - 1)])
        freeze = _freeze(own, other, timemap, (first, last), (start, end), shortest)
        if freeze is not None:
            found.append(freeze)
    return found


def _freeze(
    own: Moving,
    other: Moving,
    timemap: TimeMap,
    frames: tuple[int, int],
    span: tuple[float, float],
    shortest: float,
) -> Freeze | None:
    start, end = span
    if end - start <= 0:
        return None
    change = own.steps.change
    before, after = _near(timemap, start, last=False), _near(timemap, end, last=True)
    cut = max(CUT_LEVELS, CUT_TIMES * _median(change))
    # What stands still must be a moment of the other video, not a still picture put in: without a
    # cut on the one side or the other it belongs to what is known to match there.
    following = frames[1] + 1
    joined_before = before is not None and change[frames[0]] < cut
    joined_after = after is not None and following < len(change) and change[following] < cut
    if not (joined_before or joined_after):
        return None
    at = before.to_a(start) if before is not None else None
    resumes = after.to_a(end) if after is not None else None
    if at is None or resumes is None:
        at = resumes = at if at is not None else resumes
    slope = (before or after or timemap.pieces[0]).slope
    if at is None or resumes is None or _stands_too(other.steps, at, end - start):
        return None
    # Where the other stands still too at first or at the end, only the rest is a freeze.
    way = 1.0 if slope > 0 else -1.0
    lead = abs(slope) * _still_for(other.steps, at, way)
    trail = abs(slope) * _still_for(other.steps, resumes, -way)
    if lead + trail > end - start - shortest:
        return None
    start, end, at, resumes = (
        start + lead,
        end - trail,
        at + lead / slope,
        resumes - trail / slope,
    )
    lasts = (end - start) / slope
    moves = _moves(own, other, (start, end), ((at, at + lasts), (resumes - lasts, resumes)))
    if not moves:  # neither is there: the freeze is at an end of what both show
        moves = _moves(own, other, (start, end), ((resumes, resumes + lasts), (at - lasts, at)))
    return Freeze(start, end, at, resumes) if moves and all(moves) else None


def _still_for(steps: Steps, at: float, way: float) -> float:
    """Seconds for which a video stands still from ``at`` on, or before it where ``way`` is -1."""
    for first, last in still_runs(steps, 2 * SLACK_S):
        start = float(steps.times[first])
        end = float(steps.times[min(last + 1, len(steps.times) - 1)])
        if start - SLACK_S <= at <= end + SLACK_S:
            return max(0.0, end - at if way > 0 else at - start)
    return 0.0


def _stands_too(steps: Steps, at: float, seconds: float) -> bool:
    """Whether the other video stands still for as long near ``at``: the map is out, or it moved."""
    for first, last in still_runs(steps, 0.5 * seconds):
        start = float(steps.times[first])
        end = float(steps.times[min(last + 1, len(steps.times) - 1)])
        slack = max(0.1, 0.15 * seconds)
        if abs(end - start - seconds) <= slack and abs(start - at) <= NEARBY_S:
            return True
    return False


def _moves(
    own: Moving,
    other: Moving,
    still: tuple[float, float],
    spans: Sequence[tuple[float, float]],
) -> list[bool]:
    """Whether ``other`` moves on in each of ``spans``; those it mostly lacks are left out."""
    out = []
    own_net, _ = own.net(*still)
    for span in spans:
        first, last = sorted(span)
        low = max(first, float(other.steps.times[0]))
        high = min(last, float(other.steps.times[-1]))
        if high - low < 0.5 * (last - first):
            continue
        net, step = other.net(low, high)
        typical = other.typical(low, high)
        out.append(
            typical > max(QUIET, LIVELIER * own.typical(*still))
            and net >= max(LEAST_NET, NET_STEPS * step, LIVELIER * own_net)
        )
    return out


def _near(timemap: TimeMap, t: float, *, last: bool) -> Piece | None:
    """The piece that shows B's moment ``t``, the latest or earliest such, within reach."""
    near = []
    for p in timemap.pieces:
        low, high = min(p.b0, p.b1), max(p.b0, p.b1)
        off = max(low - t, t - high, 0.0)
        if off <= REACH_S:
            near.append((off, -low if last else low, p))
    return min(near, key=lambda x: x[:2])[2] if near else None


def camera_only(stills: Stills, found: Freeze) -> bool:
    """Whether all that the other video (``stills``) does meanwhile is a move of its camera.

    A still scene filmed, or remade, with a moving camera stands still in one video only, but
    nothing froze.
    """
    low, high = sorted((found.other, found.resumes))
    seconds = found.end - found.start
    if high - low < 0.5 * seconds:
        low, high = low - seconds / 2, low + seconds / 2
    # Off the edges, which are a frame or two out.
    low, high = low + 0.15 * (high - low), high - 0.15 * (high - low)
    first, last = (stills.pictures[stills.nearest(t)].y for t in (low, high))
    t = find_transform(keypoints(first), keypoints(last))
    # Noise is no move of the camera, and no move in front of it.
    first, last = (
        np.asarray(cv2.GaussianBlur(x, (0, 0), EVEN_OUT), np.uint8) for x in (first, last)
    )
    if t is None:
        return False
    size = last.shape[1], last.shape[0]
    matrix = matrix_of(t, fill_matrix(size, size), size)
    moved = cv2.warpAffine(first, matrix, size, flags=cv2.INTER_LINEAR)
    inside = cv2.warpAffine(np.full_like(first, 255), matrix, size) > 250
    if inside.mean() < 0.5:
        return False
    before = float(cv2.absdiff(first, last)[inside].mean())
    return float(cv2.absdiff(np.asarray(moved, np.uint8), last)[inside].mean()) < 0.6 * before


def inverse(timemap: TimeMap) -> TimeMap:
    """The same map from B's side, in the order of A's time."""
    turned = [
        replace(p, a0=min(p.b0, p.b1), a1=max(p.b0, p.b1), b0=_a_at(p), slope=1 / p.slope)
        for p in timemap.pieces
    ]
    return TimeMap(tuple(sorted(turned, key=lambda p: min(p.b0, p.b1))))


def _a_at(p: Piece) -> float:
    """A's moment shown at the piece's earliest moment of B."""
    return p.a1 if p.reverse else p.a0


def thawed(
    timemap: TimeMap, holds: Sequence[Hold], found: Sequence[Freeze]
) -> tuple[TimeMap, list[Hold]]:
    """The map with B's frozen stretches taken out of its pieces, and kept as holds instead.

    Similarity cannot tell where a piece ends beside a still picture, so pieces reach into it, and
    A's moments there would count as shown twice.
    """
    pieces = list(timemap.pieces)
    for f in found:
        pieces = [part for p in pieces for part in _without(p, f.start, f.end)]
    kept = [h for h in holds if not any(f.start < h.b1 and f.end > h.b0 for f in found)]
    kept += [Hold(f.other, f.start, f.end) for f in found]
    return TimeMap(tuple(pieces)), sorted(kept, key=lambda h: h.b0)


def _without(p: Piece, start: float, end: float) -> list[Piece]:
    """``p`` without ``start`` to ``end`` of B."""
    low, high = min(p.b0, p.b1), max(p.b0, p.b1)
    if end <= low or start >= high:
        return [p]
    out = []
    for b_low, b_high in ((low, start), (end, high)):
        if b_high - b_low > 0.05:
            ends = sorted((p.to_a(b_low), p.to_a(b_high)))
            out.append(replace(p, a0=ends[0], a1=ends[1], b0=p.to_b(ends[0])))
    return out
