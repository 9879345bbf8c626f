"""What cannot be told from stills and from clips of a few frames."""

from __future__ import annotations

from triptych.diff.context import Context
from triptych.record.report import Finding

#: Fewer frames, or a shorter clip (seconds), than what time can be told from. Pieces of five clips,
#: 25 and 30 frames a second, against themselves reversed: up to 8 frames (0.32 s) not one was found
#: to run backwards and most to be other footage, from 12 frames (0.4 s) on all were recognised;
#: less their first frame, two were matched a frame out up to 8 and one at 12 (0.48 s), none at 16.
LEAST_FRAMES, LEAST_S = 13, 0.5
#: What has to do with time, whatever was found.
_OF_TIME = {("camera", "movement"), ("camera", "shots"), ("camera", "stability")}
_OF_TIME |= {("motion", "amount"), ("motion", "direction")}
#: What a frame compared with its neighbour shows, and what is called different of a reversed clip.
_OF_INSTANTS = {("position", "layout"), ("subject", "regions")}


def few_frames(ctx: Context) -> str | None:
    """Why time cannot be told, in words, or ``None`` where it can."""
    for s in (ctx.a, ctx.b):
        n = len(s.frame_times)
        if n < LEAST_FRAMES:
            return f"{s.media.id} has {'one frame' if n == 1 else f'{n} frames'} only"
    for s in (ctx.a, ctx.b):
        if s.duration < LEAST_S:
            return f"{s.media.id} lasts {s.duration:.2f} s only"
    return None


def limited(ctx: Context, finding: Finding) -> Finding:
    """``finding``, or "unknown" in its place where there are too few frames to tell it from."""
    why = few_frames(ctx)
    if why is None or finding.relation == "unknown":
        return finding
    key = (finding.dimension, finding.aspect)
    stills = len(ctx.a.frame_times) == len(ctx.b.frame_times) == 1
    if finding.dimension == "playback technique" or key in _OF_TIME:
        return _unknown(finding, why)
    if key == ("motion", "timing") and finding.relation == "same":
        return _unknown(finding, why)
    if key in _OF_INSTANTS and finding.relation == "different" and not stills:
        same_place = ctx.registered is not None and ctx.registered.transform is not None
        if ctx.match is not None or same_place:
            return _unknown(finding, f"{why}, too few to be sure of the same instants")
    return finding


def _unknown(finding: Finding, why: str) -> Finding:
    update = {
        "relation": "unknown",
        "statement": f"{finding.aspect} cannot be told: {why}",
        "values": {},
        "evidence": [],
        "confidence": 0.5,
    }
    return finding.model_copy(update=update)
