"""Findings on regions: what was added, removed or changed in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from triptych.diff import thresholds as limit
from triptych.diff.context import Context, finding
from triptych.diff.regions_look import Seen, box_in_a, in_display, look, where
from triptych.measure.pairs import Pair
from triptych.measure.regions import Region, Regions
from triptych.record.report import Evidence, Finding, Measure

#: Regions told one by one, and moments shown of each.
MOST_TOLD, MOST_SHOWN = 6, 3


def findings(ctx: Context) -> Iterator[Finding]:
    """Regions that were added, removed or changed; moved ones are told as layout."""
    seen = look(ctx)
    if seen.regions is None:
        if ctx.match is not None:
            said = f"regions cannot be compared: {seen.why}"
            yield finding("subject", "regions", "unknown", said, confidence=0.5)
        return
    moved = {i for pair in seen.moved for i in pair}
    told = [r for i, r in enumerate(seen.regions.found) if i not in moved]
    if not told:
        # The measure rounds areas up: blur spreads what is small by about half.
        least, small = 100 * limit.REGION_AREA, 100 * limit.REGION_SMALL
        yield finding(
            "subject",
            "regions",
            "same",
            f"nothing larger than about {least:.2g} % of the picture was added, removed or changed "
            f"in place, nor larger than {small:.2g} % that stands out",
            measure=Measure(
                name="largest place that differs lastingly",
                unit="share of the picture",
                threshold=limit.REGION_AREA,
                values={"B": round(seen.regions.largest, 5)},
            )
            if not moved
            else None,
            confidence=0.85,
        )
        return
    for r in told[:MOST_TOLD]:
        yield _told(ctx, seen, seen.regions, r)
    if rest := told[MOST_TOLD:]:
        places = ", ".join(dict.fromkeys(where(r.box) for r in rest))
        yield finding(
            "subject",
            "regions",
            "different",
            f"B differs in {len(rest)} more regions ({places})",
            measure=_measure(seen.regions, max(r.levels for r in rest)),
            evidence=[
                e
                for r in rest[:MOST_TOLD]
                for e in _evidence(ctx, seen.pairs, r, _spans(ctx, seen.pairs, r.moments), 1)
            ],
            confidence=0.7,
        )


def _measure(regions: Regions, levels: float) -> Measure:
    return Measure(
        name="lasting difference of a place, beyond colour, sharpness and registration",
        unit="levels",
        threshold=round(regions.threshold, 2),
        values={"B": round(levels, 2)},
    )


def _told(ctx: Context, seen: Seen, regions: Regions, r: Region) -> Finding:
    box = in_display(ctx.b.media, r.box)
    spans = _spans(ctx, seen.pairs, r.moments)
    when = ", ".join(f"{s:.1f}-{e:.1f} s" for s, e in spans)
    what = {
        "added": "something was added",
        "removed": "something was removed or covered",
        "changed": "something changed",
    }[r.kind]
    said = f"in B {what} at the {where(r.box)} ({when}, {100 * r.area:.1f} % of the picture)"
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


def _spans(
    ctx: Context, pairs: Sequence[Pair], moments: Sequence[int]
) -> list[tuple[float, float]]:
    """When a region shows, in B: halfway to the moments before and after at which it does not.

    Never beyond the matched stretch that a moment lies in: nothing was compared there.
    """
    out: list[tuple[float, float]] = []
    times = [p.time_b for p in pairs]
    for i in moments:
        first, last = _matched(ctx, times[i])
        start = first if i == 0 else max(first, (times[i - 1] + times[i]) / 2)
        stop = last if i == len(times) - 1 else min(last, (times[i] + times[i + 1]) / 2)
        if out and start - out[-1][1] < 1e-6:
            out[-1] = out[-1][0], max(stop, out[-1][1])
        else:
            out.append((start, max(stop, start)))
    return out


def _matched(ctx: Context, t: float) -> tuple[float, float]:
    """Start and end, in B, of the piece that B's moment ``t`` lies in, or next to."""
    spans = [sorted((p.b0, p.b1)) for p in ctx.timemap.pieces]
    if not spans:
        return 0.0, ctx.b.duration
    low, high = min(spans, key=lambda s: (max(s[0] - t, t - s[1], 0.0), s[0]))
    return max(0.0, min(low, t)), min(max(high, t), max(ctx.b.duration, t))


def _evidence(
    ctx: Context,
    pairs: Sequence[Pair],
    r: Region,
    spans: Sequence[tuple[float, float]],
    most: int = MOST_SHOWN,
) -> list[Evidence]:
    out = []
    shown = np.linspace(0, len(r.moments) - 1, min(most, len(r.moments)))
    for k in shown:
        p = pairs[r.moments[round(float(k))]]
        span = next((s for s in spans if s[0] <= p.time_b <= s[1]), (p.time_b, p.time_b))
        out.append(
            Evidence(
                video="A",
                start_s=p.time_a,
                end_s=p.time_a,
                frame_s=p.time_a,
                box=box_in_a(ctx, p, r.box),
                shows="before" if r.kind == "changed" else "",
            )
        )
        out.append(
            Evidence(
                video="B",
                start_s=span[0],
                end_s=span[1],
                frame_s=p.time_b,
                box=in_display(ctx.b.media, r.box),
                shows=r.kind,
            )
        )
    return out
