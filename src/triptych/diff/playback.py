"""Findings on playback technique: speed and direction; repeats have a module of their own."""

from __future__ import annotations

from collections.abc import Iterator

from triptych.diff import playback_repeats
from triptych.diff.alignment import speed_known
from triptych.diff.context import Context, finding
from triptych.diff.moments import ends
from triptych.diff.thresholds import SPEED, SPEED_INTERVAL, SPEED_SAME, STILL_MARGIN
from triptych.measure.align import Match
from triptych.record.report import Evidence, Finding, Measure, Relation

DIMENSION = "playback technique"


def findings(ctx: Context) -> Iterator[Finding]:
    """Speed and direction of the matched stretches, and what stands still or comes again."""
    match = ctx.match
    if match is None:
        for aspect in ("speed", "direction"):
            yield finding(
                "playback technique",
                aspect,
                "unknown",
                f"{aspect} cannot be compared: no stretch of A was found in B",
            )
        yield from playback_repeats.findings(ctx)
        return
    yield _speed(ctx, match)
    yield _direction(ctx, match)
    yield from playback_repeats.findings(ctx)


def _speed(ctx: Context, match: Match) -> Finding:
    low, high = match.speed_interval
    bound = 1 + SPEED if match.speed >= 1 else 1 - SPEED
    measure = Measure(
        name="relative speed, with its interval",
        unit="times",
        threshold=bound,
        values={"A": 1.0, "B": match.speed, "interval": [low, high]},
    )
    evidence = ends(ctx)
    why = ""
    if one_picture(ctx, match):
        why = "nothing moves, so that no speed can be told"
    elif not speed_known(match):
        wide = f"(the interval is wider than {100 * SPEED_INTERVAL:.0f} % either way)"
        if 0 < low <= 1 + SPEED and high >= 1 - SPEED:
            why = f"too little moves to tell at what speed B plays {wide}"
        else:
            span = f"{low:.2f} to {high:.2f}"
            why = f"B plays at {span} times A's speed: too wide to state {wide}"
    differs = low > 1 + SPEED or high < 1 - SPEED
    if not (why or differs) and (low < 1 - SPEED_SAME or high > 1 + SPEED_SAME):
        why = (
            f"B plays at {low:.3f} to {high:.3f} times A's speed: too wide an interval to tell "
            "whether the speed is the same"
        )
    if why:
        return finding(
            "playback technique",
            "speed",
            "unknown",
            why,
            measure=measure,
            evidence=evidence,
            confidence=0.5,
        )
    pieces = match.timemap.pieces
    varied = sorted({round(p.speed, 2) for p in pieces if p.a1 - p.a0 > 1.0})
    if differs:
        how = f"B plays the same content at {match.speed:.2f} times A's speed"
        if len(varied) > 1 and varied[-1] / varied[0] > 1.1:
            how += f" (between {varied[0]:.2f} and {varied[-1]:.2f} in its stretches)"
    else:
        how = "both play at the same speed"
    half = max(high / match.speed - 1, 1 - low / match.speed)
    return finding(
        "playback technique",
        "speed",
        "different" if differs else "same",
        how,
        values={"A": 1.0, "B": round(match.speed, 4)},
        measure=measure,
        evidence=evidence if differs else [],
        confidence=1 - 5 * half,
    )


def one_picture(ctx: Context, match: Match) -> bool:
    """Whether both show one still picture: any other speed or direction fits it as well."""
    registered = ctx.registered
    still = registered is not None and registered.agreement is None
    return still and match.score - match.runner_up < STILL_MARGIN


def _direction(ctx: Context, match: Match) -> Finding:
    backward = [p for p in match.timemap.pieces if p.reverse]
    reversed_s = sum(p.a1 - p.a0 for p in backward)
    total = sum(p.a1 - p.a0 for p in match.timemap.pieces)
    margin = match.score - match.runner_up
    evidence: list[Evidence] = []
    relation: Relation
    if reversed_s > 0.5 * total:
        relation, how = "different", "B plays backwards"
        evidence = ends(ctx)
    elif backward:
        relation = "different"
        spans = ", ".join(f"{min(p.b0, p.b1):.1f}-{max(p.b0, p.b1):.1f} s" for p in backward)
        how = f"part of B plays backwards ({spans})"
        for p in backward:
            evidence += [
                Evidence(video="A", start_s=p.a0, end_s=p.a1, shows="forwards"),
                Evidence(
                    video="B", start_s=min(p.b0, p.b1), end_s=max(p.b0, p.b1), shows="backwards"
                ),
            ]
    elif one_picture(ctx, match):
        relation, how = "unknown", "nothing moves, so that no direction can be told"
    else:
        relation, how = "same", "both run in the same direction"
    return finding(
        "playback technique",
        "direction",
        relation,
        how,
        values={}
        if relation == "unknown"
        else {"A": "forward", "B": "reverse" if reversed_s > 0.5 * total else "forward"},
        measure=Measure(
            name="similarity of the best match, and of the best other direction, speed or turn",
            unit="correlation",
            values={"B": match.score, "runner-up": match.runner_up},
        ),
        evidence=evidence,
        confidence=0.5 if relation == "unknown" else min(1.0, 0.6 + 2 * max(0.0, margin)),
    )
