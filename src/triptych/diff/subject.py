"""Findings on the subject of videos that have nothing in common."""

from __future__ import annotations

from collections.abc import Iterator

from triptych.diff.context import Context, finding
from triptych.diff.thresholds import MATCH_SCORE
from triptych.record.report import Evidence, Finding, Measure


def unrelated(ctx: Context) -> Iterator[Finding]:
    """Says so when no stretch of A was found in B."""
    if ctx.match is not None:
        return
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
            name="similarity of the best alignment",
            unit="correlation",
            threshold=MATCH_SCORE,
            values={"B": ctx.alignment.score},
        ),
        evidence=evidence,
        confidence=min(1.0, 0.5 + (MATCH_SCORE - ctx.alignment.score)),
    )
