"""The finding on shots: cuts, dissolves and fades of both, at matching times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from triptych.diff.context import Context, finding
from triptych.diff.thresholds import (
    CUT_SLACK_S,
    EDGE_SLACK_S,
    GRADUAL_S,
    LACKING_SHARE,
    TRANSITION_CHANGE,
)
from triptych.measure.gradual import change_over, sudden_share
from triptych.measure.shots import Transition
from triptych.measure.survey import Survey
from triptych.measure.timemap import Piece
from triptych.record.report import Evidence, Finding, Measure

Name = Literal["A", "B"]
#: Of the change over a transition, what one frame makes up: at least so much of a cut, and at most
#: so much of a gradual one. Cuts and dissolves of the test clip: 0.9 and more, 0.1 and less.
SUDDEN, GENTLE = 0.6, 0.4
#: By how much the mapping of time may be out beside a picture that stands still, seconds.
TWIN_S = 0.5
#: Differences told one by one.
MOST_TOLD = 4


@dataclass(frozen=True, slots=True)
class _Lone:
    """A transition of ``video`` for which the other has nothing, or another kind, at ``there``."""

    video: Name
    own: Transition
    there: float
    other: Transition | None


def transitions_of(ctx: Context) -> tuple[list[Transition], list[Transition]] | None:
    """Those of A and of B."""
    return ctx.observed.get("transitions")


def shots(ctx: Context) -> Finding | None:
    """Transitions that one has within the matched stretches and the other has not.

    A jump where stretches were cut out or moved belongs to timing and is not counted. Where the
    detector sees a transition in one only, the pictures decide: matched frames that change as
    much in the other make the same transition.
    """
    both = transitions_of(ctx)
    if both is None:
        return None
    a, b = both
    values: dict[str, Any] = {"A": [_told(x) for x in a], "B": [_told(x) for x in b]}
    if ctx.match is None:
        return finding(
            "camera",
            "shots",
            "unknown",
            "shots cannot be compared: no stretch of A was found in B",
            values=values,
        )
    lone = [x for x in (_lone(ctx, "A", t, b) for t in a) if x is not None]
    lone += [
        x
        for x in (_lone(ctx, "B", t, a) for t in b)
        # Another kind is told once.
        if x is not None and not (x.other is not None and any(x.other is y.own for y in lone))
    ]
    lone = sorted(_without_twins(lone), key=lambda x: x.own.time)
    counted = {name: sum(x.video == name for x in lone) for name in ("A", "B")}
    return finding(
        "camera",
        "shots",
        "different" if lone else "same",
        _statement(lone) if lone else f"both have the same transitions ({_count(a)})",
        values=values,
        measure=Measure(
            name="transitions that the other lacks, or has as another kind",
            unit="transitions",
            threshold=0,
            values=dict(counted),
        ),
        evidence=[e for x in lone[:MOST_TOLD] for e in _evidence(x)],
        confidence=0.75 if lone else 0.9,
    )


def _told(x: Transition) -> dict[str, Any]:
    return {
        "time_s": round(x.time, 3),
        "kind": x.kind,
        "start_s": round(x.start, 3),
        "end_s": round(x.end, 3),
    }


def _count(found: list[Transition]) -> str:
    kinds = {k: sum(x.kind == k for x in found) for k in ("cut", "dissolve", "fade")}
    parts = [f"{n} {k}{'s' if n > 1 else ''}" for k, n in kinds.items() if n]
    return ", ".join(parts) or "none"


def _statement(lone: list[_Lone]) -> str:
    parts = []
    for x in lone[:MOST_TOLD]:
        said = f"{x.video} has a {x.own.kind} at {x.own.time:.2f} s"
        other = "B" if x.video == "A" else "A"
        if x.other is None:
            parts.append(f"{said} that {other} has not")
        else:
            parts.append(f"{said} where {other} has a {x.other.kind} at {x.other.time:.2f} s")
    if len(lone) > MOST_TOLD:
        parts.append(f"{len(lone) - MOST_TOLD} more transitions differ")
    return "; ".join(parts)


def _evidence(x: _Lone) -> list[Evidence]:
    other: Name = "B" if x.video == "A" else "A"
    t = x.own
    out = [Evidence(video=x.video, start_s=t.start, end_s=t.end, frame_s=t.time, shows=t.kind)]
    if x.other is None:
        shows = f"no {t.kind}"
        start = end = max(0.0, x.there)
    else:
        shows, start, end = x.other.kind, x.other.start, x.other.end
    middle = (start + end) / 2
    out.append(Evidence(video=other, start_s=start, end_s=end, frame_s=middle, shows=shows))
    return out


def _lone(ctx: Context, video: Name, x: Transition, others: list[Transition]) -> _Lone | None:
    """``x`` as a difference, if it lies well within a matched stretch and is one."""
    for p in ctx.timemap.pieces:
        low, high = (p.a0, p.a1) if video == "A" else (min(p.b0, p.b1), max(p.b0, p.b1))
        if not low + EDGE_SLACK_S <= x.start or not x.end <= high - EDGE_SLACK_S:
            continue
        start, end = sorted(_mapped(p, video, t) for t in (x.start, x.end))
        rate = abs(p.slope) if video == "A" else 1 / abs(p.slope)
        slack = CUT_SLACK_S * max(1.0, rate)
        near = [y for y in others if y.start - slack <= end and start <= y.end + slack]
        own, other = (ctx.a, ctx.b) if video == "A" else (ctx.b, ctx.a)
        there = (start + end) / 2
        if any(y.kind == x.kind for y in near):
            return None
        if near:
            y = min(near, key=lambda y: abs(y.time - there))
            return _Lone(video, x, there, y) if _other_kind(own, x, other, y) else None
        if _lacks(own, x, other, (start, end), rate):
            return _Lone(video, x, there, None)
        return None
    return None


def _without_twins(lone: list[_Lone]) -> list[_Lone]:
    """Without those that both have, only not where the mapping of time puts them.

    Where nothing moves before and after, pictures do not tell the time to a few frames.
    """
    left = list(lone)
    for x in lone:
        twins = [y for y in left if y.video != x.video and _twin(x, y)]
        if x in left and twins:
            left.remove(x)
            left.remove(twins[0])
    return left


def _twin(x: _Lone, y: _Lone) -> bool:
    none = x.other is None and y.other is None
    return none and x.own.kind == y.own.kind and abs(x.there - y.own.time) < TWIN_S


def _mapped(p: Piece, video: Name, t: float) -> float:
    return p.to_b(t) if video == "A" else p.to_a(t)


def _other_kind(own: Survey, x: Transition, other: Survey, y: Transition) -> bool:
    """Whether one is at once and the other gradual, beyond doubt."""
    pair = sorted(((own, x), (other, y)), key=lambda v: v[1].kind != "cut")
    (cut_in, cut), (slow_in, slow) = pair
    if cut.kind != "cut" or slow.kind == "cut" or slow.end - slow.start < GRADUAL_S:
        return False
    half = (slow.end - slow.start) / 2
    at_once = sudden_share(cut_in.thumbs, cut.time - half, cut.time + half)
    gently = sudden_share(slow_in.thumbs, slow.start, slow.end)
    return at_once > SUDDEN and gently < GENTLE


def _lacks(
    own: Survey, x: Transition, other: Survey, there: tuple[float, float], rate: float
) -> bool:
    """Whether the other's pictures stay where those of ``x`` change to another shot's."""
    around = CUT_SLACK_S / 2
    change = change_over(own.thumbs, x.start - around, x.end + around)
    same = change_over(other.thumbs, there[0] - around * rate, there[1] + around * rate)
    return change > TRANSITION_CHANGE and same < LACKING_SHARE * change
