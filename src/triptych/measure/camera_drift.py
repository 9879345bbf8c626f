"""How B's framing drifts against A's over time, from transforms of matched moments.

Where the same moments are seen in both, the camera's own movement is in both and drops out:
what is left of the transform's change over time is movement that only one of them has.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from triptych.measure.register import Transform

F64 = npt.NDArray[np.float64]

#: Moments smoothed over (running median), and the fewest that can show a drift.
SMOOTHED, FEWEST = 5, 5
#: A moment counts when this many keypoints agree, and this share of what agrees in most: the
#: same frames of a clip agreed in 138 to 265, those that the mapping of time missed in 18 to 20.
AGREEING, AGREEING_SHARE = 10, 0.15


@dataclass(frozen=True, slots=True)
class Change:
    """How one part of the transform goes over time, in the order of B.

    ``net``: from the first moments to the last; ``reach``: greatest less least, smoothed;
    ``rest``: how far single moments scatter about their neighbours (robust standard deviation).
    """

    net: float
    reach: float
    rest: float

    @property
    def steady(self) -> bool:
        """Whether it goes one way all the time."""
        return abs(self.net) > 0.7 * self.reach


@dataclass(frozen=True, slots=True)
class Drift:
    """Changes of B's framing against A's between ``start`` and ``end``, seconds of B.

    ``across`` and ``down`` are shares of B's width and height that the picture moves right and
    down; ``log_scale`` is the natural logarithm of how often larger it gets; ``degrees`` turn
    clockwise. ``moments`` is how many registered moments stand behind it, of ``asked``.
    """

    start: float
    end: float
    across: Change
    down: Change
    log_scale: Change
    degrees: Change
    moments: int
    asked: int


def drift(each: Sequence[tuple[float, float, Transform | None]]) -> Drift | None:
    """The drift over ``each`` (time in A, time in B, transform); ``None`` where too few fit."""
    good = good_moments(each)
    if len(good) < FEWEST:
        return None
    transforms = [t for _, t in good]
    return Drift(
        start=good[0][0],
        end=good[-1][0],
        across=_change([t.shift[0] for t in transforms]),
        down=_change([t.shift[1] for t in transforms]),
        log_scale=_change([math.log(t.scale) for t in transforms]),
        degrees=_change(_unwrapped([t.degrees for t in transforms])),
        moments=len(good),
        asked=len(each),
    )


def good_moments(
    each: Sequence[tuple[float, float, Transform | None]],
) -> list[tuple[float, Transform]]:
    """Times in B and transforms of the moments that count, in order."""
    found = [(b, t) for _, b, t in each if t is not None]
    if not found:
        return []
    least = max(AGREEING, AGREEING_SHARE * float(np.median([t.agreeing for _, t in found])))
    return sorted(((b, t) for b, t in found if t.agreeing >= least), key=lambda x: x[0])


def _unwrapped(degrees: Sequence[float]) -> list[float]:
    return [float(x) for x in np.degrees(np.unwrap(np.radians(degrees)))]


def _change(values: Sequence[float]) -> Change:
    x = np.asarray(values)
    smooth = smoothed(x)
    # Second differences: a course that goes on does not count as scatter.
    bends = x[:-2] - 2 * x[1:-1] + x[2:]
    rest = 1.4826 * float(np.median(np.abs(bends))) / math.sqrt(6)
    reach = float(smooth.max() - smooth.min())
    net = _end(x[::-1], reach) - _end(x, reach)
    return Change(net, reach, rest)


def _end(x: F64, reach: float) -> float:
    """Where the course starts: its first value, or the median of three where that stands out.

    On a steady course the median is a step behind the first value.
    """
    middle = float(np.median(x[:3]))
    step = reach / (len(x) - 1)
    return float(x[0]) if abs(x[0] - middle) <= 0.1 * reach + step else middle


def smoothed(x: F64) -> F64:
    """Running median over :data:`SMOOTHED`, shorter towards the ends but never below three."""
    half = SMOOTHED // 2
    out = [
        np.median(x[max(0, min(i - half, len(x) - 3)) : max(3, i + half + 1)])
        for i in range(len(x))
    ]
    return np.asarray(out, np.float64)


class Course:
    """The smoothed transform over time, straight between moments; of three moments at least."""

    def __init__(self, good: Sequence[tuple[float, Transform]]) -> None:
        """``good``: what :func:`good_moments` gives."""
        parts = [[math.log(t.scale), t.degrees, t.shift[0], t.shift[1]] for _, t in good]
        columns = np.array(parts, np.float64).T
        columns[1] = _unwrapped(columns[1].tolist())
        self._times = [b for b, _ in good]
        self._columns = [smoothed(c) for c in columns]
        self._agreeing = int(np.median([t.agreeing for _, t in good]))

    def at(self, time_b: float) -> Transform:
        """The transform at ``time_b``, seconds of B."""
        log_scale, degrees, across, down = (
            float(np.interp(time_b, self._times, c)) for c in self._columns
        )
        return Transform(math.exp(log_scale), degrees, (across, down), self._agreeing)
