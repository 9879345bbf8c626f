"""Findings on people and faces: how many there are, and who is in one video only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from triptych.diff.context import Context, finding
from triptych.diff.people_look import LIMITS, Kind, Lone, Looked, Name, Own, look
from triptych.diff.regions_look import Box, box_in_a, in_display, where
from triptych.measure.pairs import Pair
from triptych.measure.people import Seen
from triptych.measure.people_models import Sighting
from triptych.record.report import Evidence, Finding, Measure, Relation, Value
from triptych.report.text import clock

KINDS: tuple[Kind, Kind] = ("people", "faces")
#: One and more of each.
_WORDS: dict[Kind, tuple[str, str]] = {"people": ("person", "people"), "faces": ("face", "faces")}
#: Moments that a number must be seen at to count, and the share of them at which it is steady.
AT_LEAST, STEADY = 2, 0.8
#: Moments shown as evidence.
MOST_SHOWN = 3


def findings(ctx: Context) -> Iterator[Finding]:
    """One finding a kind that is wanted, or one for each difference."""
    for kind in KINDS:
        if ctx.options.wants("subject", kind):
            yield from _of_kind(ctx, kind)


def _of_kind(ctx: Context, kind: Kind) -> Iterator[Finding]:
    seen = look(ctx, kind)
    if seen.why:
        yield finding("subject", kind, "unknown", seen.why)
    elif ctx.match is None:
        yield _apart(ctx, kind, seen.own)
    elif seen.lone:
        for lone in seen.lone:
            yield _difference(ctx, kind, lone)
    else:
        yield _agreement(ctx, kind, seen)


def _difference(ctx: Context, kind: Kind, lone: Lone) -> Finding:
    """``lone`` is not in the other video."""
    other: Name = "B" if lone.video == "A" else "A"
    mine = [_of(s, lone.video) for _, s in lone.moments]
    shared = [len(s.both) for _, s in lone.moments]
    here = round(float(np.median([n + len(m) for n, m in zip(shared, mine, strict=True)])))
    there = round(float(np.median(shared)))
    start, end = (_time(p, lone.video) for p in (lone.moments[0][0], lone.moments[-1][0]))
    place = where(max(mine[len(mine) // 2], key=lambda x: x.score).box)
    said = (
        f"{lone.video} shows {_number(kind, here)} at {clock(start)}-{clock(end)} where {other} "
        f"shows {_number(kind, there)} ({place})"
    )
    surest = float(np.median([max(x.score for x in m) for m in mine]))
    counts: dict[str, Value] = {lone.video: here, other: there}
    return finding(
        "subject",
        kind,
        "different",
        said,
        values={"A": counts["A"], "B": counts["B"]},
        measure=Measure(
            name=f"score of the {_WORDS[kind][0]} that the other lacks",
            unit="1",
            threshold=LIMITS[kind].sure,
            values={lone.video: round(surest, 3), other: None},
        ),
        evidence=[
            e
            for p, s in _some(lone.moments)
            for e in _evidence(ctx, kind, p, _of(s, lone.video), lone.video, (start, end))
        ],
        confidence=min(0.95, surest),
    )


def _agreement(ctx: Context, kind: Kind, seen: Looked) -> Finding:
    """Whoever is in one is in the other."""
    counts = [len(s.both) for _, s in seen.moments]
    shown = [(p, s) for p, s in seen.moments if s.both]
    number = _usual(counts)
    said = _counted(kind, counts) + (" in both" if number else " in either")
    return finding(
        "subject",
        kind,
        "same",
        said,
        values={"A": number, "B": number},
        measure=Measure(
            name=f"{kind} in one only, at three moments in a row",
            unit=kind,
            threshold=0,
            values={"A": 0, "B": 0},
        ),
        evidence=[
            e
            for p, s in (_some(shown)[:2] if number else ())
            for i, name in ((0, "A"), (1, "B"))
            for e in _boxes(ctx, kind, p, [x[i] for x in s.both], "A" if name == "A" else "B")
        ],
        confidence=0.6 if seen.passing else 0.8,
    )


def _apart(ctx: Context, kind: Kind, own: tuple[Sequence[Own], Sequence[Own]]) -> Finding:
    """Each by itself: different where one steadily shows somebody and the other never does."""
    counts = [[len(m.found) for m in moments] for moments in own]
    numbers = [_usual(c) for c in counts]
    steady = [_steady(c) for c in counts]
    relation: Relation = "unknown"
    if all(steady) and numbers[0] == numbers[1]:
        relation = "same"
    elif all(steady) and min(numbers) == 0:
        relation = "different"
    evidence = []
    for name, survey, moments in (("A", ctx.a, own[0]), ("B", ctx.b, own[1])):
        shown = [m for m in moments if m.found] or moments
        for m in shown[:: max(1, len(shown) // 2)][:2]:
            found: list[Sighting | None] = [*m.found] or [None]
            for x in found:
                box = None if x is None else in_display(survey.media, x.box)
                shows = "" if x is None else f"{_WORDS[kind][0]}, {x.score:.2f}"
                evidence.append(
                    Evidence(
                        video=name, start_s=m.time, end_s=m.time, frame_s=m.time, box=box,
                        shows=shows,
                    )
                )  # fmt: skip
    in_a, in_b = (_counted(kind, c).rstrip(",") for c in counts)
    said = f"{in_a} in A; {in_b} in B (at {len(own[0])} moments of A, {len(own[1])} of B)"
    return finding(
        "subject",
        kind,
        relation,
        said,
        values={"A": numbers[0], "B": numbers[1]},
        measure=Measure(
            name=f"{kind} at the moments looked at",
            unit=kind,
            threshold=None,
            values={"A": [*counts[0]], "B": [*counts[1]]},
        ),
        evidence=evidence,
        confidence=0.75,
    )


def _usual(counts: Sequence[int]) -> int:
    """The largest number that is reached at AT_LEAST moments."""
    ordered = sorted(counts, reverse=True)
    return ordered[min(AT_LEAST, len(ordered)) - 1] if ordered else 0


def _steady(counts: Sequence[int]) -> bool:
    return sum(c == _usual(counts) for c in counts) >= STEADY * len(counts)


def _counted(kind: Kind, counts: Sequence[int]) -> str:
    number, present = _usual(counts), sum(c > 0 for c in counts)
    if not number:
        return f"no {_WORDS[kind][1]} {'steadily ' if present else ''}found"
    if _steady(counts):
        return _number(kind, number)
    return f"up to {_number(kind, number)}, at {present} of {len(counts)} moments,"


def _number(kind: Kind, number: int) -> str:
    one, more = _WORDS[kind]
    return f"no {more}" if number == 0 else f"one {one}" if number == 1 else f"{number} {more}"


def _of(s: Seen, name: Name) -> Sequence[Sighting]:
    return s.a if name == "A" else s.b


def _time(p: Pair, name: Name) -> float:
    return max(0.0, p.time_a if name == "A" else p.time_b)


def _some(moments: Sequence[tuple[Pair, Seen]]) -> list[tuple[Pair, Seen]]:
    """A few of ``moments``, spread over them."""
    if len(moments) <= MOST_SHOWN:
        return list(moments)
    return [moments[int(i)] for i in np.linspace(0, len(moments) - 1, MOST_SHOWN).round()]


def _evidence(
    ctx: Context, kind: Kind, p: Pair, who: Sequence[Sighting], name: Name,
    span: tuple[float, float],
) -> list[Evidence]:  # fmt: skip
    """Where ``who`` is in ``name``, and the same places in the other."""
    other: Literal["A", "B"] = "B" if name == "A" else "A"
    out = _boxes(ctx, kind, p, who, name, span)
    return out + _boxes(ctx, kind, p, who, other, None, f"no {_WORDS[kind][0]}")


def _boxes(
    ctx: Context, kind: Kind, p: Pair, who: Sequence[Sighting], name: Name,
    span: tuple[float, float] | None = None, shows: str = "",
) -> list[Evidence]:  # fmt: skip
    t = _time(p, name)
    start, end = span or (t, t)
    return [
        Evidence(
            video=name,
            start_s=start,
            end_s=end,
            frame_s=t,
            box=_box(ctx, p, x.box, name),
            shows=shows or f"{_WORDS[kind][0]}, {x.score:.2f}",
        )
        for x in who
    ]


def _box(ctx: Context, p: Pair, box: Box, name: Name) -> list[float] | None:
    return box_in_a(ctx, p, box) if name == "A" else in_display(ctx.b.media, box)
