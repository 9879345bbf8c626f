"""Findings on the subject of videos that have nothing in common."""

from __future__ import annotations

from collections.abc import Iterator

from triptych.diff.context import Context, finding
from triptych.diff.thresholds import AGREEMENT
from triptych.record.report import Evidence, Finding, Measure


def unrelated(ctx: Context) -> Iterator[Finding]:
    """Says so when no stretch of A was found in B."""
    if ctx.match is not None:
        return
    agreement = None if ctx.registered is None else ctx.registered.agreement
    evidence = [
        Evidence(video=name, start_s=t, end_s=t, frame_s=t)
        for name, s in (("A", ctx.a), ("B", ctx.b))
        for t in [float(s.frame_times[len(s.frame_times) // 2])]
    ]
    yield finding(
        "subject",
        "regions",
        "different",
        "B shows none of A's footage: no stretch of one was found in the other",
        measure=Measure(
            name="agreement of what happens, under the best alignment",
            unit="correlation",
            threshold=AGREEMENT,
            values={"B": None if agreement is None else round(agreement, 3)},
        ),
        evidence=evidence,
        confidence=0.7 if agreement is None else min(1.0, 1.0 - max(0.0, agreement)),
    )
