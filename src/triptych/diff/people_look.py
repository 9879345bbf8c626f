"""Who is seen when, as the findings on people, faces and shot scale need it: looked at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from triptych.diff import thresholds as limit
from triptych.diff.context import Context
from triptych.diff.regions_look import comparable, orientation_at
from triptych.measure.pairs import Pair
from triptych.measure.people import Limits, Seen, seen
from triptych.measure.people_models import (
    Sighting,
    face_detector,
    missing,
    person_detector,
    rgb_of,
)
from triptych.measure.survey import Survey
from triptych.record.errors import TriptychError

Kind = Literal["people", "faces"]
Name = Literal["A", "B"]

#: Moments looked at first, spread over what both show; more where one shows somebody alone.
MOMENTS = 6
#: Moments in a row at which somebody must be seen in one only. One or two happen by chance: a
#: person comes in, turns round, passes behind something.
IN_A_ROW = 3
LIMITS: dict[Kind, Limits] = {
    "people": Limits(limit.PERSON_SURE, limit.PERSON_FAINT, limit.PERSON_ALIKE),
    "faces": Limits(limit.FACE_SURE, limit.FACE_FAINT, limit.PERSON_ALIKE),
}


@dataclass(frozen=True, slots=True)
class Own:
    """A moment of one video that was looked at by itself, and the sure sightings in it."""

    time: float
    found: Sequence[Sighting]


@dataclass(frozen=True, slots=True)
class Lone:
    """Somebody whom only ``video`` shows, at these ``moments`` in a row."""

    video: Name
    moments: Sequence[tuple[Pair, Seen]]


@dataclass(frozen=True, slots=True)
class Looked:
    """``moments`` in the order of B's time, and who is steadily in one of them only.

    Where the videos do not match ``own`` has what each shows by itself. ``why`` says why nothing
    could be looked at; ``passing``: somebody is in one only, but not steadily.
    """

    moments: Sequence[tuple[Pair, Seen]] = ()
    lone: Sequence[Lone] = ()
    own: tuple[Sequence[Own], Sequence[Own]] = ((), ())
    why: str = ""
    passing: bool = False


def look(ctx: Context, kind: Kind) -> Looked:
    """What was seen of ``kind``, measured once and kept in ``ctx.observed``."""
    # Dimensions are measured side by side: who comes second waits instead of looking again.
    with ctx.network:
        kept = ctx.observed.get(kind)
        if kept is None:
            made = _look(ctx, kind)
            ctx.observed[kind] = kept = (made, made)
    looked = kept[0]
    assert isinstance(looked, Looked)  # noqa: S101  (nobody else writes there)
    return looked


def _look(ctx: Context, kind: Kind) -> Looked:
    why = missing(kind)
    if why is not None:
        return Looked(why=why)
    try:
        detector = person_detector() if kind == "people" else face_detector()
    except TriptychError as e:
        return Looked(why=str(e))
    if ctx.match is None:
        own = [_own(s, detector, LIMITS[kind]) for s in (ctx.a, ctx.b)]
        return Looked(own=(own[0], own[1]))
    pairs = comparable(ctx, ctx.match)
    if len(pairs) < IN_A_ROW:
        return Looked(why=f"{kind} were not counted: too few matched moments")
    known: dict[int, Seen] = {}

    def at(i: int) -> Seen:
        if i not in known:
            turned = orientation_at(ctx, pairs[i])
            known[i] = seen(pairs[i], turned, detector, LIMITS[kind])
        return known[i]

    first = sorted({int(i) for i in np.linspace(0, len(pairs) - 1, MOMENTS).round()})
    for i in first:
        at(i)
    runs = _runs(at, "A", first, len(pairs)) + _runs(at, "B", first, len(pairs))
    steady = [
        Lone(name, [(pairs[i], known[i]) for i in run])
        for name, run in runs
        if len(run) >= IN_A_ROW
    ]
    moments = [(pairs[i], known[i]) for i in sorted(known)]
    return Looked(moments, steady, passing=len(steady) < len(runs))


def _runs(
    at: Callable[[int], Seen], name: Name, first: Sequence[int], count: int
) -> list[tuple[Name, range]]:
    """Moments in a row at which ``name`` alone shows somebody, around those of ``first``.

    The neighbours of such a moment are looked at for as long as they are such too.
    """

    def alone(i: int) -> bool:
        return 0 <= i < count and bool(at(i).a if name == "A" else at(i).b)

    runs: list[tuple[Name, range]] = []
    for i in first:
        if not alone(i) or any(i in run for _, run in runs):
            continue
        start = end = i
        while alone(start - 1):
            start -= 1
        while alone(end + 1):
            end += 1
        runs.append((name, range(start, end + 1)))
    return runs


def _own(s: Survey, detector: Any, limits: Limits) -> list[Own]:
    times = s.stills.times
    low, high = float(times[0]), float(times[-1])
    wanted = {s.stills.nearest(low + (high - low) * (i + 0.5) / MOMENTS) for i in range(MOMENTS)}
    return [
        Own(
            float(times[i]),
            [x for x in detector(rgb_of(s.stills.pictures[i])) if x.score >= limits.sure],
        )
        for i in sorted(wanted)
    ]
