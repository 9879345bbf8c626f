"""Findings on regions: what was added, removed or changed in place, and what was moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from triptych.diff import thresholds as limit
from triptych.diff.context import Context, finding
from triptych.diff.playback_repeats import repeats
from triptych.measure.descriptors import Orientation
from triptych.measure.matched import own_transform, placement
from triptych.measure.pairs import Pair
from triptych.measure.regions import Region, Regions, differing
from triptych.measure.register import F64
from triptych.record.report import Evidence, Finding, Measure, Media

#: Regions told one by one, and moments shown of each.
MOST_TOLD, MOST_SHOWN = 6, 3

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
    found = repeats(ctx, ctx.match)
    stands = [(f.start, f.end) for f in found.in_b]
    waits = [(f.start, f.end) for f in found.in_a]
    pairs = [p for p in ctx.pairs if not (_inside(p.time_b, stands) or _inside(p.time_a, waits))]
    pairs.sort(key=lambda p: p.time_b)
    regions = differing(pairs, limit.REGION_AREA)
    if regions is None:
        return Seen(pairs, None, (), "too few matched moments to compare places")
    if sum(r.area for r in regions.found) > limit.REGIONS_MOST * regions.compared:
        return Seen(pairs, None, (), "the matched pictures do not fit on each other well enough")
    return Seen(pairs, regions, _moved(pairs, regions.found))


def _inside(t: float, spans: Sequence[tuple[float, float]]) -> bool:
    return any(start - 0.05 <= t <= end + 0.05 for start, end in spans)


def findings(ctx: Context) -> Iterator[Finding]:
    """Regions that were added, removed or changed; moved ones are told by :func:`layout`."""
    seen = look(ctx)
    if seen.regions is None:
        if ctx.match is not None:
            said = f"regions cannot be compared: {seen.why}"
            yield finding("subject", "regions", "unknown", said, confidence=0.5)
        return
    moved = {i for pair in seen.moved for i in pair}
    told = [r for i, r in enumerate(seen.regions.found) if i not in moved]
    if not told:
        yield finding(
            "subject",
            "regions",
            "same",
            "nothing was added, removed or changed in place",
            measure=_measure(seen.regions, 0.0),
            confidence=0.85,
        )
        return
    for r in told[:MOST_TOLD]:
        yield _told(ctx, seen, seen.regions, r)
    if len(told) > MOST_TOLD:
        said = f"{len(told) - MOST_TOLD} more regions differ"
        yield finding("subject", "regions", "different", said, confidence=0.7)


def _measure(regions: Regions, levels: float) -> Measure:
    return Measure(
        name="lasting difference of a place, beyond colour, sharpness and registration",
        unit="levels",
        threshold=round(regions.threshold, 2),
        values={"B": round(levels, 2)},
    )


def _told(ctx: Context, seen: Seen, regions: Regions, r: Region) -> Finding:
    box = _display(ctx.b.media, r.box)
    spans = _spans(seen.pairs, r.moments, ctx.b.duration)
    when = ", ".join(f"{s:.1f}-{e:.1f} s" for s, e in spans)
    where = f"{_where(r.box)} of B at {when} ({100 * r.area:.1f} % of the picture)"
    said = {
        "added": f"something was added at the {where}",
        "removed": f"something was removed or covered at the {where}",
        "changed": f"a region changed at the {where}",
    }[r.kind]
    return finding(
        "subject",
        "regions",
        "different",
        said,
        values={
            "A": None,
            "B": {
                "change": r.kind,
                "box": [round(x) for x in box],
                "spans": [[round(s, 3), round(e, 3)] for s, e in spans],
            },
        },
        measure=_measure(regions, r.levels),
        evidence=_evidence(ctx, seen.pairs, r, spans),
        confidence=min(1.0, 0.5 + r.levels / 60),
    )


def _where(box: Box) -> str:
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    across = "left" if x < 1 / 3 else "right" if x > 2 / 3 else ""
    down = "top" if y < 1 / 3 else "bottom" if y > 2 / 3 else ""
    return " ".join(w for w in (down, across) if w) or "middle"


def _spans(pairs: Sequence[Pair], moments: Sequence[int], end: float) -> list[tuple[float, float]]:
    """When a region shows, in B: halfway to the moments before and after at which it does not."""
    out: list[tuple[float, float]] = []
    times = [p.time_b for p in pairs]
    for i in moments:
        start = 0.0 if i == 0 else (times[i - 1] + times[i]) / 2
        stop = end if i == len(times) - 1 else (times[i] + times[i + 1]) / 2
        if out and start - out[-1][1] < 1e-6:
            out[-1] = out[-1][0], max(stop, out[-1][0])
        else:
            out.append((start, max(stop, start)))
    return out


def _display(media: Media, box: Box) -> list[float]:
    """``box`` (shares) in display pixels."""
    width, height = media.display_width or 1, media.display_height or 1
    return [box[0] * width, box[1] * height, box[2] * width, box[3] * height]


def _evidence(
    ctx: Context, pairs: Sequence[Pair], r: Region, spans: Sequence[tuple[float, float]]
) -> list[Evidence]:
    out = []
    shown = np.linspace(0, len(r.moments) - 1, min(MOST_SHOWN, len(r.moments)))
    for k in shown:
        p = pairs[r.moments[round(float(k))]]
        span = next((s for s in spans if s[0] <= p.time_b <= s[1]), (p.time_b, p.time_b))
        out.append(
            Evidence(
                video="A",
                start_s=p.time_a,
                end_s=p.time_a,
                frame_s=p.time_a,
                box=_box_in_a(ctx, p, r.box),
                shows="before" if r.kind == "changed" else "",
            )
        )
        out.append(
            Evidence(
                video="B",
                start_s=span[0],
                end_s=span[1],
                frame_s=p.time_b,
                box=_display(ctx.b.media, r.box),
                shows=r.kind,
            )
        )
    return out


def _box_in_a(ctx: Context, p: Pair, box: Box) -> list[float] | None:
    """The box around where ``box`` of B lies in A, display pixels; ``None`` outside A."""
    matrix = _matrix(ctx, p)
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
    return _display(ctx.a.media, share)


def _matrix(ctx: Context, p: Pair) -> F64:
    """From pixels of A's analysis picture to B's, as ``p`` was registered."""
    registered = ctx.registered
    transform = None
    if registered is not None:
        own = next((t for a, b, t in registered.each if (a, b) == (p.time_a, p.time_b)), None)
        transform = own_transform(own, registered.transform)
    orientation = Orientation("none", 0)
    for piece in ctx.timemap.pieces:
        if piece.a0 - 0.05 <= p.time_a <= piece.a1 + 0.05:
            orientation = Orientation(piece.mirror, piece.quarter_turns)
            break
    return placement(orientation, transform, ctx.a.size, ctx.b.size)


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


def layout(ctx: Context) -> Finding:
    """Whether something stands elsewhere in the picture."""
    seen = look(ctx)
    if seen.regions is None:
        said = f"layout cannot be compared: {seen.why}"
        return finding("position", "layout", "unknown", said, confidence=0.5)
    if not seen.moved:
        return finding(
            "position",
            "layout",
            "same",
            "nothing that both show stands elsewhere in the picture",
            values={"A": 0, "B": 0},
            confidence=0.8,
        )
    evidence = []
    parts = []
    for i, j in seen.moved[:MOST_TOLD]:
        r, q = seen.regions.found[i], seen.regions.found[j]
        p = seen.pairs[sorted(set(r.moments) & set(q.moments))[0]]
        parts.append(f"what A shows at the {_where(r.box)} stands at the {_where(q.box)} in B")
        evidence.append(
            Evidence(
                video="A",
                start_s=p.time_a,
                end_s=p.time_a,
                frame_s=p.time_a,
                box=_box_in_a(ctx, p, r.box),
                shows="here in A",
            )
        )
        evidence.append(
            Evidence(
                video="B",
                start_s=p.time_b,
                end_s=p.time_b,
                frame_s=p.time_b,
                box=_display(ctx.b.media, q.box),
                shows="there in B",
            )
        )
    return finding(
        "position",
        "layout",
        "different",
        "; ".join(parts),
        values={"A": 0, "B": len(seen.moved)},
        measure=Measure(
            name="correlation with the place it was moved to",
            unit="correlation",
            threshold=limit.MOVED_ALIKE,
            values={},
        ),
        evidence=evidence,
        confidence=0.8,
    )
