"""What each video's camera does by itself, and the finding on videos that do not match."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from triptych.diff.camera_shots import transitions_of
from triptych.diff.context import Context, finding
from triptych.diff.thresholds import (
    DRIFT_DEGREES,
    DRIFT_SHIFT,
    DRIFT_ZOOM,
    MOVES_GROSSLY,
    STANDS_STILL,
    STEPS_KNOWN,
)
from triptych.measure.camera_motion import ShotMotion, own_motion, shots_between
from triptych.record.report import Evidence, Finding, Measure

Name = Literal["A", "B"]


@dataclass(frozen=True, slots=True)
class Own:
    """A camera's course over the shots of a stretch, all of whose steps are known but a few."""

    shots: Sequence[ShotMotion]

    def amounts(self) -> dict[str, float]:
        """How the picture goes, as the drift has it: right, down, log of the scale, clockwise."""
        return {
            "pan": -sum(s.pan for s in self.shots),
            "tilt": sum(s.tilt for s in self.shots),
            "zoom": sum(math.log(s.zoom) for s in self.shots),
            "roll": sum(s.roll for s in self.shots),
        }


def own(ctx: Context, name: Name, stretch: tuple[float, float] | None = None) -> Own | None:
    """What the camera of ``name`` does in its shots within ``stretch``, seconds.

    ``None`` where too little of it could be measured.
    """
    shots = [s for s in _measured(ctx, name, stretch) if s.known >= STEPS_KNOWN]
    return Own(shots) if shots else None


def _measured(ctx: Context, name: Name, stretch: tuple[float, float] | None) -> list[ShotMotion]:
    survey = ctx.a if name == "A" else ctx.b
    both = transitions_of(ctx)
    found = [] if both is None else both[name == "B"]
    shots = shots_between(found, survey.duration)
    if stretch is not None:
        low, high = stretch
        shots = [(max(a, low), min(b, high)) for a, b in shots if a < high and low < b]
    return own_motion(survey.stills, shots)


def own_kind(found: Own | None) -> Literal["static", "moving", "unknown"]:
    """Whether the camera stands still in all shots, or moves in one."""
    if found is None:
        return "unknown"
    return "static" if all(_still(s) for s in found.shots) else "moving"


def _still(s: ShotMotion) -> bool:
    return (
        s.reach < STANDS_STILL
        and abs(math.log(s.zoom)) < math.log(DRIFT_ZOOM)
        and abs(s.roll) < DRIFT_DEGREES
    )


def _size(s: ShotMotion) -> float:
    """How much the camera moves, in shares of the frame or what is as conspicuous."""
    of_zoom = abs(math.log(s.zoom)) / math.log(DRIFT_ZOOM) * DRIFT_SHIFT
    return max(s.reach, of_zoom, abs(s.roll) / DRIFT_DEGREES * DRIFT_SHIFT)


def described(s: ShotMotion) -> dict[str, Any]:
    """One shot, for the report: times in seconds, percent of the frame, degrees."""
    if s.known < STEPS_KNOWN:
        return {"start_s": round(s.start, 2), "end_s": round(s.end, 2), "kind": "unknown"}
    sizes = {
        "pan": abs(s.pan),
        "tilt": abs(s.tilt),
        "zoom": abs(math.log(s.zoom)) / math.log(DRIFT_ZOOM) * DRIFT_SHIFT,
        "roll": abs(s.roll) / DRIFT_DEGREES * DRIFT_SHIFT,
    }
    kind = "static" if _still(s) else max(sizes, key=lambda k: sizes[k])
    return {
        "start_s": round(s.start, 2),
        "end_s": round(s.end, 2),
        "kind": kind,
        "pan_right_percent": round(100 * s.pan, 1),
        "tilt_up_percent": round(100 * s.tilt, 1),
        "zoom_times": round(s.zoom, 3),
        "picture_clockwise_deg": round(s.roll, 1),
    }


def gross(ctx: Context) -> Finding:
    """Cameras of videos that do not match: different only where one stands and one moves far."""
    both = {name: _measured(ctx, name, None) for name in ("A", "B")}
    values = {name: [described(s) for s in shots] for name, shots in both.items()}
    known = all(shots and all(s.known >= STEPS_KNOWN for s in shots) for shots in both.values())
    sizes = {name: max((_size(s) for s in shots), default=0.0) for name, shots in both.items()}
    measure = Measure(
        name="largest movement in a shot",
        unit="share of the frame",
        threshold=MOVES_GROSSLY,
        values={name: round(x, 4) for name, x in sizes.items()},
    )
    mover, other = ("B", "A") if sizes["B"] > sizes["A"] else ("A", "B")
    stands = all(_still(s) for s in both[other])
    if not (known and stands and sizes[mover] > MOVES_GROSSLY):
        said = "movement cannot be compared moment by moment: no stretch of A was found in B"
        return finding("camera", "movement", "unknown", said, values=values, measure=measure)
    moving = max(both[mover], key=_size)
    what = described(moving)["kind"]
    still = both[other][0]
    evidence = [
        Evidence(video=v, start_s=s.start, end_s=s.end, frame_s=t, shows=shows)
        for v, s, shows in ((mover, moving, what), (other, still, "static"))
        for t in (s.start, max(s.start, s.end - 0.1))
    ]
    return finding(
        "camera",
        "movement",
        "different",
        f"{mover}'s camera moves ({what}), {other}'s stands still",
        values=values,
        measure=measure,
        evidence=evidence,
        confidence=0.7,
    )
