"""Who is seen at the same moment of two registered videos, and who in one of them only.

Detectors waver: a score falls with noise, blur and darkness, and crosses any threshold here and
there. So a box that is sure in one video needs only a faint one at its place in the other; and
where there is none, the pictures decide: what looks the same in both is in both. A copy therefore
shows the same people, however much worse it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from triptych.measure.descriptors import Orientation
from triptych.measure.pairs import Pair
from triptych.measure.people_models import Box, Sighting, rgb_of
from triptych.media.frame import I420, U8

Detector = Callable[[U8], list[Sighting]]

#: Boxes show the same where they overlap by so much (intersection over union), or the smaller lies
#: in the larger by so much: a person cut by an edge has a box of another size.
OVERLAP, WITHIN = 0.3, 0.7
#: Blur under which pictures are held against each other, pixels of the analysis picture, and what
#: is put where there is nothing to compare: mid grey, in which no detector sees anything.
BLUR, GREY = 2.0, 128


@dataclass(frozen=True, slots=True)
class Seen:
    """One moment. ``both``: the same person as (of A, of B); ``a``, ``b``: seen in one only.

    All boxes are in shares of the pair's picture, which is B's. ``both`` holds a box twice where
    one detector's score failed and the pictures are alike.
    """

    time_a: float
    time_b: float
    both: Sequence[tuple[Sighting, Sighting]]
    a: Sequence[Sighting]
    b: Sequence[Sighting]


@dataclass(frozen=True, slots=True)
class Limits:
    """Scores from which a box is sure, and from which it will do beside a sure one.

    ``alike``: correlation from which pictures are the same within a box.
    """

    sure: float
    faint: float
    alike: float


def seen(pair: Pair, turned: Orientation, detector: Detector, limits: Limits) -> Seen:
    """What ``detector`` finds in both pictures of ``pair``, where both have one.

    ``turned``: how B shows A's picture; both are looked at as A shows them.
    """
    found: list[list[Sighting]] = []
    for picture in (pair.a, pair.b):
        rgb = rgb_of(picture)
        rgb[~pair.valid] = GREY
        upright = np.ascontiguousarray(_upright(rgb, turned))
        found.append([Sighting(_as_shown(s.box, turned), s.score) for s in detector(upright)])
    both: list[tuple[Sighting, Sighting]] = []
    lone: tuple[list[Sighting], list[Sighting]] = ([], [])
    taken: tuple[set[int], set[int]] = (set(), set())
    order = [(s.score, -side, i) for side in (0, 1) for i, s in enumerate(found[side])]
    for score, minus, i in sorted(order, reverse=True):
        side = -minus
        if score < limits.sure or i in taken[side]:
            continue
        taken[side].add(i)
        own, other = found[side][i], found[1 - side]
        free = [
            j for j, s in enumerate(other)
            if j not in taken[1 - side] and s.score >= limits.faint and overlap(own.box, s.box)
        ]  # fmt: skip
        if free:
            j = max(free, key=lambda j: _shared(own.box, other[j].box))
            taken[1 - side].add(j)
            both.append((own, other[j]) if side == 0 else (other[j], own))
        elif any(overlap(own.box, x[side].box) for x in both):
            continue  # a second box on somebody who is counted
        elif likeness(pair.a, pair.b, own.box) >= limits.alike:
            both.append((own, own))
        else:
            lone[side].append(own)
    return Seen(pair.time_a, pair.time_b, both, lone[0], lone[1])


def _upright(picture: U8, turned: Orientation) -> U8:
    """``picture`` (h, w, 3) of B as A shows it: ``turned`` undone."""
    picture = np.rot90(picture, turned.quarter_turns)
    if turned.mirror == "horizontal":
        return picture[:, ::-1]
    return picture[::-1] if turned.mirror == "vertical" else picture


def _as_shown(box: Box, turned: Orientation) -> Box:
    """``box`` of an upright picture as it lies in B."""
    x, y, w, h = box
    if turned.mirror == "horizontal":
        x = 1 - x - w
    elif turned.mirror == "vertical":
        y = 1 - y - h
    for _ in range(turned.quarter_turns % 4):  # a quarter turn clockwise
        x, y, w, h = 1 - y - h, x, h, w
    return x, y, w, h


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes are of the same person."""
    shared = _shared(one, other)
    areas = one[2] * one[3], other[2] * other[3]
    return shared >= OVERLAP * (sum(areas) - shared) or shared >= WITHIN * max(min(areas), 1e-9)


def _shared(one: Box, other: Box) -> float:
    across = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    down = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(across, 0.0) * max(down, 0.0)


def likeness(a: I420, b: I420, box: Box) -> float:
    """Correlation of luma within ``box``, under a blur that noise and sharpness do not survive."""
    height, width = b.y.shape
    x0, y0 = int(box[0] * width), int(box[1] * height)
    x1, y1 = int(np.ceil((box[0] + box[2]) * width)), int(np.ceil((box[1] + box[3]) * height))
    cut = slice(y0, max(y1, y0 + 1)), slice(x0, max(x1, x0 + 1))
    x, y = (cv2.GaussianBlur(p.y, (0, 0), BLUR)[cut].astype(np.float64).ravel() for p in (a, b))
    x, y = x - x.mean(), y - y.mean()
    energy = float((x @ x) * (y @ y)) ** 0.5
    # Noise remains in what is plain: a spread of a level or two correlates with nothing.
    return float(x @ y) / energy if energy > x.size else 0.0
