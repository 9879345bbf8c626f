"""Where shots begin and end: cuts, dissolves and fades, with their times.

A hard cut is a change between two frames that is large, and large beside that of the neighbouring
frames, so that fast motion is none. Gradual transitions come from :mod:`triptych.measure.gradual`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from triptych.measure.gradual import Gradual, gradual, is_other_shot
from triptych.measure.repeats import Steps
from triptych.measure.survey import Thumbs

#: The ratio of a frame's change to the mean of those beside it, and the least change, levels.
#: Ordinary clips (cyclists, hands, a talking head, a belt of bottles): below 15. Hard cuts of the
#: test clip: 22 and more, at a ratio above 10.
RATIO, LEAST_CHANGE = 3.0, 15.0
#: Frames on either side that a change is held against.
BESIDE = 2
#: Shortest shot between two cuts, seconds: shorter ones are flashes.
SHORTEST_S = 0.2

Kind = Literal["cut", "dissolve", "fade"]


@dataclass(frozen=True, slots=True)
class Transition:
    """One shot gives way to the next. Seconds; ``start == time == end`` for a cut.

    ``time`` of a cut is that of the first frame of the new shot, of the others the middle.
    """

    kind: Kind
    time: float
    start: float
    end: float


def hard_cuts(steps: Steps) -> list[float]:
    """Times of the first frames after hard cuts, seconds.

    The rule is that of PySceneDetect's adaptive detector; with it, 62 clips gave the same cuts
    but for one that a change of hue alone makes.
    """
    change = steps.change
    n = len(change)
    if n < 2:
        return []
    summed = np.zeros(n)
    count = np.zeros(n)
    for k in range(1, min(BESIDE, n - 1) + 1):
        summed[k:] += change[:-k]
        count[k:] += 1
        summed[:-k] += change[k:]
        count[:-k] += 1
    # The first frame has no change, so it is no neighbour.
    count[1 : BESIDE + 1] -= 1
    around = summed / np.maximum(count, 1)
    high = (change >= LEAST_CHANGE) & (change >= RATIO * around)
    cuts: list[float] = []
    last = float(steps.times[0])
    for t in steps.times[high]:
        if t - last >= SHORTEST_S:
            last = float(t)
            cuts.append(last)
    return cuts


def transitions(cuts: Sequence[float], thumbs: Thumbs) -> list[Transition]:
    """All transitions in order of time: the hard ``cuts`` outside gradual ones, and those."""
    slow = gradual(thumbs.times, thumbs.pictures, cuts)
    sure = [t for t in cuts if is_other_shot(thumbs, t)]
    hard = [t for t in sure if not any(_within(t, g) for g in slow)]
    found = [Transition("cut", t, t, t) for t in hard]
    found += [Transition(g.kind, (g.start + g.end) / 2, g.start, g.end) for g in slow]
    return sorted(found, key=lambda x: (x.time, x.kind))


def _within(time: float, g: Gradual) -> bool:
    slack = 0.05
    return g.start - slack <= time <= g.end + slack
