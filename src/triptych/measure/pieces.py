"""From the cells of a path to exact stretches: merged, made exact, with sharp edges."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from triptych.measure.descriptors import Orientation
from triptych.measure.refine import Describe, fit_line
from triptych.measure.segments import Run
from triptych.measure.survey import Survey
from triptych.measure.timemap import Piece

#: A stretch shorter than this is not believed: at ten cells a second it is two or three matches.
SHORTEST_S = 0.35
#: A rough line is off by at most this, seconds.
MOST_OFF_S = 0.6
#: Two stretches whose lines meet to within this many cells are one.
JOIN_CELLS = 1.6
#: Least similarity of a stretch that runs or is turned otherwise, as a share of the longest's.
#: Made films: other footage that resembled a stretch backwards 0.65, parts truly reversed or
#: mirrored 0.98 and more.
SIDE_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Hold:
    """B stands still from ``b0`` to ``b1`` seconds on what A shows at ``a``."""

    a: float
    b0: float
    b1: float


def pieces_of(
    runs: Sequence[Run],
    step: float,
    a: Survey,
    b: Survey,
    describe_a: Describe,
    describe_b: Callable[[Orientation], Describe],
) -> tuple[list[Piece], list[Hold]]:
    """Pieces in the order of B's time, and the stretches where B stands still."""
    rough: list[Piece] = []
    holds: list[Hold] = []
    for run in runs:
        if run.motion.speed == 0:
            if (run.b1 - run.b0) * step >= SHORTEST_S:
                holds.append(Hold((run.a0 + run.a1) / 2 * step, run.b0 * step, run.b1 * step))
            continue
        rough.append(_rough(run, step, a, b))
    return finish(rough, step, a, b, describe_a, describe_b), holds


def finish(
    rough: Sequence[Piece],
    step: float,
    a: Survey,
    b: Survey,
    describe_a: Describe,
    describe_b: Callable[[Orientation], Describe],
) -> list[Piece]:
    """Join pieces that lie on one line, make their lines exact and their edges sharp."""
    joined = _join(rough, step)
    exact = [
        _exact(p, step, a, b, describe_a, describe_b)
        for p in joined
        if abs(p.b1 - p.b0) >= SHORTEST_S
    ]
    exact = _believed(_join(exact, step))
    exact = _sharpen(exact, step, a, b, describe_a, describe_b)
    return [_reach_ends(p, step, a, b) for p in exact if abs(p.b1 - p.b0) >= SHORTEST_S]


def _believed(pieces: Sequence[Piece]) -> list[Piece]:
    """``pieces`` less those that run or are turned otherwise than the longest and fit far worse."""
    if not pieces:
        return []
    main = max(pieces, key=lambda p: p.a1 - p.a0)
    return [
        p
        for p in pieces
        if (p.reverse, p.mirror, p.quarter_turns) == (main.reverse, main.mirror, main.quarter_turns)
        or p.score >= SIDE_SHARE * main.score
    ]


def _rough(run: Run, step: float, a: Survey, b: Survey) -> Piece:
    slope = 1.0 / run.motion.speed
    o = run.motion.orientation
    a0, a1 = run.a0 * step, min(run.a1 * step, a.duration)
    middle_a, middle_b = (run.a0 + run.a1) / 2 * step, (run.b0 + run.b1) / 2 * step
    return Piece(a0, a1, middle_b + slope * (a0 - middle_a), slope, o.mirror, o.quarter_turns)


def _alike(p: Piece, q: Piece) -> bool:
    return (
        p.mirror == q.mirror
        and p.quarter_turns == q.quarter_turns
        and p.slope * q.slope > 0
        and abs(math.log(p.slope / q.slope)) < (0.3 if _brief(p) or _brief(q) else 0.12)
    )


def _brief(p: Piece) -> bool:
    """Too short to tell its speed from a neighbouring one."""
    return min(p.a1 - p.a0, abs(p.b1 - p.b0)) < 1.0


def _join(pieces: Sequence[Piece], step: float) -> list[Piece]:
    """Join neighbours in B's time that lie on one line."""
    out: list[Piece] = []
    for q in pieces:
        if out and _alike(out[-1], q):
            p = out[-1]
            # Where each expects the other's middle; a joint line must serve both.
            gap = abs(p.to_b((q.a0 + q.a1) / 2) - (q.b0 + q.b1) / 2)
            near = abs(min(q.b0, q.b1) - max(p.b0, p.b1)) < 4 * step
            if near and gap <= JOIN_CELLS * step * max(1.0, abs(p.slope)):
                longer = p if p.a1 - p.a0 >= q.a1 - q.a0 else q
                a0, a1 = min(p.a0, q.a0), max(p.a1, q.a1)
                out[-1] = replace(longer, a0=a0, a1=a1, b0=longer.to_b(a0))
                continue
        out.append(q)
    return out


def _exact(
    p: Piece,
    step: float,
    a: Survey,
    b: Survey,
    describe_a: Describe,
    describe_b: Callable[[Orientation], Describe],
) -> Piece:
    fit = fit_line(
        a.thumbs,
        b.thumbs.times,
        describe_a,
        describe_b(Orientation(p.mirror, p.quarter_turns)),
        (p.a0, p.a1),
        (p.b0 - p.slope * p.a0, p.slope),
        window=max(2.0 * step, min(0.02 * abs(p.b1 - p.b0), MOST_OFF_S)),
    )
    if fit is None or fit.slope * p.slope <= 0:
        return p
    slope = fit.slope
    # A short or still stretch says little about speed: keep the path's where the fit is vague.
    if abs(slope / p.slope - 1) > 0.1 or fit.error > 0.02 * abs(slope):
        slope = p.slope
    b_at = fit.b0 + slope * (p.a0 - fit.a0)
    return replace(p, b0=b_at, slope=slope, score=fit.similarity)


def _sharpen(
    pieces: Sequence[Piece],
    step: float,
    a: Survey,
    b: Survey,
    describe_a: Describe,
    describe_b: Callable[[Orientation], Describe],
) -> list[Piece]:
    """Move the edge between neighbours to the frame of B where the one hands over to the other."""
    out = list(pieces)
    for i in range(len(out) - 1):
        p, q = out[i], out[i + 1]
        p_end, q_start = max(p.b0, p.b1), min(q.b0, q.b1)
        if q_start - p_end > 3 * step:
            continue
        low, high = min(p_end, q_start) - 2.5 * step, max(p_end, q_start) + 2.5 * step
        low = max(low, min(p.b0, p.b1))
        high = min(high, max(q.b0, q.b1))
        frames = np.flatnonzero((b.thumbs.times >= low) & (b.thumbs.times < high))
        if len(frames) < 2:
            continue
        gain = np.zeros(len(frames))
        for piece, sign in ((p, 1.0), (q, -1.0)):
            seen = describe_b(Orientation(piece.mirror, piece.quarter_turns))(frames)
            want = np.array([piece.to_a(float(t)) for t in b.thumbs.times[frames]])
            index = np.clip(np.searchsorted(a.thumbs.times, want + 1e-3, side="right") - 1, 0, None)
            gain += sign * (seen * describe_a(index.astype(np.intp))).sum(axis=1)
        # Frames before the edge are p's, those after are q's.
        edge = int(np.argmax(np.concatenate([[0.0], np.cumsum(gain)])))
        at = float(b.thumbs.times[frames[edge]]) if edge < len(frames) else high
        out[i] = _end_at(p, at)
        out[i + 1] = _start_at(q, at)
    return out


def _end_at(p: Piece, b: float) -> Piece:
    """``p`` cut or drawn out so that its last moment in B is ``b``."""
    if p.reverse:
        return replace(p, a0=p.to_a(b), b0=b)
    return replace(p, a1=p.to_a(b))


def _start_at(p: Piece, b: float) -> Piece:
    """``p`` cut or drawn out so that its first moment in B is ``b``."""
    if p.reverse:
        return replace(p, a1=p.to_a(b))
    return replace(p, a0=p.to_a(b), b0=b)


def _reach_ends(p: Piece, step: float, a: Survey, b: Survey) -> Piece:
    """Draw a piece out to the ends of the videos where it stops within two cells of them."""
    a0, a1 = p.a0, p.a1
    slack = 2 * step
    low, high = sorted((p.to_a(0.0), p.to_a(b.duration)))
    low, high = max(low, 0.0), min(high, a.duration)
    if abs(a0 - low) <= slack * max(1.0, p.speed):
        a0 = low
    if abs(a1 - high) <= slack * max(1.0, p.speed):
        a1 = high
    a0, a1 = max(a0, low), min(a1, high)
    return replace(p, a0=a0, a1=max(a0, a1), b0=p.to_b(a0))
