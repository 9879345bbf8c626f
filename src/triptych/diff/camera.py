"""Findings on camera work: framing, shots, movement, stability and shot scale."""

from __future__ import annotations

from collections.abc import Iterator

from triptych.diff import camera_scale
from triptych.diff.camera_movement import movement, stability
from triptych.diff.camera_shots import shots
from triptych.diff.context import Context, finding
from triptych.diff.moments import of_pairs, spread
from triptych.diff.thresholds import FRAMING_SCALE, FRAMING_SHIFT
from triptych.record.report import Finding, Measure


def findings(ctx: Context) -> Iterator[Finding]:
    """Framing, shots, movement, stability and shot scale."""
    yield _framing(ctx)
    cuts = shots(ctx)
    if cuts is not None:
        yield cuts
    yield movement(ctx)
    yield stability(ctx)
    yield from camera_scale.findings(ctx)


def _framing(ctx: Context) -> Finding:
    registered = ctx.registered
    if ctx.match is None or registered is None:
        return finding(
            "camera",
            "framing",
            "unknown",
            "framing cannot be compared: no stretch of A was found in B",
        )
    found = registered.framing
    if found is None:
        return finding(
            "camera",
            "framing",
            "unknown",
            "framing could not be measured: the pictures have too little texture to register",
        )
    dx, dy = found.shift
    scaled = abs(found.scale - 1) > FRAMING_SCALE
    shifted = max(abs(dx), abs(dy)) > FRAMING_SHIFT
    parts = []
    if scaled and found.scale > 1:
        parts.append(f"B is cropped or zoomed in: the picture is {found.scale:.2f} times larger")
    elif scaled:
        parts.append(f"B shows more: the picture is {found.scale:.2f} times the size")
    if shifted:
        parts.append(
            ("and " if parts else "B's picture is ")
            + "shifted "
            + " and ".join(_shift(x, names) for x, names in ((dx, _ACROSS), (dy, _DOWN)) if _big(x))
        )
    different = scaled or shifted
    return finding(
        "camera",
        "framing",
        "different" if different else "same",
        " ".join(parts) if different else "both frame the same picture",
        values={"A": 1.0, "B": {"scale": round(found.scale, 4), "shift": [dx, dy]}},
        measure=Measure(
            name="scale, and shift as a share of the frame",
            unit="times; share",
            threshold=FRAMING_SCALE if scaled or not shifted else FRAMING_SHIFT,
            values={"B": [round(found.scale, 4), dx, dy]},
        ),
        evidence=of_pairs(spread(ctx.pairs)) if different else [],
        confidence=0.95,
    )


_ACROSS = ("left", "right", "width")
_DOWN = ("up", "down", "height")


def _big(x: float) -> bool:
    return bool(abs(x) > FRAMING_SHIFT / 2)


def _shift(x: float, names: tuple[str, str, str]) -> str:
    return f"{100 * abs(x):.1f} % of the {names[2]} {names[x > 0]}"
