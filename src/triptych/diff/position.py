"""Findings on position: mirroring, rotation and layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from triptych.diff.context import Context, finding
from triptych.diff.moments import of_pairs, spread
from triptych.diff.position_layout import layout
from triptych.diff.thresholds import MIRROR_MARGIN, ROTATION_DEG
from triptych.measure.align import Match
from triptych.measure.pairs import Pair
from triptych.record.report import Finding, Measure, Relation

#: Pairs that mirroring is decided on where the thumbnails do not tell.
MIRROR_PAIRS = 8


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
    relation: Relation = "different" if some else "same"
    if mirrored != "none":
        how = f"B is {names[mirrored]}"
    elif some:
        how = f"part of B is {names[some[0]]}"
    else:
        how = "neither is a mirror image of the other"
    as_found, otherwise = match.score, match.other_orientation
    if as_found - otherwise < MIRROR_MARGIN:
        # Thumbnails that are mostly dark or plain fit either way; the pictures tell more.
        as_found, otherwise = both_ways(ctx.pairs)
        if as_found - otherwise < MIRROR_MARGIN:
            relation = "unknown"
            how = "the picture is too symmetric or too plain to tell whether one is mirrored"
    return finding(
        "position",
        "mirroring",
        relation,
        how,
        values={} if relation == "unknown" else {"A": "none", "B": mirrored},
        measure=Measure(
            name="similarity as found, less that of the best other orientation",
            unit="correlation",
            threshold=MIRROR_MARGIN,
            values={
                "B": as_found - otherwise,
                "as found": as_found,
                "other orientation": otherwise,
            },
        ),
        evidence=of_pairs(spread(ctx.pairs)) if relation == "different" else [],
        confidence=0.5
        if relation == "unknown"
        else min(1.0, 0.6 + 2 * max(0.0, as_found - otherwise)),
    )


def both_ways(pairs: Sequence[Pair]) -> tuple[float, float]:
    """Correlation of the registered pictures, and with A's mirrored the way that fits better.

    Medians over those pairs that have any contrast; zeros where none has.
    """
    as_found, otherwise = [], []
    for p in spread(pairs, MIRROR_PAIRS):
        if (straight := _correlation(p, None)) is None:
            continue
        turned = [r for flip in (0, 1) if (r := _correlation(p, flip)) is not None]
        if turned:
            as_found.append(straight)
            otherwise.append(max(turned))
    if not as_found:
        return 0.0, 0.0
    return float(np.median(as_found)), float(np.median(otherwise))


def _correlation(p: Pair, flip: int | None) -> float | None:
    """Of luma where both are valid, A's mirrored along axis ``flip``; ``None`` if plain."""
    a, valid = p.a.y, p.valid
    if flip is not None:
        a, valid = np.flip(a, flip), valid & np.flip(valid, flip)
    if valid.mean() < 0.1:
        return None
    of_a, of_b = a[valid].astype(np.float64), p.b.y[valid].astype(np.float64)
    if min(of_a.std(), of_b.std()) < 1:
        return None
    return float(np.corrcoef(of_a, of_b)[0, 1])


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
            "unknown",
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
