"""Findings on camera movement and stability: what one framing does over time and the other not."""

from __future__ import annotations

import math

from triptych.diff.context import Context, finding
from triptych.diff.moments import of_pairs
from triptych.diff.thresholds import DRIFT_DEGREES, DRIFT_SHIFT, DRIFT_ZOOM, SHAKE
from triptych.measure.camera_drift import Change, Drift, drift
from triptych.measure.camera_shake import shake
from triptych.record.report import Evidence, Finding, Measure


def movement(ctx: Context) -> Finding:
    """Pan, tilt, zoom and roll of B's framing against A's over the matched moments.

    Where the same moments are seen in both, the camera's own movement is in both and drops out.
    """
    found = None
    if ctx.match is not None and ctx.registered is not None:
        found = drift(ctx.registered.each)
    if found is None:
        return finding(
            "camera",
            "movement",
            "unknown",
            "movement cannot be compared: too few moments of both could be registered",
        )
    moves = _moves(found)
    worst = max(abs(found.across.net), abs(found.down.net))
    return finding(
        "camera",
        "movement",
        "different" if moves else "same",
        f"over the clip B {' and '.join(moves)} against A" if moves else _still(found),
        values={
            "A": None,
            "B": {
                "across": found.across.net,
                "down": found.down.net,
                "zoom": math.exp(found.log_scale.net),
                "roll_deg": found.degrees.net,
            },
        },
        measure=Measure(
            name="drift of B's picture on A's",
            unit="share of the frame",
            threshold=DRIFT_SHIFT,
            values={
                "B": round(worst, 4),
                "zoom": round(math.exp(found.log_scale.net), 3),
                "roll": round(found.degrees.net, 2),
            },
        ),
        evidence=of_pairs([ctx.pairs[0], ctx.pairs[-1]]) if moves and ctx.pairs else [],
        confidence=found.moments / max(found.asked, 1),
    )


def _still(found: Drift) -> str:
    return f"the framing of both goes the same way over {found.moments} moments"


def _clear(change: Change, threshold: float) -> bool:
    """Whether it goes far enough, and far beyond what single moments scatter."""
    return abs(change.net) > threshold and abs(change.net) > 4 * change.rest


def _moves(d: Drift) -> list[str]:
    """How B's camera moves, in the words of the trade: the picture goes the other way."""
    out = []
    if _clear(d.across, DRIFT_SHIFT):
        side = "left" if d.across.net > 0 else "right"
        out.append(f"pans {side} by {100 * abs(d.across.net):.0f} % of the width")
    if _clear(d.down, DRIFT_SHIFT):
        side = "up" if d.down.net > 0 else "down"
        out.append(f"tilts {side} by {100 * abs(d.down.net):.0f} % of the height")
    if _clear(d.log_scale, math.log(DRIFT_ZOOM)):
        side = "in" if d.log_scale.net > 0 else "out"
        out.append(f"zooms {side} {math.exp(abs(d.log_scale.net)):.2f} times")
    if _clear(d.degrees, DRIFT_DEGREES):
        side = "clockwise" if d.degrees.net > 0 else "counter-clockwise"
        out.append(f"rolls: its picture turns {abs(d.degrees.net):.1f}° {side}")
    return out


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
    return finding(
        "camera",
        "stability",
        "different" if different else "same",
        f"{shaky}'s picture is shakier than {other}'s"
        if different
        else "both are as steady as each other",
        measure=Measure(
            name="jitter of B's picture on A's (standard deviation)",
            unit="share of the width",
            threshold=SHAKE,
            values={"B": round(found.relative, 5)},
        ),
        evidence=evidence,
        confidence=min(0.95, 0.6 + 0.1 * found.bursts),
    )
