"""Findings on whether there is sound, and how loud it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from triptych.diff.context import Context, finding
from triptych.diff.sound_evidence import between, heard, spans
from triptych.diff.thresholds import CHANNELS_LU, LOUDNESS_LU
from triptych.measure.sound import SoundTrack
from triptych.measure.sound_compare import Stretch
from triptych.measure.sound_loudness import integrated
from triptych.record.report import Finding, Measure, Relation, Value


def presence_finding(ctx: Context, a: SoundTrack | None, b: SoundTrack | None) -> Finding:
    """Whether each has sound that can be heard."""
    states, problems, evidence = [], [], []
    for track, survey in ((a, ctx.a), (b, ctx.b)):
        video = survey.media.id
        if track is None and survey.media.audio is not None:
            problems.append(f"the sound track of {video} could not be decoded")
        states.append("none" if track is None else "silent" if track.sounding is None else "sound")
        if track is not None and track.sounding is not None:
            s, e = track.sounding
            evidence.append(heard(video, s, e, f"sounds from {s:.1f} s to {e:.1f} s"))
    values: dict[str, Value] = {"A": states[0], "B": states[1]}
    sounding = [s == "sound" for s in states]
    if problems:
        return finding(
            "sound", "presence", "unknown", "; ".join(problems), values=values, confidence=0.5
        )
    if sounding[0] == sounding[1]:
        statement = "both have sound" if sounding[0] else "neither can be heard"
        if states == ["none", "none"]:
            statement = "no sound in either"
        return finding("sound", "presence", "same", statement, values=values, evidence=evidence)
    mute, which = ("B", states[1]) if sounding[0] else ("A", states[0])
    what = "has no sound" if which == "none" else "is silent throughout"
    measure = Measure(
        name="share that is silent (below -70 dB, K-weighted)",
        unit="1",
        values={
            "A": a.silent_share if a is not None else None,
            "B": b.silent_share if b is not None else None,
        },
    )
    return finding(
        "sound",
        "presence",
        "different",
        f"{mute} {what}, {'A' if mute == 'B' else 'B'} has sound",
        values=values,
        measure=measure,
        evidence=evidence,
    )


def loudness_finding(
    ctx: Context,
    a: SoundTrack,
    b: SoundTrack,
    stretches: Sequence[Stretch],
    same: bool | None,
) -> Finding:
    """How loud both are on ``stretches``. ``same``: they are the same sound for the most part."""
    parts_a, parts_b = [], []
    slope = 1.0
    for s in stretches:
        parts_a.append(a.levels_between(s.a0, s.a1))
        lo, hi = between(s.b0, s.to_b(s.a1))
        parts_b.append(b.levels_between(lo, hi))
        slope = abs(s.slope)
    where = "on the matched stretch" if parts_a else "over all"
    loud_a = integrated(np.concatenate(parts_a) if parts_a else a.levels)
    # Blocks as long as 400 ms of A, so that pauses weigh the same where B plays faster.
    loud_b = integrated(np.concatenate(parts_b) if parts_b else b.levels, block_s=0.4 * slope)
    threshold = LOUDNESS_LU
    channels = [m.audio.channels if m.audio else None for m in (ctx.a.media, ctx.b.media)]
    if channels[0] != channels[1]:
        threshold += CHANNELS_LU
    measure = Measure(
        name=f"integrated loudness of the mono mix {where} against A's (ITU-R BS.1770)",
        unit="LU",
        threshold=threshold,
        values={"B": None if loud_a is None or loud_b is None else loud_b - loud_a},
    )
    values: dict[str, Value] = {"A": _one(loud_a), "B": _one(loud_b)}
    if loud_a is None or loud_b is None:
        relation: Relation = "same" if loud_a == loud_b else "different"
        quiet = "A" if loud_a is None else "B"
        statement = (
            "both are too quiet to have a loudness there"
            if loud_a == loud_b
            else f"{quiet} is silent where the other sounds"
        )
        return finding("sound", "loudness", relation, statement, values=values, measure=measure)
    change = loud_b - loud_a
    if abs(change) < threshold:
        relation, statement = "same", f"equally loud to {abs(change):.1f} LU"
    elif channels[0] != channels[1] and max(c or 0 for c in channels) > 2 and same:
        # How several channels were mixed to fewer (which were left out, what each counted) cannot
        # be known from the result, and it changes the level by as much as an edit would.
        relation = "unknown"
        statement = (
            f"B is {abs(change):.1f} LU {'louder' if change > 0 else 'quieter'}, which may come "
            f"from mixing {channels[0]} channels to {channels[1]}"
        )
    else:
        relation = "different"
        statement = f"B is {abs(change):.1f} LU {'louder' if change > 0 else 'quieter'}"
    values["difference_lu"] = round(change, 2)
    return finding(
        "sound",
        "loudness",
        relation,
        statement,
        values=values,
        measure=measure,
        evidence=spans(stretches),
        confidence=min(1.0, 0.5 + abs(abs(change) - threshold) / 3),
    )


def _one(x: float | None) -> float | None:
    return None if x is None else round(x, 2)
