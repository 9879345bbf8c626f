"""Findings on frozen frames, repeated or dropped frames, and loops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from triptych.diff import thresholds as limit
from triptych.diff.context import Context, finding
from triptych.measure.align import Match
from triptych.measure.edits import Change
from triptych.measure.frozen import Freeze, Moving, camera_only, freezes, inverse, thawed
from triptych.measure.loops import Loop, loops
from triptych.measure.pairs import Pair
from triptych.measure.pieces import Hold
from triptych.measure.repeats import Held, Steps, held, still_alike, times_in_a, times_in_b
from triptych.measure.timemap import TimeMap
from triptych.record.report import Evidence, Finding, Measure

TECHNIQUE: Final = "playback technique"
ASPECTS = ("frozen frames", "repeated or dropped frames", "looping")
#: Freezes and held frames shown one by one.
MOST_SHOWN = 6
#: Side of the blocks in which frames are held to be equal, pixels of the analysis picture.
BLOCK = 8


@dataclass(frozen=True, slots=True)
class Repeats:
    """What stands still or comes again, and the map of time without the freezes."""

    in_a: Sequence[Freeze]
    in_b: Sequence[Freeze]
    loops: Sequence[Loop]
    timemap: TimeMap
    holds: Sequence[Hold]

    def explains(self, change: Change) -> bool:
        """Whether a change of timing is a part of a freeze or a loop."""
        if change.kind in ("repeated", "moved") and change.b is not None:
            middle = sum(change.b) / 2
            return any(x.b[0] <= middle <= x.b[1] for x in self.loops)
        if change.kind == "removed" and change.a is not None:
            return any(_within(change.a, sorted((f.other, f.resumes))) for f in self.in_b) or any(
                _within(change.a, (f.start, f.end)) for f in self.in_a
            )
        if change.kind == "inserted" and change.b is not None:
            return any(_within(change.b, sorted((f.other, f.resumes))) for f in self.in_a)
        return False


def _within(inner: Sequence[float], outer: Sequence[float], slack: float = 0.2) -> bool:
    return inner[0] >= outer[0] - slack and inner[1] <= outer[1] + slack


def repeats(ctx: Context, match: Match) -> Repeats:
    """Freezes and loops of the matched pair."""
    in_a: list[Freeze] = []
    in_b: list[Freeze] = []
    if "steps" in ctx.observed:
        a, b = _moving(ctx)
        in_b = freezes(b, a, match.timemap, limit.FREEZE_S)
        in_a = freezes(a, b, inverse(match.timemap), limit.FREEZE_S)
        if camera_varies(ctx):
            in_b = [f for f in in_b if not camera_only(ctx.a.stills, f)]
            in_a = [f for f in in_a if not camera_only(ctx.b.stills, f)]
    timemap, holds = thawed(match.timemap, match.holds, in_b)
    return Repeats(in_a, in_b, loops(timemap), timemap, holds)


def camera_varies(ctx: Context) -> bool:
    """Whether the registration of the moments says that one camera moves otherwise."""
    if ctx.registered is None:
        return False
    found = [t for _, _, t in ctx.registered.each if t is not None and t.agreeing >= 20]
    if len(found) < 4:
        return False
    each = np.array([[t.scale, *t.shift, t.degrees] for t in found])
    low, high = np.quantile(each, [0.1, 0.9], axis=0)
    scale, shift, degrees = limit.CAMERA_VARIES
    return bool(np.any(high - low > np.array([scale, shift, shift, degrees])))


def _steps(ctx: Context) -> tuple[Steps, Steps]:
    a, b = ctx.observed["steps"]
    return a.steps(), b.steps()


def _moving(ctx: Context) -> tuple[Moving, Moving]:
    a, b = _steps(ctx)
    return Moving(a, ctx.a.thumbs), Moving(b, ctx.b.thumbs)


def findings(ctx: Context) -> Iterator[Finding]:
    """Frozen frames, held frames and loops, one finding each."""
    match = ctx.match
    if match is None or "steps" not in ctx.observed:
        for aspect in ASPECTS:
            said = f"{aspect} cannot be compared: no stretch of A was found in B"
            yield finding(TECHNIQUE, aspect, "unknown", said)
        return
    found = repeats(ctx, match)
    yield _frozen(found)
    yield _held(ctx, found)
    yield _looping(found)


def _frozen(found: Repeats) -> Finding:
    sides = (("A", "B", found.in_a), ("B", "A", found.in_b))
    longest = {name: max((f.end - f.start for f in fs), default=0.0) for name, _, fs in sides}
    parts = []
    evidence: list[Evidence] = []
    for name, other, fs in sides:
        if not fs:
            continue
        spans = ", ".join(f"{f.start:.2f}-{f.end:.2f} s" for f in fs[:MOST_SHOWN])
        kept = all(abs(f.resumes - f.other) < 0.5 * (f.end - f.start) for f in fs)
        then = "then goes on where it stopped" if kept else f"while {other} moves on"
        more = f" and {len(fs) - MOST_SHOWN} times more" if len(fs) > MOST_SHOWN else ""
        parts.append(f"{name} stands still at {spans}{more}, {then}")
        for f in fs[:MOST_SHOWN]:
            low, high = sorted((f.other, f.resumes))
            evidence.append(_evidence(name, f.start, f.end, "stands still"))
            evidence.append(_evidence(other, max(0.0, low), max(0.0, high), "moves"))
    return finding(
        TECHNIQUE,
        "frozen frames",
        "different" if parts else "same",
        "; ".join(parts) or "neither stands still where the other moves",
        values={
            name: [[round(f.start, 3), round(f.end, 3)] for f in fs[:MOST_SHOWN]]
            for name, _, fs in sides
        },
        measure=Measure(
            name="longest freeze", unit="s", threshold=limit.FREEZE_S, values=dict(longest)
        ),
        evidence=evidence,
        confidence=0.95 if not parts else min(1.0, 0.7 + max(longest.values()) / 3),
    )


def _evidence(video: str, start: float, end: float, shows: str) -> Evidence:
    middle = (start + end) / 2
    return Evidence(video=video, start_s=start, end_s=end, frame_s=middle, shows=shows)


def _held(ctx: Context, found: Repeats) -> Finding:
    a, b = _steps(ctx)
    in_b = held(b, a, times_in_a(found.timemap, b.times))
    in_a = held(a, b, times_in_b(found.timemap, a.times))
    measure = Measure(
        name="share of frames that hold the one before while the other moves",
        unit="share",
        threshold=_share_needed(max(in_a, in_b, key=lambda h: h.share)),
        values={"A": round(in_a.share, 4), "B": round(in_b.share, 4)},
    )
    for name, other, own, its in (("B", "A", in_b, in_a), ("A", "B", in_a, in_b)):
        if not _many(own, its):
            continue
        if camera_varies(ctx):
            said = "the cameras move differently, which hides whether frames are repeated"
            return finding(TECHNIQUE, ASPECTS[1], "unknown", said, measure=measure, confidence=0.5)
        if own.regular:
            said = (
                f"{name} repeats one frame in {own.every:.2g} regularly, as a change of frame "
                "rate does; no frames are repeated or dropped irregularly"
            )
            return finding(TECHNIQUE, ASPECTS[1], "same", said, measure=measure, confidence=0.8)
        return finding(
            TECHNIQUE,
            ASPECTS[1],
            "different",
            f"{name} holds {len(own.times)} frames ({100 * own.share:.0f} % of those that move) "
            f"at irregular moments where {other} moves on",
            values={name: [round(t, 3) for t in own.times[:50]]},
            measure=measure,
            evidence=[_evidence(name, t, t, "repeats the frame before") for t in _spread(own)],
            confidence=min(1.0, 0.6 + 4 * own.share),
        )
    said = "neither repeats or drops frames where the other does not"
    if max(in_a.moving, in_b.moving) == 0:
        if still_alike(b, a, times_in_a(found.timemap, b.times)) and _alike(ctx.pairs):
            said = "both show practically the same still picture throughout"
            return finding(TECHNIQUE, ASPECTS[1], "same", said, measure=measure, confidence=0.9)
        said = "too little moves to tell repeated frames"
        return finding(TECHNIQUE, ASPECTS[1], "unknown", said, measure=measure, confidence=0.5)
    return finding(TECHNIQUE, ASPECTS[1], "same", said, measure=measure, confidence=0.9)


def _many(own: Held, other: Held) -> bool:
    least = max(limit.HELD_LEAST, limit.HELD_TIMES * len(other.times) + limit.HELD_LEAST)
    least = limit.HELD_LEAST if not other.times else least
    return len(own.times) >= least and own.share >= _share_needed(own)


def _share_needed(own: Held) -> float:
    return limit.HELD_SHARE if own.even else limit.HELD_SHARE_UNEVEN


def _alike(pairs: Sequence[Pair]) -> bool:
    """Whether matched frames are practically equal, in all of their blocks."""
    for p in pairs:
        apart = cv2.absdiff(p.a.y, p.b.y) * p.valid.astype(np.uint8)
        size = max(1, apart.shape[1] // BLOCK), max(1, apart.shape[0] // BLOCK)
        if float(cv2.resize(apart, size, interpolation=cv2.INTER_AREA).max()) > limit.EQUAL_LEVELS:
            return False
    return len(pairs) > 0


def _spread(own: Held) -> list[float]:
    index = np.linspace(0, len(own.times) - 1, min(MOST_SHOWN, len(own.times)))
    return [own.times[int(i)] for i in index]


def _looping(found: Repeats) -> Finding:
    if not found.loops:
        return finding(
            TECHNIQUE,
            "looping",
            "same",
            "neither repeats a stretch of the other end to end",
            values={"A": 1, "B": 1},
            confidence=0.9,
        )
    said = "; ".join(
        f"B shows {x.a[0]:.2f}-{x.a[1]:.2f} s of A {_times(x.rounds)} in a row, at "
        f"{x.b[0]:.2f}-{x.b[1]:.2f} s"
        for x in found.loops
    )
    evidence = []
    for x in found.loops:
        evidence.append(_evidence("A", x.a[0], x.a[1], "once"))
        for i in range(min(MOST_SHOWN, round(x.rounds))):
            start = x.b[0] + i * x.period
            evidence.append(_evidence("B", start, min(start + x.period, x.b[1]), f"round {i + 1}"))
    longest = max(found.loops, key=lambda x: x.b[1] - x.b[0])
    return finding(
        TECHNIQUE,
        "looping",
        "different",
        said,
        values={"A": 1, "B": round(longest.rounds, 2)},
        measure=Measure(
            name="length of one round", unit="s", values={"B": round(longest.period, 3)}
        ),
        evidence=evidence,
        confidence=0.95,
    )


def _times(rounds: float) -> str:
    whole = round(rounds)
    return f"{whole} times" if abs(rounds - whole) < 0.1 else f"{rounds:.1f} times"
