"""Piecewise alignment: which stretch of A each moment of B shows, if any.

A Viterbi path over B's time. At each moment B follows one of a few motions through A (a signed
speed and an orientation, or standing still), or shows nothing of A; changing the motion or
jumping in A costs a fixed amount, so a jump is only taken where it pays. The idea of a path
through matches with gaps is the temporal network's (Tan et al., ACM Multimedia 2009).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from triptych.measure.descriptors import F32, Orientation

#: What a jump costs, in seconds of perfect match. A stretch of 0.5 s that does not belong costs
#: two jumps (in and out), so it must cost less than the mismatch over that stretch.
JUMP_COST_S = 0.085
#: Where between background (0) and the main line's similarity (1) a match begins.
MATCH_LEVEL = 0.45
#: Per cell: hypotheses other than the main one must be better by this much, so that a still
#: picture, which fits any motion, follows the rest of the video.
SIDE_COST = 0.03
#: Between background (0) and the main line's similarity (1): from here on a flat moment fits. At
#: a fade to black of a clip and of its copy 6 % darker, moments in step had 0.65 and more.
FLAT_FITS = 0.3
#: What a moment off the line of a known offset loses: less than a mismatch, more than a tie.
OFF_LINE = 0.15


@dataclass(frozen=True, slots=True)
class Motion:
    """A way in which B can run through A; ``speed`` 0 is a standing picture."""

    orientation: Orientation
    speed: float


@dataclass(frozen=True, slots=True)
class Run:
    """B's cells ``b0`` to ``b1`` (exclusive) show A's cells from ``a0`` on, by one motion."""

    motion: Motion
    a0: int
    a1: int
    b0: int
    b1: int


def best_path(
    matrices: Mapping[Orientation, F32],
    motions: Sequence[Motion],
    step: float,
    background: float,
    level: float,
) -> tuple[float, list[Run]]:
    """Value and runs of the path through A that explains B best; ``motions[0]`` is the main one.

    ``background`` is the similarity of moments that do not correspond, ``level`` that of those
    that do; both scale the cost of a jump. Cells of B that show nothing of A are in no run.
    """
    na, nb = next(iter(matrices.values())).shape
    k = len(motions)
    scale = 1.0 / max(level - background, 0.05)
    jump = JUMP_COST_S / step if step >= 0.1 else JUMP_COST_S / 0.1 * (0.1 / step)
    speeds = np.array([m.speed for m in motions])
    side = np.array([0.0] + [SIDE_COST] * (k - 1))
    reward = np.stack(
        [
            np.clip((matrices[m.orientation].T - background) * scale, -1.0, 1.2) - MATCH_LEVEL - s
            for m, s in zip(motions, side, strict=True)
        ],
        axis=1,
    )  # (cells of B, motions, cells of A)
    position = np.round(speeds * np.arange(nb)[:, None]).astype(np.intp)
    moved = np.diff(position, axis=0, prepend=0)
    value = reward[0]
    idle = 0.0
    came = np.zeros((nb, k, na), np.bool_)  # True: this cell was reached by a jump
    came[0] = True
    source = np.full(nb, -1, np.intp)  # where a jump at this time came from; -1: from idle
    idle_from = np.full(nb, -1, np.intp)  # -1: idle before; else the flat state it left
    before = np.arange(na) - moved[:, :, None]
    outside = (before < 0) | (before >= na)
    np.clip(before, 0, na - 1, out=before)
    before += na * np.arange(k)[:, None]
    for j in range(1, nb):
        top = int(value.argmax())
        best = float(value.flat[top])
        entry = max(best, idle) - jump
        source[j] = top if best >= idle else -1
        stay = value.take(before[j])
        stay[outside[j]] = -np.inf
        np.less(stay, entry, out=came[j])
        if best - jump > idle:
            idle, idle_from[j] = best - jump, top
        value = np.maximum(stay, entry) + reward[j]
    runs = _trace(value, idle, came, source, idle_from, motions, nb, na)
    return max(float(value.max()), idle), runs


def evened(
    matrices: Mapping[Orientation, F32], plain: F32, background: float, level: float
) -> Mapping[Orientation, F32]:
    """``matrices`` in which a flat moment of B is no more like one flat moment of A than another.

    ``plain`` (cells of B): how flat each is, 0 to 1. Black is like any black, and at a fade most
    like a moment at which A happens to be as dark: that is no reason to jump there.
    """
    if not plain.any():
        return matrices
    fits = background + FLAT_FITS * max(level - background, 0.05)
    return {o: np.where(m >= fits, m + plain * (1.0 - m), m) for o, m in matrices.items()}


def favoured(
    matrices: Mapping[Orientation, F32], line: tuple[float, float], step: float
) -> Mapping[Orientation, F32]:
    """``matrices`` less what moments off the line t_b = line[0] + line[1] * t_a lose."""
    na, nb = next(iter(matrices.values())).shape
    on_line = line[0] + line[1] * (np.arange(na) + 0.5) * step
    off = np.abs((np.arange(nb) + 0.5) * step - on_line[:, None])
    loss = (OFF_LINE * (off > 2 * step * max(1.0, abs(line[1])))).astype(np.float32)
    return {o: m - loss for o, m in matrices.items()}


def _trace(
    value: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    idle: float,
    came: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
    source: np.ndarray[tuple[int, ...], np.dtype[np.intp]],
    idle_from: np.ndarray[tuple[int, ...], np.dtype[np.intp]],
    motions: Sequence[Motion],
    nb: int,
    na: int,
) -> list[Run]:
    """Follow the best path backwards."""
    runs: list[Run] = []
    state = int(np.argmax(value)) if float(value.max()) >= idle else -1
    j = nb - 1
    end = nb
    last = state
    while j >= 0:
        if state < 0:
            if idle_from[j] >= 0:
                state = int(idle_from[j])
                end, last = j, state
            j -= 1
            continue
        m, i = divmod(state, na)
        if came[j, m, i]:
            runs.append(_run(motions[m], i, last % na, j, end))
            state = int(source[j]) if j > 0 else -1
            end, last = j, state
        else:
            moved = round(motions[m].speed * j) - round(motions[m].speed * (j - 1))
            state = m * na + (i - moved)
        j -= 1
    return runs[::-1]


def _run(motion: Motion, first: int, last: int, b0: int, b1: int) -> Run:
    return Run(motion, min(first, last), max(first, last) + 1, b0, b1)
