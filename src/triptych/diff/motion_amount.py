"""Findings on how much moves, and which way, with the camera's own move taken out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from triptych.diff import thresholds as limit
from triptych.diff.context import Context, finding
from triptych.diff.regions_look import look
from triptych.measure.align import Match
from triptych.measure.flow import Motion, motions
from triptych.measure.matched import active_mask
from triptych.record.report import Evidence, Finding, Measure

#: Seconds of content between the two pictures of a step: 5 Hz.
STEP_S = 0.2
#: Moments measured in each video.
MOMENTS = 12


def findings(ctx: Context) -> Iterator[Finding]:
    """Amount and direction of what moves."""
    if ctx.match is not None and _same_events(ctx):
        said = "matched pictures show the same things in the same places, so the same moves"
        agreement = None if ctx.registered is None else ctx.registered.agreement
        measure = Measure(
            name="agreement of what happens",
            unit="correlation",
            threshold=limit.MOTION_AGREES,
            values={"B": None if agreement is None else round(agreement, 3)},
        )
        still = agreement is None
        text = "nothing moves in either that the other does not show" if still else said
        sure = 0.6 if still else 0.9
        yield finding("motion", "amount", "same", text, measure=measure, confidence=sure)
        seen = _direction(ctx, *_measured(ctx)) if _turned(ctx.match) and not still else None
        if seen is not None and seen.relation == "different":
            yield seen
            return
        yield finding("motion", "direction", "same", text, measure=measure, confidence=sure)
        return
    a, b = _measured(ctx)
    yield _amount(ctx, a, b)
    yield _direction(ctx, a, b)


def _turned(match: Match) -> bool:
    """Whether B is turned, mirrored or reversed, so that the same motion goes another way."""
    o = match.orientation
    return match.reverse or o.mirror != "none" or o.quarter_turns != 0


def _same_events(ctx: Context) -> bool:
    """Whether the matched pictures change alike: then what moves in them moves alike."""
    if ctx.registered is None or not ctx.pairs:
        return False
    agreement = ctx.registered.agreement
    if agreement is not None:
        return agreement >= limit.MOTION_AGREES
    regions = look(ctx).regions
    return regions is not None and not regions.found


def _measured(ctx: Context) -> tuple[list[Motion], list[Motion]]:
    """Motion at the same moments of both where they match, else spread over each."""
    times: dict[str, list[float]] = {"A": [], "B": []}
    speed = 1.0
    if ctx.match is not None and ctx.pairs:
        index = np.linspace(0, len(ctx.pairs) - 1, min(MOMENTS, len(ctx.pairs)))
        for k in index:
            p = ctx.pairs[int(k)]
            times["A"].append(p.time_a)
            times["B"].append(p.time_b)
        speed = ctx.match.speed
    else:
        for name, s in (("A", ctx.a), ("B", ctx.b)):
            times[name] = [float(t) for t in np.linspace(0, max(0.0, s.duration - STEP_S), MOMENTS)]
    a = motions(ctx.a.stills, times["A"], STEP_S, active_mask(ctx.a))
    # Of the same content in the same way, whatever the speed at which it plays.
    b = motions(ctx.b.stills, times["B"], STEP_S / speed, active_mask(ctx.b))
    return a, b


def _amount(ctx: Context, a: Sequence[Motion], b: Sequence[Motion]) -> Finding:
    if min(len(a), len(b)) < 3:
        return finding("motion", "amount", "unknown", "too few moments to measure motion at")
    speed = ctx.match.speed if ctx.match is not None else 1.0
    levels = [float(np.median([m.amount for m in side])) for side in (a, b)]
    levels[1] /= speed  # a second of content
    ratio = (levels[1] + limit.MOTION_LEAST) / (levels[0] + limit.MOTION_LEAST)
    quartiles = [np.percentile([m.amount for m in side], [25, 75]) for side in (a, b)]
    apart = quartiles[1][0] / speed > quartiles[0][1] or quartiles[1][1] / speed < quartiles[0][0]
    measure = Measure(
        name="way that places go without the camera's move",
        unit="percent of the width a second of content",
        threshold=limit.MOTION_RATIO,
        values={"A": round(levels[0], 3), "B": round(levels[1], 3)},
    )
    clear = apart and not 1 / limit.MOTION_RATIO < ratio < limit.MOTION_RATIO
    if clear:
        more, less = ("B", "A") if ratio > 1 else ("A", "B")
        return finding(
            "motion",
            "amount",
            "different",
            f"more moves in {more} than in {less}, the camera aside",
            values={"A": round(levels[0], 2), "B": round(levels[1], 2)},
            measure=measure,
            evidence=_evidence(a, b),
            confidence=0.7,
        )
    return finding(
        "motion",
        "amount",
        "unknown",
        "the videos do not match well enough to compare how much moves",
        measure=measure,
        confidence=0.5,
    )


def _direction(ctx: Context, a: Sequence[Motion], b: Sequence[Motion]) -> Finding:
    ways = [_way(side) for side in (a, b)]
    measure = Measure(
        name="direction of what moves, clockwise from rightwards",
        unit="degrees",
        threshold=limit.MOTION_TURN_DEG,
        values={
            name: None if way is None else round(math.degrees(way), 1)
            for name, way in zip(("A", "B"), ways, strict=True)
        },
    )
    first, second = ways
    if first is not None and second is not None:
        turn = abs((math.degrees(second - first) + 180) % 360 - 180)
        if turn >= limit.MOTION_TURN_DEG:
            return finding(
                "motion",
                "direction",
                "different",
                f"what moves goes {_named(first)} in A and {_named(second)} in B",
                values={"A": _named(first), "B": _named(second)},
                measure=measure,
                evidence=_evidence(a, b),
                confidence=0.7,
            )
    said = "no common direction of motion stands out in both"
    if first is not None and second is not None:
        said = f"what moves goes {_named(first)} in both, as far as can be told"
    return finding("motion", "direction", "unknown", said, measure=measure, confidence=0.5)


def _way(side: Sequence[Motion]) -> float | None:
    """The angle in which nearly all goes at nearly all moments; ``None`` where there is none."""
    moving = [m for m in side if m.amount >= limit.MOTION_LEAST]
    if len(moving) < max(3, len(side) / 2):
        return None
    total = np.sum([m.direction for m in moving], axis=0)
    if float(np.hypot(*total)) < limit.MOTION_ONE_WAY * sum(m.amount for m in moving):
        return None
    return math.atan2(float(total[1]), float(total[0]))


def _named(angle: float) -> str:
    names = ("right", "down and right", "down", "down and left", "left", "up and left", "up")
    return (*names, "up and right")[round(math.degrees(angle) % 360 / 45) % 8]


def _evidence(a: Sequence[Motion], b: Sequence[Motion]) -> list[Evidence]:
    out = []
    for video, side in (("A", a), ("B", b)):
        most = max(side, key=lambda m: m.amount)
        start = most.time
        out.append(
            Evidence(
                video=video,
                start_s=start,
                end_s=start + most.seconds,
                frame_s=start,
                shows="moves most here",
            )
        )
    return out
