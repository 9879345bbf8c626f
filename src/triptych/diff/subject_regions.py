"""Findings on regions: what was added, removed or changed in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

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
    box = in_display(ctx.b.media, r.box)
    spans = _spans(seen.pairs, r.moments, ctx.b.duration)
    when = ", ".join(f"{s:.1f}-{e:.1f} s" for s, e in spans)
    place = f"{where(r.box)} of B at {when} ({100 * r.area:.1f} % of the picture)"
    said = {
        "added": f"something was added at the {place}",
        "removed": f"something was removed or covered at the {place}",
        "changed": f"a region changed at the {place}",
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
