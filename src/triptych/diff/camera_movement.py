"""Findings on camera movement and stability: what one framing does over time and the other not."""

from __future__ import annotations

import math
from typing import Any, Literal

from triptych.diff.camera_own import gross, own, own_kind
from triptych.diff.context import Context, finding
from triptych.diff.moments import of_pairs
from triptych.diff.thresholds import DRIFT_DEGREES, DRIFT_SHIFT, DRIFT_ZOOM, SHAKE
from triptych.measure.camera_drift import Change, Drift, drift
from triptych.measure.camera_shake import shake
from triptych.record.report import Evidence, Finding, Measure

Kind = Literal["pan", "tilt", "zoom", "roll"]
#: What counts as a drift, and the unit, by kind.
LIMITS: dict[Kind, tuple[float, str]] = {
    "pan": (DRIFT_SHIFT, "share of the width"),
    "tilt": (DRIFT_SHIFT, "share of the height"),
    "zoom": (math.log(DRIFT_ZOOM), "times, natural logarithm"),
    "roll": (DRIFT_DEGREES, "degrees"),
}
#: Share of the drift that A's own movement must make up, while B stands still, for the movement to
#: be said of A.
A_MOVES = 0.6


def movement(ctx: Context) -> Finding:
    """Pan, tilt, zoom and roll of B's framing against A's over the matched moments.

    Where the same moments are seen in both, the camera's own movement is in both and drops out.
    Videos that do not match are compared by what each camera does in its shots.
    """
    if ctx.match is None:
        return gross(ctx)
    found = None if ctx.registered is None else drift(ctx.registered.each)
    if found is None:
        return finding(
            "camera",
            "movement",
            "unknown",
            "movement cannot be compared: too few moments of both could be registered",
        )
    changes: dict[Kind, Change] = {
        "pan": found.across,
        "tilt": found.down,
        "zoom": found.log_scale,
        "roll": found.degrees,
    }
    moves = [kind for kind, change in changes.items() if _clear(change, LIMITS[kind][0])]
    most = max(changes, key=lambda kind: abs(changes[kind].net) / LIMITS[kind][0])
    worst = max(moves, key=lambda k: abs(changes[k].net) / LIMITS[k][0]) if moves else most
    limit, unit = LIMITS[worst]
    measure = Measure(
        name=f"{worst}: drift of B's picture on A's",
        unit=unit,
        threshold=round(limit, 4),
        values={"B": round(changes[worst].net, 4)},
    )
    if not moves:
        return finding(
            "camera",
            "movement",
            "same",
            f"the framing of both goes the same way over {found.moments} moments",
            measure=measure,
            confidence=found.moments / max(found.asked, 1),
        )
    statement, values = _told(ctx, found, {kind: changes[kind].net for kind in moves}, worst)
    return finding(
        "camera",
        "movement",
        "different",
        statement,
        values=values,
        measure=measure,
        evidence=of_pairs([ctx.pairs[0], ctx.pairs[-1]]) if ctx.pairs else [],
        confidence=min(0.95, 0.5 + 0.45 * found.moments / max(found.asked, 1)),
    )


def _clear(change: Change, threshold: float) -> bool:
    """Whether it goes far enough, and far beyond what single moments scatter."""
    return abs(change.net) > threshold and abs(change.net) > 4 * change.rest


def _told(
    ctx: Context, found: Drift, moves: dict[Kind, float], main: Kind
) -> tuple[str, dict[str, Any]]:
    """The statement, and what each video does."""
    times_a = [t for t, _, _ in (() if ctx.registered is None else ctx.registered.each)]
    own_a = own(ctx, "A", (min(times_a), max(times_a)))
    own_b = own(ctx, "B", (found.start, found.end))
    kinds = {"A": own_kind(own_a), "B": own_kind(own_b)}
    mover, other, sign = "B", "A", 1.0
    if kinds == {"A": "moving", "B": "static"} and own_a is not None:
        by_a = own_a.amounts()[main]
        if by_a * moves[main] < 0 and abs(by_a) > A_MOVES * abs(moves[main]):
            mover, other, sign = "A", "B", -1.0
    said = " and ".join(_move(kind, sign * net) for kind, net in moves.items())
    stands = kinds[other] == "static"
    against = f"; {other}'s stands still" if stands else f" against {other}'s"
    start, end = (found.start, found.end) if mover == "B" else (min(times_a), max(times_a))
    values = {
        mover: {
            **_value(main, sign * moves[main]),
            "start_s": round(start, 2),
            "end_s": round(end, 2),
        },
        other: {"kind": kinds[other]},
    }
    return f"from {start:.1f} to {end:.1f} s {mover}'s camera {said}{against}", values


def _move(kind: Kind, net: float) -> str:
    """What the camera does, in the words of the trade: the picture goes the other way."""
    v = _value(kind, net)
    if kind == "zoom":
        return f"zooms {v['direction']} {v['factor']:.2f} times"
    if kind == "roll":
        way = "clockwise" if net > 0 else "counter-clockwise"
        return f"rolls: the picture turns {abs(net):.1f}° {way}"
    side = "width" if kind == "pan" else "height"
    return f"{kind}s {v['direction']} by {v['percent']:.0f} % of the {side}"


def _value(kind: Kind, net: float) -> dict[str, Any]:
    if kind == "zoom":
        direction = "in" if net > 0 else "out"
        return {"kind": kind, "direction": direction, "factor": round(math.exp(abs(net)), 3)}
    if kind == "roll":
        return {"kind": kind, "picture_clockwise_deg": round(net, 2)}
    ways = ("left", "right") if kind == "pan" else ("up", "down")
    return {"kind": kind, "direction": ways[net < 0], "percent": round(100 * abs(net), 1)}


def stability(ctx: Context) -> Finding:
    """Whether B's framing jitters against A's, or A's against B's."""
    found = None
    if ctx.match is not None and ctx.registered is not None:
        found = shake(ctx.match, ctx.registered.each, ctx.a, ctx.b)
    if found is None:
        return finding(
            "camera",
            "stability",
            "unknown",
            "stability cannot be compared: too few frames of the same instants could be registered",
        )
    different = found.relative > SHAKE
    shaky = "B" if found.own_b >= found.own_a else "A"
    other = "A" if shaky == "B" else "B"
    evidence = []
    if different:
        for i, name in enumerate(("A", "B")):
            times = sorted(at[i] for at in found.at)
            evidence.append(
                Evidence(video=name, start_s=times[0], end_s=times[-1], frame_s=times[0])
            )
    percent = 100 * found.relative
    return finding(
        "camera",
        "stability",
        "different" if different else "same",
        f"{shaky}'s picture shakes by {percent:.1f} % of the width (sigma) against {other}'s"
        if different
        else "both are as steady as each other",
        values={shaky: {"sigma_percent": round(percent, 2)}, other: None} if different else {},
        measure=Measure(
            name="jitter of B's picture on A's (standard deviation)",
            unit="share of the width",
            threshold=SHAKE,
            values={"B": round(found.relative, 5)},
        ),
        evidence=evidence,
        confidence=min(0.95, 0.6 + 0.1 * found.bursts),
    )
