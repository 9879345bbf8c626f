"""The finding on layout: what stands elsewhere in the picture."""

from __future__ import annotations

from triptych.diff import thresholds as limit
from triptych.diff.context import Context, finding
from triptych.diff.regions_look import box_in_a, in_display, look, where
from triptych.record.report import Evidence, Finding, Measure

#: Moved regions told one by one.
MOST_TOLD = 6


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
        parts.append(f"what A shows at the {where(r.box)} stands at the {where(q.box)} in B")
        evidence.append(
            Evidence(
                video="A",
                start_s=p.time_a,
                end_s=p.time_a,
                frame_s=p.time_a,
                box=box_in_a(ctx, p, r.box),
                shows="here in A",
            )
        )
        evidence.append(
            Evidence(
                video="B",
                start_s=p.time_b,
                end_s=p.time_b,
                frame_s=p.time_b,
                box=in_display(ctx.b.media, q.box),
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
