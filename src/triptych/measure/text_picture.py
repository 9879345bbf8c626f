"""Look at the place of a text in both pictures, before what was read is believed."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from triptych.measure.text_models import F32
from triptych.measure.text_reading import Box, Turn, turned_back
from triptych.media.frame import U8

#: Height to which a line is brought before it is compared, pixels.
HEIGHT = 32
#: Share of the height that the other picture is searched around the place.
MARGIN = 0.4
#: Width and step of the windows in which a line is compared sign by sign, pixels at HEIGHT.
WINDOW, WINDOW_STEP = 20, 4
#: Blurs, pixels at HEIGHT: what is coarser than WIDE is ground, not text; NARROW leaves of a text
#: what blur and noise leave of it.
NARROW, WIDE = 3.2, 9.0


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two pictures of a line are.

    ``whole`` is their normalised correlation, ``least`` that of the window where they differ most
    (a changed sign shows there), ``coarse`` that after both were blurred, which survives blur and
    noise: -1 to 1.
    """

    whole: float
    least: float
    coarse: float


def likeness(picture: U8, box: Box, other: U8, place: Box, turn: Turn = ("none", 0)) -> Likeness:
    """Compare ``picture`` (h, w, 3) at ``box`` with ``other`` around ``place``; both in its pixels.

    ``turn``: how the other picture is turned against this one.
    """
    line = _cut(picture, box, 0.0)
    region = _cut(other, place, MARGIN)
    if line is None or region is None:
        return Likeness(-1.0, -1.0, -1.0)
    region = turned_back(region, turn)
    width = int(np.clip(round(HEIGHT * box[2] / max(box[3], 1)), HEIGHT // 2, 40 * HEIGHT))
    template = _resized(line, width, HEIGHT)
    strokes = _band(template)
    best: tuple[float, U8] | None = None
    for stretch in (0.94, 1.0, 1.06):
        wide = round(stretch * (width + 2 * MARGIN * HEIGHT))
        high = round(stretch * (1 + 2 * MARGIN) * HEIGHT)
        searched = _resized(region, max(wide, width), max(high, HEIGHT))
        scores = cv2.matchTemplate(_band(searched), strokes, cv2.TM_CCOEFF_NORMED)
        _, top, _, (x, y) = cv2.minMaxLoc(scores)
        if np.isfinite(top) and (best is None or top > best[0]):
            best = float(top), searched[y : y + HEIGHT, x : x + width]
    if best is None:
        return Likeness(-1.0, -1.0, -1.0)
    whole, found = best
    coarse = _correlation(_band(template, NARROW), _band(found, NARROW))
    return Likeness(whole, _least(strokes, _band(found)), coarse)


def _least(x: F32, y: F32) -> float:
    """Least correlation over windows in which at least one of the two shows strokes."""
    strong = 0.5 * max(float(x.std()), float(y.std()), 1.0)
    least = 1.0
    for left in range(0, max(x.shape[1] - WINDOW, 0) + 1, WINDOW_STEP):
        u, v = x[:, left : left + WINDOW], y[:, left : left + WINDOW]
        if max(float(u.std()), float(v.std())) >= strong:
            least = min(least, _correlation(u, v))
    return least


def _band(part: U8, narrow: float = 0.0) -> F32:
    """Strokes without their ground, blurred by ``narrow``."""
    fine = part.astype(np.float32)
    ground = cv2.GaussianBlur(fine, (0, 0), WIDE)
    if narrow:
        fine = np.asarray(cv2.GaussianBlur(fine, (0, 0), narrow), np.float32)
    return np.asarray(fine - ground, np.float32)


def _correlation(a: F32, b: F32) -> float:
    u, v = a - a.mean(), b - b.mean()
    norm = float(np.sqrt((u * u).sum() * (v * v).sum()))
    return float((u * v).sum()) / norm if norm > 0 else 0.0


def _cut(picture: U8, box: Box, margin: float) -> U8 | None:
    """Grey ``box`` of ``picture`` grown by ``margin`` of its shorter side, edges repeated."""
    grow = margin * min(box[2], box[3])
    x0, y0 = box[0] - grow, box[1] - grow
    x1, y1 = box[0] + box[2] + grow, box[1] + box[3] + grow
    height, width = picture.shape[:2]
    inside = max(min(x1, width) - max(x0, 0), 0) * max(min(y1, height) - max(y0, 0), 0)
    if inside < 0.6 * (x1 - x0) * (y1 - y0) or inside < 16:
        return None
    columns = np.clip(np.arange(round(x0), max(round(x1), round(x0) + 1)), 0, width - 1)
    rows = np.clip(np.arange(round(y0), max(round(y1), round(y0) + 1)), 0, height - 1)
    part = np.ascontiguousarray(picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
    grey = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)
    return grey[np.ix_(rows - rows[0], columns - columns[0])]


def _resized(part: U8, width: int, height: int) -> U8:
    shrinks = height < part.shape[0]
    way = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(part, (width, height), interpolation=way), np.uint8)


def mapped_box(box: Box, content: Box, other: Box, turn: Turn) -> Box:
    """Where ``box`` of one video's picture ``content`` (x, y, w, h) lies in ``other``, turned."""
    u0, v0 = (box[0] - content[0]) / content[2], (box[1] - content[1]) / content[3]
    u1, v1 = u0 + box[2] / content[2], v0 + box[3] / content[3]
    mirror, quarters = turn
    if mirror == "horizontal":
        u0, u1 = 1 - u1, 1 - u0
    elif mirror == "vertical":
        v0, v1 = 1 - v1, 1 - v0
    for _ in range(quarters % 4):  # clockwise: the left edge becomes the top one
        u0, v0, u1, v1 = 1 - v1, u0, 1 - v0, u1
    return (
        other[0] + u0 * other[2],
        other[1] + v0 * other[3],
        (u1 - u0) * other[2],
        (v1 - v0) * other[3],
    )


def inverse(turn: Turn) -> Turn:
    """The turn that undoes ``turn``: mirrored first, then quarter turns clockwise."""
    mirror, quarters = turn
    if mirror == "none" or quarters % 2 == 0:
        return mirror, -quarters % 4
    # Undoing "mirror, then quarter turn" mirrors the other way first, then turns as before:
    # a quarter turn carries a mirroring about one axis into one about the other.
    return mirror, quarters % 4
