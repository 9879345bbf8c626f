"""Findings on motion: timing (stretches removed, inserted or moved); how much and which way."""

from __future__ import annotations

from collections.abc import Iterator

from triptych.diff import motion_amount
from triptych.diff.context import Context, finding
from triptych.diff.playback_repeats import repeats as ctx_repeats
from triptych.diff.thresholds import TIMING_S
from triptych.measure.align import Match
from triptych.measure.edits import Change, changes
from triptych.record.report import Evidence, Finding, Measure

#: Changes told one by one; the rest are counted.
MOST_TOLD = 8


def findings(ctx: Context) -> Iterator[Finding]:
    """Amount and direction, and stretches of one that are missing or elsewhere in the other."""
    yield from motion_amount.findings(ctx)
    yield from _timing(ctx)


def _timing(ctx: Context) -> Iterator[Finding]:
    match = ctx.match
    if match is None:
        yield finding(
            "motion",
            "timing",
            "unknown",
            "timing cannot be compared: no stretch of A was found in B",
        )
        return
    found = [c for c in _changes(ctx, match) if c.seconds >= TIMING_S]
    if not found:
        yield finding(
            "motion",
            "timing",
            "same",
            "nothing was removed, inserted, repeated or moved",
            measure=Measure(
                name="longest unmatched stretch", unit="s", threshold=TIMING_S, values={}
            ),
            confidence=0.95,
        )
        return
    for change in found[:MOST_TOLD]:
        yield _told(change)
    if len(found) > MOST_TOLD:
        yield finding(
            "motion", "timing", "different", f"{len(found) - MOST_TOLD} more stretches differ"
        )


def _changes(ctx: Context, match: Match) -> list[Change]:
    """All changes but those that are freezes and loops, which playback technique tells."""
    repeats = ctx_repeats(ctx, match)
    found = changes(repeats.timemap, repeats.holds, ctx.a.duration, ctx.b.duration, TIMING_S)
    return [c for c in found if not repeats.explains(c) and not _damaged(c, ctx, match)]


def _damaged(c: Change, ctx: Context, match: Match) -> bool:
    """Whether what is missing from one is where that one's file is damaged or cut short."""
    pieces = match.timemap.pieces
    if c.kind == "removed" and c.a is not None:
        at = c.a[0]
        near = min(pieces, key=lambda p: max(p.a0 - at, at - p.a1))
        missing, damage = sorted(near.to_b(t) for t in c.a), ctx.b.media.damage
    elif c.kind == "inserted" and c.b is not None:
        at = c.b[0]
        near = min(pieces, key=lambda p: max(min(p.b0, p.b1) - at, at - max(p.b0, p.b1)))
        missing, damage = sorted(near.to_a(t) for t in c.b), ctx.a.media.damage
    else:
        return False
    start, end = missing
    lost = sum(max(0.0, min(end, d.end_s) - max(start, d.start_s)) for d in damage)
    return lost > end - start - TIMING_S


def _told(c: Change) -> Finding:
    evidence = []
    values: dict[str, object] = {"A": None, "B": None}
    for video, span in (("A", c.a), ("B", c.b)):
        if span is not None:
            values[video] = [round(span[0], 3), round(span[1], 3)]
            evidence.append(
                Evidence(
                    video=video,
                    start_s=span[0],
                    end_s=span[1],
                    frame_s=(span[0] + span[1]) / 2,
                    shows=c.kind,
                )
            )
    return finding(
        "motion",
        "timing",
        "different",
        c.statement,
        values=values,
        measure=Measure(
            name=f"length of the {c.kind} stretch",
            unit="s",
            threshold=TIMING_S,
            values={"A" if c.b is None else "B": c.seconds},
        ),
        evidence=evidence,
        confidence=min(1.0, 0.6 + c.seconds / 2),
    )
