"""Regions as the findings on them need them: measured once, with what moved, and their boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from triptych.diff import thresholds as limit
from triptych.diff.context import Context
from triptych.diff.playback_repeats import repeats
from triptych.measure.align import Match
from triptych.measure.descriptors import Orientation
from triptych.measure.matched import own_transform, placement
from triptych.measure.pairs import Pair
from triptych.measure.regions import Region, Regions, differing
from triptych.measure.register import F64
from triptych.record.report import Media

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Seen:
    """``regions`` in the order of ``pairs``; ``moved`` holds indices (from, to) into them.

    ``why`` says why there are none to speak of, where they could not be measured.
    """

    pairs: Sequence[Pair]
    regions: Regions | None
    moved: Sequence[tuple[int, int]]
    why: str = ""


def look(ctx: Context) -> Seen:
    """The regions of the pair, measured once and kept in ``ctx.observed["regions"]``."""
    kept = ctx.observed.get("regions")
    if kept is None:
        made = _look(ctx)
        ctx.observed["regions"] = kept = (made, made)
    seen = kept[0]
    assert isinstance(seen, Seen)  # noqa: S101  (nobody else writes there)
    return seen


def _look(ctx: Context) -> Seen:
    if ctx.match is None:
        return Seen((), None, (), "no stretch of A was found in B")
    pairs = comparable(ctx, ctx.match)
    regions = differing(pairs, limit.REGION_AREA, limit.REGION_SMALL)
    if regions is None:
        return Seen(pairs, None, (), "too few matched moments to compare places")
    if sum(r.area for r in regions.found) > limit.REGIONS_MOST * regions.compared:
        return Seen(pairs, None, (), "the matched pictures do not fit on each other well enough")
    return Seen(pairs, regions, _moved(pairs, regions.found))


def comparable(ctx: Context, match: Match) -> list[Pair]:
    """The pairs in the order of B's time, but for those at which one stands still alone."""
    found = repeats(ctx, match)
    stands = [(f.start, f.end) for f in found.in_b]
    waits = [(f.start, f.end) for f in found.in_a]
    pairs = [p for p in ctx.pairs if not (_inside(p.time_b, stands) or _inside(p.time_a, waits))]
    return sorted(pairs, key=lambda p: p.time_b)


def _inside(t: float, spans: Sequence[tuple[float, float]]) -> bool:
    return any(start - 0.05 <= t <= end + 0.05 for start, end in spans)


def _moved(pairs: Sequence[Pair], found: Sequence[Region]) -> list[tuple[int, int]]:
    """Pairs (from, to) of regions where B shows at the one what A shows at the other."""
    out: list[tuple[int, int]] = []
    for i, r in enumerate(found):
        for j, q in enumerate(found):
            if i != j and not any(i in m or j in m for m in out) and _shows(pairs, r, q):
                out.append((i, j))
    return out


def _shows(pairs: Sequence[Pair], r: Region, q: Region) -> bool:
    """Whether B shows A's ``r`` at ``q``, at most of the moments they share."""
    common = sorted(set(r.moments) & set(q.moments))
    if len(common) < 2:
        return False
    chosen = [common[int(k)] for k in np.linspace(0, len(common) - 1, min(3, len(common)))]
    return all(_alike(pairs[i], r.box, q.box) for i in chosen)


def _alike(p: Pair, of_a: Box, of_b: Box) -> bool:
    height, width = p.b.y.shape

    def cut(box: Box, pad: int) -> tuple[slice, slice]:
        x, y = round(box[0] * width), round(box[1] * height)
        w, h = round(box[2] * width), round(box[3] * height)
        return (
            slice(max(0, y - pad), min(height, y + h + pad)),
            slice(max(0, x - pad), min(width, x + w + pad)),
        )

    patch = p.a.y[cut(of_a, 0)]
    if min(patch.shape) < limit.MOVED_SIDE or float(patch.std()) < limit.MOVED_CONTRAST:
        return False
    around = p.b.y[cut(of_b, max(patch.shape) // 2)]
    if any(x < y for x, y in zip(around.shape, patch.shape, strict=True)):
        return False
    score = cv2.matchTemplate(around, patch, cv2.TM_CCOEFF_NORMED)
    return float(score.max()) >= limit.MOVED_ALIKE


def where(box: Box) -> str:
    """In which ninth of the picture the middle of ``box`` (shares) lies."""
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    across = "left" if x < 1 / 3 else "right" if x > 2 / 3 else ""
    down = "top" if y < 1 / 3 else "bottom" if y > 2 / 3 else ""
    return " ".join(w for w in (down, across) if w) or "middle"


def in_display(media: Media, box: Box) -> list[float]:
    """``box`` (shares) in display pixels."""
    width, height = media.display_width or 1, media.display_height or 1
    return [box[0] * width, box[1] * height, box[2] * width, box[3] * height]


def box_in_a(ctx: Context, p: Pair, box: Box) -> list[float] | None:
    """The box around where ``box`` of B lies in A, display pixels; ``None`` outside A."""
    matrix = matrix_to_b(ctx, p)
    width_b, height_b = ctx.b.size
    x0, y0 = box[0] * width_b - 0.5, box[1] * height_b - 0.5
    x1, y1 = x0 + box[2] * width_b, y0 + box[3] * height_b
    corners = np.array([[x, y, 1.0] for x in (x0, x1) for y in (y0, y1)])
    back = np.asarray(cv2.invertAffineTransform(matrix), np.float64)
    points = corners @ back.T + 0.5
    low, high = points.min(axis=0), points.max(axis=0)
    low, high = np.maximum(low, 0.0), np.minimum(high, np.array(ctx.a.size, np.float64))
    if np.any(high - low < 1):
        return None
    share = (
        float(low[0] / ctx.a.size[0]),
        float(low[1] / ctx.a.size[1]),
        float((high[0] - low[0]) / ctx.a.size[0]),
        float((high[1] - low[1]) / ctx.a.size[1]),
    )
    return in_display(ctx.a.media, share)


def matrix_to_b(ctx: Context, p: Pair) -> F64:
    """2x3, from pixels of A's analysis picture to B's, as ``p`` was registered."""
    registered = ctx.registered
    transform = None
    if registered is not None:
        own = next((t for a, b, t in registered.each if (a, b) == (p.time_a, p.time_b)), None)
        transform = own_transform(own, registered.transform)
    return placement(orientation_at(ctx, p), transform, ctx.a.size, ctx.b.size)


def orientation_at(ctx: Context, p: Pair) -> Orientation:
    """How B shows A's picture at ``p``: mirrored, and in quarter turns."""
    for piece in ctx.timemap.pieces:
        if piece.a0 - 0.05 <= p.time_a <= piece.a1 + 0.05:
            return Orientation(piece.mirror, piece.quarter_turns)
    return Orientation("none", 0)
