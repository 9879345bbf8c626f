"""The finding on shots: cuts, dissolves and fades of both, at matching times."""

from __future__ import annotations

from typing import Any

from triptych.diff.context import Context, finding
from triptych.diff.thresholds import CUT_SLACK_S, EDGE_SLACK_S
from triptych.measure.shots import ShotSampler, Transition, transitions
from triptych.measure.survey import Survey
from triptych.record.report import Evidence, Finding, Measure


def shots(ctx: Context) -> Finding | None:
    """Transitions that one has within the matched stretches and the other has not.

    ``ctx.observed["shots"]`` holds the samplers of both. A jump where stretches were cut out or
    moved belongs to timing and is not counted.
    """
    samplers = ctx.observed.get("shots")
    if samplers is None:
        return None
    a, b = (_of(sampler, s) for sampler, s in zip(samplers, (ctx.a, ctx.b), strict=True))
    values: dict[str, Any] = {"A": [_told(x) for x in a], "B": [_told(x) for x in b]}
    if ctx.match is None:
        return finding(
            "camera",
            "shots",
            "unknown",
            "shots cannot be compared: no stretch of A was found in B",
            values=values,
        )
    only_a = [x for x in a if _lacks(ctx, x, b, forward=True)]
    only_b = [x for x in b if _lacks(ctx, x, a, forward=False)]
    evidence = []
    for name, found in (("A", only_a), ("B", only_b)):
        evidence += [
            Evidence(video=name, start_s=x.start, end_s=x.end, frame_s=x.time, shows=x.kind)
            for x in found[:4]
        ]
    told = [
        f"{name} has {_count(found)} that {other} has not, at "
        + ", ".join(f"{x.time:.1f} s" for x in found[:4])
        for name, other, found in (("A", "B", only_a), ("B", "A", only_b))
        if found
    ]
    return finding(
        "camera",
        "shots",
        "different" if told else "same",
        "; ".join(told) if told else f"both have the same transitions ({_count(a)})",
        values=values,
        measure=Measure(
            name="transitions that the other lacks",
            unit="transitions",
            threshold=0,
            values={"A": len(only_a), "B": len(only_b)},
        ),
        evidence=evidence,
        confidence=0.7 if told else 0.9,
    )


def _of(sampler: ShotSampler, s: Survey) -> list[Transition]:
    return transitions(sampler.cuts(), s.thumbs)


def _told(x: Transition) -> dict[str, Any]:
    return {"time_s": x.time, "kind": x.kind, "start_s": x.start, "end_s": x.end}


def _count(found: list[Transition]) -> str:
    kinds = {k: sum(x.kind == k for x in found) for k in ("cut", "dissolve", "fade")}
    parts = [f"{n} {k}{'s' if n > 1 else ''}" for k, n in kinds.items() if n]
    return ", ".join(parts) or "none"


def _lacks(ctx: Context, x: Transition, others: list[Transition], *, forward: bool) -> bool:
    """Whether ``x`` lies well within a matched stretch and the other has nothing there."""
    for p in ctx.timemap.pieces:
        low, high = (p.a0, p.a1) if forward else (min(p.b0, p.b1), max(p.b0, p.b1))
        if not low + EDGE_SLACK_S <= x.start or not x.end <= high - EDGE_SLACK_S:
            continue
        there = p.to_b(x.time) if forward else p.to_a(x.time)
        rate = abs(p.slope) if forward else 1 / abs(p.slope)
        slack = CUT_SLACK_S * max(1.0, rate) + (x.end - x.start) / 2 * rate
        return not any(y.start - slack <= there <= y.end + slack for y in others)
    return False
