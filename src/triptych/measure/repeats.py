"""How much the picture changes from frame to frame, and frames that hold the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.timemap import TimeMap
from triptych.media.frame import I420, U8, Frame

F64 = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

#: Longest side of the pictures whose difference is taken: half the analysis size evens out noise
#: and keeps a step of a few pixels in a few blocks.
SIDE = 160
#: Change from frame to frame, levels (mean absolute difference), that A must show for a held frame
#: of B to be seen. Bottles on a belt have a median of 0.2, cyclists 3.8.
MOVING = 0.3
#: A frame is held when it changes by less than this share of what A changes meanwhile. Held frames
#: after H.264 CRF 18: up to 0.12 (levels 0.4 of 3.5); the quietest frames of A that move: 0.3.
HELD_SHARE = 0.2
#: What moves in a noisy clip changes by this many times its quietest frames.
NOISY = 1.5
#: Least length of a frame in the time of the other video, in frames of that.
FINE = 0.9
#: Frames within which something must move before and after a held frame. A random quarter holds
#: five in a row once in a thousand.
AMID = 5
#: What moves on keeps its pace: its step is more than this share of the median of those within
#: PACE frames. Where a re-encoded film holds a frame as its original does, coding lifts the step to
#: 0.02 to 0.09 of that.
ON_PACE, PACE = 0.5, 12
#: A video that held a frame catches up: its next step is this many times the other's. Frames left
#: out of three clips: 1.16 to 2.7, 0.9 of them more than 1.3. Key frames of a re-encoded film that
#: holds frames of its own change the picture in mid-hold, by a whole step, but then it is 0.4 to
#: 1.06 of the other's.
CATCH_UP = 1.12
#: Catching up decides only where both hold frames, this many times as many as are in question or
#: more: noise and fast motion hide it.
SHARED = 1.0
#: Steps of both that differ by less, levels, are those of one still picture; so many of them must.
STILL_STEPS, STILL_FRAMES = 0.15, 0.95
#: Held frames at equal distances are a cadence: the share of the distances that fit the median.
REGULAR = 0.75


@dataclass(frozen=True, slots=True)
class Steps:
    """``change[i]``: mean absolute difference, levels, of frame i from the one before.

    ``times``, ``change``: float64 (n,); the first change is 0.
    """

    times: F64
    change: F64

    def total(self) -> F64:
        """Change summed up to each frame."""
        return np.asarray(np.cumsum(self.change), np.float64)

    def moved(self, start: float, end: float) -> float:
        """All change from ``start`` to ``end`` seconds, levels."""
        if len(self.times) < 2:
            return 0.0
        low, high = np.interp([start, end], self.times, self.total())
        return float(abs(high - low))


class StepSampler:
    """Observer that measures the change of every frame: two numbers a frame are kept."""

    def __init__(self) -> None:
        self._times: list[float] = []
        self._change: list[float] = []
        self._last: U8 | None = None

    def steps(self) -> Steps:
        """What was seen."""
        return Steps(np.asarray(self._times, np.float64), np.asarray(self._change, np.float64))

    def observe(self, time: float, frame: Frame, picture: I420) -> None:
        """Compare ``picture`` with the one before; ``frame`` is not asked for anything."""
        height, width = picture.y.shape
        scale = min(1.0, SIDE / max(height, width))
        size = max(1, round(width * scale)), max(1, round(height * scale))
        small = np.asarray(cv2.resize(picture.y, size, interpolation=cv2.INTER_AREA), np.uint8)
        change = 0.0
        if self._last is not None and self._last.shape == small.shape:
            change = float(cv2.norm(small, self._last, cv2.NORM_L1)) / small.size
        self._times.append(time)
        self._change.append(change)
        self._last = small


@dataclass(frozen=True, slots=True)
class Held:
    """Frames that repeat the one before while the other video moves on.

    ``times``: when they are shown, seconds. ``moving``: frames of which it could be told.
    ``regular``: they come at equal distances, as a change of frame rate makes them; ``every`` is
    that distance in frames. ``even``: frames of both last equally long, so that none falls between.
    """

    times: Sequence[float]
    moving: int
    regular: bool
    every: float
    even: bool = True

    @property
    def share(self) -> float:
        """Part of the frames that are held, 0 to 1."""
        return len(self.times) / self.moving if self.moving else 0.0


def held(own: Steps, other: Steps, at: F64) -> Held:
    """Frames of ``own`` that stand still where ``other`` moves.

    ``at``: the time in ``other`` of each frame of ``own``, NaN where it has none.
    """
    if len(own.times) < 3 or len(other.times) < 3:
        return Held((), 0, False, 0.0)
    # Frames of the other that last longer say nothing about single frames of this one.
    passed = np.abs(np.diff(at))
    lasting = float(np.median(np.diff(other.times)))
    step = float(np.nanmedian(passed)) if np.isfinite(passed).any() else 0.0
    if step < FINE * lasting:
        return Held((), 0, False, 0.0)
    summed = np.interp(at, other.times, other.total())
    expected = np.abs(np.diff(summed, prepend=np.nan))
    # A map that is a frame out must not hide that the other video holds the same frame.
    around = np.stack([np.roll(expected, 1), expected, np.roll(expected, -1)])
    around[0, 0] = around[2, -1] = np.nan
    least = np.min(around, axis=0)
    # Noise changes every frame, even where nothing moves: what moves stands out from the least.
    moves = max(MOVING, NOISY * float(np.quantile(other.change[1:], 0.02)))
    clear = np.nan_to_num(least) >= moves
    # Less contrast or wide bars make all changes smaller alike.
    ratio = np.median(own.change[clear] / least[clear]) if clear.any() else 1.0
    enough = np.nan_to_num(least) * min(1.0, float(ratio))
    still = clear & (own.change <= HELD_SHARE * enough)
    still &= _amid_motion(own.change, 0.5 * enough)
    pace = _running_median(np.nan_to_num(expected))
    moves_on = least > ON_PACE * pace
    # Frames that hold in both, as far as coding lets them.
    own_pace = _running_median(own.change)
    shared = (own.change <= HELD_SHARE * own_pace) & (own_pace >= moves) & (least <= ON_PACE * pace)
    still &= moves_on
    if shared.sum() >= SHARED * still.sum():
        still &= _catches_up(own.change, np.nan_to_num(expected) * float(ratio), still)
    frames = np.flatnonzero(still)
    regular, every = _cadence(frames)
    times = [float(t) for t in own.times[frames]]
    return Held(times, int(clear.sum()), regular, every, step * FINE <= lasting)


def _running_median(change: F64) -> F64:
    """Median of each frame's change and those of PACE frames on either side."""
    padded = np.pad(change, PACE, mode="reflect" if len(change) > PACE else "edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * PACE + 1)
    return np.asarray(np.median(windows, axis=1), np.float64)


def _catches_up(change: F64, expected: F64, still: Mask) -> Mask:
    """Of the frames that stand ``still``, those after which the video makes up for it at once."""
    out = np.zeros(len(change), np.bool_)
    run: list[int] = []
    for i in range(len(change)):
        if still[i]:
            run.append(i)
        elif run:
            out[run] = change[i] >= CATCH_UP * expected[i]
            run = []
    return out


def still_alike(own: Steps, other: Steps, at: F64) -> bool:
    """Whether both change as little, and as they do, from frame to frame: one still picture.

    ``at``: the time in ``other`` of each frame of ``own``, NaN where it has none.
    """
    if len(own.times) < 3 or len(other.times) < 3:
        return False
    summed = np.interp(at, other.times, other.total())
    apart = np.abs(own.change - np.abs(np.diff(summed, prepend=np.nan)))
    known = apart[np.isfinite(apart)]
    return len(known) > 0 and float(np.mean(known <= STILL_STEPS)) >= STILL_FRAMES


def _amid_motion(change: F64, enough: F64) -> Mask:
    """Frames with one that moves ``enough`` within AMID frames on both sides: no still scene."""
    before = np.zeros(len(change), np.bool_)
    after = np.zeros(len(change), np.bool_)
    for k in range(1, min(AMID, len(change) - 1) + 1):
        before[k:] |= change[:-k] >= enough[k:]
        after[:-k] |= change[k:] >= enough[:-k]
    return before & after


def _cadence(frames: npt.NDArray[np.intp]) -> tuple[bool, float]:
    """Whether ``frames`` come at equal distances (or multiples, where one was missed)."""
    if len(frames) < 3:
        return False, 0.0
    gaps = np.diff(frames).astype(np.float64)
    # The mean over those near the median gives cadences such as 2.5.
    every = float(np.median(gaps))
    near = gaps[np.abs(gaps - every) <= 1]
    every = float(near.mean()) if len(near) else every
    slack = 0.55 if every < 4 else 1.05
    rounds = np.maximum(np.round(gaps / every), 1)
    fit = (np.abs(gaps - rounds * every) <= slack) & (rounds <= 3)
    # Where every second frame or so is held, distances fit by chance; then they must all agree.
    regular = (
        float(fit.mean()) >= REGULAR and float(np.std(gaps[fit] / rounds[fit])) <= 0.25 * every
    )
    return regular, every


def times_in_a(timemap: TimeMap, times: F64) -> F64:
    """Time in A of each of B's ``times``; NaN where A has none."""
    out = np.full(len(times), np.nan)
    for p in timemap.pieces:
        inside = (times >= min(p.b0, p.b1)) & (times <= max(p.b0, p.b1))
        out[inside] = p.a0 + (times[inside] - p.b0) / p.slope
    return out


def times_in_b(timemap: TimeMap, times: F64) -> F64:
    """Time in B of each of A's ``times``; NaN where B has none."""
    out = np.full(len(times), np.nan)
    for p in reversed(timemap.pieces):
        inside = (times >= p.a0) & (times <= p.a1)
        out[inside] = p.b0 + (times[inside] - p.a0) * p.slope
    return out
