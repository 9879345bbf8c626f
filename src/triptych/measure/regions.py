"""Places in which two registered videos differ, once what all places share is taken out.

Pictures of the same moments are brought to one size, colour (:mod:`recolour`) and sharpness; a
pixel differs as far as it lies outside the range of the other's neighbourhood, which forgives a
registration that is a pixel out; and a place counts when it differs at several moments in a row,
which forgives noise, coding and things that move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.pairs import Pair
from triptych.measure.recolour import Recolour, recolouring
from triptych.media.frame import I420

F32 = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Kind = Literal["added", "removed", "changed"]

#: Longest side of the pictures compared, pixels; half the analysis picture where that is smaller.
SIDE = 160
#: Blur that takes noise and coding away before pictures are compared, and the stronger one under
#: which colours are fitted, so that a difference in sharpness does not look like one in contrast.
BLUR, FIT_BLUR = 1.2, 3.0
#: Blurs tried to make A as soft as B, or B as A.
SOFTER = (0.7, 1.2, 1.8, 2.5)
#: By how much a blur must bring the pictures nearer to be believed.
NEARER = 0.97
#: Chroma differs less than luma for the same change.
CHROMA_GAIN = 1.5
#: Moments in a row at which a place must differ.
IN_A_ROW = 3
#: Least difference, levels, and how many times the upper quartile it must be, up to a limit.
#: Five clips and 90 edits that change no region: persistent differences of 99 of 100 pixels stay
#: below 6 levels, those of regions are 14 to 97.
LEVELS, TIMES, MOST_LEVELS = 7.0, 3.0, 20.0
#: Mean difference of a region, in thresholds: what barely passes is no region.
CLEAR = 1.25
#: The same of a small place, and the moments at which it differs at least: chance makes small ones.
#: 120 edits and controls of five clips leave places of 0.11 to 0.54 % with 1.4 to 1.8 thresholds,
#: most at three moments; a pasted apple of 0.13 and 0.3 %: 4.1 and 6.4, throughout.
CLEAR_SMALL, SMALL_MOMENTS = 2.5, 4
#: Share of a place's difference that is left at its edge.
EDGE = 0.4
#: Texture of one over the other, above which something was added.
TEXTURE = 1.25


@dataclass(frozen=True, slots=True)
class Region:
    """A place that differs. ``box``: left, top, width, height in shares of B's display.

    ``moments``: indices of the pairs at which it differs, ascending. ``area``: share of the
    display; ``levels``: mean difference beyond what registration explains. ``texture``: B's over
    A's there.
    """

    box: tuple[float, float, float, float]
    moments: Sequence[int]
    area: float
    levels: float
    texture: float

    @property
    def kind(self) -> Kind:
        """What happened, as far as edges that appear or vanish tell."""
        if self.texture >= TEXTURE:
            return "added"
        return "removed" if self.texture <= 1 / TEXTURE else "changed"


@dataclass(frozen=True, slots=True)
class Regions:
    """All places that differ, largest first, and the share of the picture that could be compared.

    ``threshold``: the difference, levels, that a place had to pass. ``largest``: area of the
    largest place that passed it, share of the display, whether or not it was large enough.
    """

    found: Sequence[Region]
    compared: float
    threshold: float
    largest: float = 0.0


def differing(
    pairs: Sequence[Pair], least_area: float, small: float | None = None
) -> Regions | None:
    """Places of at least ``least_area`` (share of the display) in which ``pairs`` differ.

    Places from ``small`` on count too where they stand out. ``pairs`` in the order of time.
    ``None`` where there are fewer than three.
    """
    small = least_area if small is None else small
    if len(pairs) < IN_A_ROW:
        return None
    a, b, valid = _small(pairs)
    if not valid.any():
        return None
    seen = valid.any(axis=0)
    change, lasting, threshold = _lasting(a, b, valid, valid)
    differs = lasting > threshold
    if differs.mean() >= least_area:
        # Colours fitted without the places that differ: a large one bends the map of colours.
        around = cv2.dilate(differs.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
        again = _lasting(a, b, valid, valid & ~around)
        if float((again[1] > again[2]).mean()) < float(differs.mean()):
            change, lasting, threshold = again
            differs = lasting > threshold
    found, largest = [], 0.0
    for place in _places(differs, small):
        if float(lasting[place].mean()) < CLEAR * threshold:
            continue
        region = _region(lasting, change, a, b, place, threshold)
        largest = max(largest, region.area)
        stands_out = region.levels >= CLEAR_SMALL * threshold
        if region.area >= least_area or (stands_out and len(region.moments) >= SMALL_MOMENTS):
            found.append(region)
    found.sort(key=lambda r: -r.area)
    return Regions(found, float(seen.mean()), threshold, largest)


def _lasting(a: F32, b: F32, valid: Mask, trusted: Mask) -> tuple[F32, F32, float]:
    """Difference at each moment, (n, h, w), what of it lasts, (h, w), and its threshold, levels.

    Colours are fitted where ``trusted``.
    """
    change = _change(a, b, valid, trusted)
    rows = range(len(change) - IN_A_ROW + 1)
    lasting = np.max([change[i : i + IN_A_ROW].min(axis=0) for i in rows], axis=0)
    usual = TIMES * float(np.percentile(lasting[valid.any(axis=0)], 75))
    return change, lasting, min(max(LEVELS, usual), MOST_LEVELS)


def _small(pairs: Sequence[Pair]) -> tuple[F32, F32, Mask]:
    """A's and B's pictures, float32 (n, h, w, 3) in Y, U, V, and where both are valid."""
    height, width = pairs[0].b.y.shape
    scale = min(SIDE / max(height, width), 0.5)
    size = max(8, round(width * scale)), max(8, round(height * scale))

    def shrunk(picture: I420) -> F32:
        planes = (picture.y, picture.u, picture.v)
        small = [cv2.resize(p, size, interpolation=cv2.INTER_AREA) for p in planes]
        return np.dstack(small).astype(np.float32)

    valid = [
        cv2.resize(p.valid.astype(np.uint8) * 255, size, interpolation=cv2.INTER_AREA) > 250
        for p in pairs
    ]
    return (
        np.stack([shrunk(p.a) for p in pairs]),
        np.stack([shrunk(p.b) for p in pairs]),
        np.stack(valid),
    )


def _blurred(pictures: F32, sigma: float) -> F32:
    return np.stack([cv2.GaussianBlur(p, (0, 0), sigma) for p in pictures]).astype(np.float32)


def _change(a: F32, b: F32, valid: Mask, trusted: Mask) -> F32:
    """By how many levels each pixel differs, (n, h, w), beyond its neighbourhood's range."""
    recolour = _fit(a, b, trusted if trusted.any() else valid)
    soft_a, soft_b = _sharpness(a, b, valid, recolour)
    a, b = _blurred(a, soft_a), _blurred(b, soft_b)
    around = np.ones((3, 3), np.uint8)
    out = np.zeros(a.shape[:3], np.float32)
    for i in range(len(a)):
        want = recolour(a[i])
        if valid[i].any():  # a fade or flicker changes all pixels of a moment alike
            want = want + np.median((b[i] - want)[valid[i]], axis=0)
        for c in range(3):
            x, y = np.ascontiguousarray(want[..., c]), np.ascontiguousarray(b[i][..., c])
            above = np.maximum(y - cv2.dilate(x, around), x - cv2.dilate(y, around))
            below = np.maximum(cv2.erode(x, around) - y, cv2.erode(y, around) - x)
            gain = 1.0 if c == 0 else CHROMA_GAIN
            out[i] = np.maximum(out[i], gain * np.maximum(above, below))
        out[i][~_eroded(valid[i], 5)] = 0
    return out


def _eroded(mask: Mask, size: int) -> Mask:
    kernel = np.ones((size, size), np.uint8)
    return np.asarray(cv2.erode(mask.astype(np.uint8), kernel) > 0, np.bool_)


def _fit(a: F32, b: F32, valid: Mask) -> Recolour:
    inner = np.stack([_eroded(v, 13) for v in valid])
    if inner.sum() < 0.3 * valid.sum():
        inner = valid
    return recolouring(_blurred(a, FIT_BLUR)[inner], _blurred(b, FIT_BLUR)[inner])


def _sharpness(a: F32, b: F32, valid: Mask, recolour: Recolour) -> tuple[float, float]:
    """Blurs, standard deviations in pixels, under which both are equally sharp."""
    some = [int(i) for i in np.linspace(0, len(a) - 1, min(3, len(a))) if valid[int(i)].any()]
    luma = [(recolour(a[i])[..., 0].copy(), b[i][..., 0].copy(), valid[i]) for i in some]

    def apart(soft_a: float, soft_b: float) -> float:
        total = 0.0
        for x, y, v in luma:
            left, right = (cv2.GaussianBlur(p, (0, 0), s) for p, s in ((x, soft_a), (y, soft_b)))
            # What differs much is a region, and says nothing about sharpness.
            total += float(np.minimum(np.abs(left - right), 20.0)[v].mean())
        return total

    best = (BLUR, BLUR)
    least = apart(*best)
    for extra in SOFTER:
        soft = (BLUR**2 + extra**2) ** 0.5
        for candidate in ((soft, BLUR), (BLUR, soft)):
            value = apart(*candidate)
            if value < NEARER * least:
                best, least = candidate, value
    return best


def _places(differs: Mask, least_area: float) -> list[Mask]:
    """Connected places of at least ``least_area``, with small gaps closed."""
    closed = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
    least = least_area * differs.size
    large = [labels == i for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] >= least]
    # What is one or two pixels thin is an edge that registration or sharpness left.
    return [place for place in large if _eroded(place, 3).any()]


def _region(lasting: F32, change: F32, a: F32, b: F32, place: Mask, threshold: float) -> Region:
    levels = float(lasting[place].mean())
    each = change[:, place].mean(axis=1)
    moments = np.flatnonzero(each >= max(0.4 * levels, 0.7 * threshold))
    if not len(moments):
        moments = np.array([int(np.argmax(each))])
    height, width = place.shape
    # The blur has spread it: its edge is where some of its full difference is left.
    core = place & (lasting >= EDGE * float(np.percentile(lasting[place], 75)))
    rows, columns = np.flatnonzero(core.any(axis=1)), np.flatnonzero(core.any(axis=0))
    box = (
        float(columns[0] / width),
        float(rows[0] / height),
        float((columns[-1] + 1 - columns[0]) / width),
        float((rows[-1] + 1 - rows[0]) / height),
    )
    # The outline too: what was put in has edges against what is around it.
    rim = cv2.dilate(place.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    of_a, of_b = (
        float(np.mean([_gradient(x[i][..., 0])[rim].mean() for i in moments])) for x in (a, b)
    )
    return Region(
        box=box,
        moments=[int(i) for i in moments],
        area=float(place.mean()),
        levels=levels,
        texture=(of_b + 1.0) / (of_a + 1.0),
    )


def _gradient(luma: F32) -> F32:
    x, y = (cv2.Sobel(luma, cv2.CV_32F, dx, dy, ksize=3) for dx, dy in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(x, y) / 8, np.float32)
