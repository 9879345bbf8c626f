"""A video's own camera movement, shot by shot: pan, tilt, zoom and roll.

Corners followed from picture to picture and a similarity transform by RANSAC; the transforms of a
shot are added up. Where few corners obey one transform the scene has depth and the camera travels,
or something large moves: such a step is not known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.follow import FEWEST, follow
from triptych.measure.shots import Transition
from triptych.measure.survey import Stills
from triptych.media.frame import U8

F64 = npt.NDArray[np.float64]

#: Steps a second, and at most a video: 7 ms each.
RATE, STEPS = 3.0, 30
#: Share of the corners followed that must obey one transform, within pixels.
OBEY, OBEY_PX = 0.5, 1.5
#: Shots shorter than this, seconds, are not looked at.
SHORTEST_S = 0.5


@dataclass(frozen=True, slots=True)
class ShotMotion:
    """The camera's course over one shot from ``start`` to ``end``, seconds.

    From first to last picture, ``pan``: to the right, in widths of the frame; ``tilt``: upwards,
    in heights; ``zoom``: how many times closer; ``roll``: the picture's turn clockwise, degrees.
    ``reach`` is the longest way from the start, in widths or heights, of a camera that may come
    back. ``known`` is the share of steps in which one transform was found.
    """

    start: float
    end: float
    pan: float
    tilt: float
    zoom: float
    roll: float
    reach: float
    known: float


def shots_between(transitions: Sequence[Transition], end: float) -> list[tuple[float, float]]:
    """The stretches that ``transitions`` leave, from 0 to ``end``, seconds; no short ones."""
    edges = [0.0, *(t for x in transitions for t in (x.start, x.end)), end]
    found = zip(edges[::2], edges[1::2], strict=True)
    return [(a, b) for a, b in found if b - a >= SHORTEST_S]


def own_motion(stills: Stills, shots: Sequence[tuple[float, float]]) -> list[ShotMotion]:
    """The camera's course over each of ``shots`` (start, end), seconds."""
    total = sum(end - start for start, end in shots)
    rate = min(RATE, STEPS / max(total, 1e-6))
    return [_shot(stills, start, end, rate) for start, end in shots]


def step(a: U8, b: U8) -> tuple[float, float, float, float] | None:
    """How the picture goes from luma ``a`` to ``b``, (h, w) each.

    Right and down in pixels at the centre, how many times larger, degrees clockwise; ``None``
    where no one transform is obeyed.
    """
    pa, pb, _ = follow(a, b)
    if len(pa) < FEWEST:
        return None
    cv2.setRNGSeed(7)  # RANSAC draws from one generator for the whole process
    found, agree = cv2.estimateAffinePartial2D(
        pa, pb, method=cv2.RANSAC, ransacReprojThreshold=OBEY_PX, maxIters=300
    )
    if found is None or int(agree.sum()) < max(FEWEST, OBEY * len(pa)):
        return None
    centre = np.array([(a.shape[1] - 1) / 2, (a.shape[0] - 1) / 2])
    dx, dy = found[:, :2] @ centre + found[:, 2] - centre
    scale = math.hypot(found[0, 0], found[1, 0])
    return float(dx), float(dy), scale, math.degrees(math.atan2(found[1, 0], found[0, 0]))


def _shot(stills: Stills, start: float, end: float, rate: float) -> ShotMotion:
    # The last frame before a cut at ``end``, and none that a transition touches.
    low, high = (int(k) for k in np.searchsorted(stills.times, [start - 1e-6, end - 1e-6]))
    low = min(low, len(stills.times) - 1)
    count = max(2, round((end - start) * rate) + 1)
    index = sorted({int(i) for i in np.linspace(low, max(high - 1, low), count).round()})
    steps = [step(stills.pictures[i].y, stills.pictures[j].y) for i, j in pairwise(index)]
    known = [
        (-s[0] / stills.pictures[0].y.shape[1], s[1] / stills.pictures[0].y.shape[0], *s[2:])
        for s in steps
        if s is not None
    ]
    if not known:
        return ShotMotion(start, end, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    course: F64 = np.cumsum([(x, y, math.log(s), r) for x, y, s, r in known], axis=0)
    # Steps that are not known are taken to go on like the others.
    share = len(known) / len(steps)
    pan, tilt, zoom, roll = (float(x) / share for x in course[-1])
    reach = float(np.abs(course[:, :2]).max())
    return ShotMotion(
        start, end, pan, tilt, math.exp(min(max(zoom, -3.0), 3.0)), roll, reach, share
    )
