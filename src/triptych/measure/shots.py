"""Where shots begin and end: cuts, dissolves and fades, with their times.

Hard cuts come from PySceneDetect's adaptive detector, which compares the change between two frames
with that of their neighbours; it sees small pictures as the frames pass, with their own times.
Gradual transitions come from :mod:`triptych.measure.gradual`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import cv2
import numpy as np

from triptych.measure.gradual import Gradual, gradual, is_other_shot
from triptych.measure.survey import Thumbs
from triptych.media.frame import I420, U8, Frame

#: Width and height of the pictures the detector sees.
SIDE = (64, 36)
#: Ticks a second of the times handed to the detector: as fine as containers write them.
TICKS = 1_000_000
#: The detector's ratio of a frame's change to that of the two frames either side, and the least
#: change, levels. Ordinary clips (cyclists, hands, a talking head, a belt of bottles): below 15.
#: Hard cuts of the test clip: 22 and more, at a ratio above 10.
RATIO, LEAST_CHANGE = 3.0, 15.0
#: Shortest shot between two cuts, seconds: shorter ones are flashes.
SHORTEST_S = 0.2

#: A rate for the detector, which it does not use, and how many frames it may look back.
RATE, LAG = Fraction(30), 8

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


class ShotSampler:
    """An observer that finds hard cuts. Keeps their times only."""

    def __init__(self) -> None:
        # The package takes half a second to import: only where shots are wanted.
        from scenedetect.detectors import AdaptiveDetector

        self._detector: Any = AdaptiveDetector(
            adaptive_threshold=RATIO,
            min_content_val=LEAST_CHANGE,
            min_scene_len=SHORTEST_S,
            # Value only: the hue of grey and the saturation of black are noise.
            luma_only=True,
        )
        self._recent: list[float] = []
        self._cuts: list[float] = []

    def observe(self, time: float, frame: Frame, picture: I420) -> None:
        """Look at one frame, at 64x36."""
        from scenedetect.common import FrameTimecode, Timecode

        stamp = Timecode(pts=round(time * TICKS), time_base=Fraction(1, TICKS))
        # The rate only serves to print frame numbers; times are compared as they are.
        found = self._detector.process_frame(FrameTimecode(stamp, fps=RATE), small_bgr(picture))
        self._recent = [*self._recent[-LAG:], time]
        for cut in found:
            said = float(cut.seconds)
            self._cuts.append(min(self._recent, key=lambda t: abs(t - said)))

    def cuts(self) -> list[float]:
        """Times of the first frames after hard cuts, seconds."""
        return list(self._cuts)


def small_bgr(picture: I420) -> U8:
    """``picture`` at the detector's size, uint8 (36, 64, 3), blue first."""
    y = cv2.resize(picture.y, SIDE, interpolation=cv2.INTER_AREA)
    u, v = (cv2.resize(x, SIDE, interpolation=cv2.INTER_LINEAR) for x in (picture.u, picture.v))
    return np.asarray(cv2.cvtColor(cv2.merge((y, v, u)), cv2.COLOR_YCrCb2BGR), np.uint8)


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
