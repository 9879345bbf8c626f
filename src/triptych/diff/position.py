"""Findings on position: mirroring, rotation and layout."""

from __future__ import annotations

from collections.abc import Iterator

from triptych.diff.context import Context, finding
from triptych.diff.moments import of_pairs, spread
from triptych.diff.position_layout import layout
from triptych.diff.thresholds import MIRROR_MARGIN, ROTATION_DEG
from triptych.measure.align import Match
from triptych.record.report import Finding, Measure


def findings(ctx: Context) -> Iterator[Finding]:
    """How B's picture is turned against A's."""
    match = ctx.match
    if match is None:
        for aspect in ("mirroring", "rotation"):
            yield finding(
                "position",
                aspect,
                "unknown",
                f"{aspect} cannot be compared: no stretch of A was found in B",
            )
        yield layout(ctx)
        return
    yield _mirroring(ctx, match)
    yield _rotation(ctx)
    yield layout(ctx)


def _mirroring(ctx: Context, match: Match) -> Finding:
    mirrored = ctx.alignment.mirrored
    some = sorted({p.mirror for p in match.timemap.pieces} - {"none"})
    names = {"horizontal": "mirrored left to right", "vertical": "flipped upside down"}
    if mirrored != "none":
        how = f"B is {names[mirrored]}"
    elif some:
        how = f"part of B is {names[some[0]]}"
    else:
        how = "neither is a mirror image of the other"
    margin = match.score - match.other_orientation
    return finding(
        "position",
        "mirroring",
        "different" if some else "same",
        how,
        values={"A": "none", "B": mirrored},
        measure=Measure(
            name="similarity as found, and of the best other orientation",
            unit="correlation",
            threshold=MIRROR_MARGIN,
            values={"B": match.score, "runner-up": match.other_orientation},
        ),
        evidence=of_pairs(spread(ctx.pairs)) if some else [],
        confidence=min(1.0, 0.6 + 2 * max(0.0, margin)),
    )


def _rotation(ctx: Context) -> Finding:
    degrees = ctx.alignment.rotation_deg or 0.0
    registered = ctx.registered
    different = abs(degrees) > ROTATION_DEG
    measure = Measure(
        name="rotation, clockwise", unit="degrees", threshold=ROTATION_DEG, values={"B": degrees}
    )
    if registered is None or registered.transform is None:
        if different:
            return finding(
                "position",
                "rotation",
                "different",
                f"B is turned {_turn(degrees)}",
                measure=measure,
                evidence=of_pairs(spread(ctx.pairs)),
                confidence=0.8,
            )
        return finding(
            "position",
            "rotation",
            "same",
            "not turned by quarters; smaller angles need more texture than the pictures have",
            measure=measure,
            confidence=0.5,
        )
    return finding(
        "position",
        "rotation",
        "different" if different else "same",
        f"B is turned {_turn(degrees)}" if different else "neither is turned against the other",
        values={"A": 0.0, "B": round(degrees, 2)},
        measure=measure,
        evidence=of_pairs(spread(ctx.pairs)) if different else [],
        confidence=0.95,
    )


def _turn(degrees: float) -> str:
    if abs(abs(degrees) - 180) < 0.5:
        return "upside down (180°)"
    side = "clockwise" if degrees > 0 else "counter-clockwise"
    return f"{abs(degrees):.3g}° {side}"
