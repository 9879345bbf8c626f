"""What a caller can ask of a comparison."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from triptych.record.aspects import ASPECTS, DIMENSIONS, NOT_YET
from triptych.record.errors import UsageError

#: The measurers that take seconds rather than microseconds a frame.
SLOW = ("text", "speech", "people")

_SLOW_ASPECTS: dict[str, set[tuple[str, str]]] = {
    "text": {("subject", "on-screen text")},
    "speech": {("sound", "speech")},
    "people": {("subject", "people"), ("subject", "faces"), ("camera", "shot scale")},
}
#: Aspects that cannot be asked for because the measurer that they wait for is not there.
_WAITING = {p for pairs in _SLOW_ASPECTS.values() if pairs <= NOT_YET for p in pairs}
#: The names of measurers and aspects that cannot be asked for yet.
NAMES_NOT_YET = frozenset(
    [slow for slow, pairs in _SLOW_ASPECTS.items() if pairs <= NOT_YET]
    + [aspect for _, aspect in _WAITING]
    + [f"{d}: {aspect}" for d, aspect in _WAITING]
)
#: All names that ``only`` and ``skip`` take.
NAMES = (
    frozenset(
        [*SLOW, *ASPECTS]
        + [aspect for aspects in ASPECTS.values() for aspect in aspects]
        + [f"{d}: {aspect}" for d, aspects in ASPECTS.items() for aspect in aspects]
    )
    - NAMES_NOT_YET
)


@dataclass(frozen=True, slots=True)
class Options:
    """Settings of :func:`triptych.diff`.

    ``only`` and ``skip`` name dimensions, aspects or the slow measurers ``text``, ``speech`` and
    ``people``; an aspect whose name occurs twice is written ``dimension: aspect``. ``offset_s``
    gives a known offset (time in B of A's moment 0) instead of searching for it. ``lang`` is the
    language of text and speech (two small letters, ISO 639-1); ``None`` finds it out.
    ``stream_a``/``stream_b`` choose a video stream, ``fps`` the rate of image sequences.
    ``progress`` is called with a stage's name and the share done, 0 to 1. ``more``: other
    comparisons follow in this process, so that the speech models stay loaded (400 MB).

    Raises :class:`UsageError` where a value makes no sense.
    """

    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    lang: str | None = None
    offset_s: float | None = None
    stream_a: int | None = None
    stream_b: int | None = None
    fps: float | None = None
    allow_url: bool = False
    progress: Callable[[str, float], None] | None = None
    more: bool = False

    def __post_init__(self) -> None:
        for option, names in (("--only", self.only), ("--skip", self.skip)):
            for name in names:
                if name in NAMES_NOT_YET:
                    raise UsageError(f"{option}: {name!r} is not measured yet; leave it out")
                if name not in NAMES:
                    raise UsageError(f"{option}: {_unknown(name)}")
        if self.lang is not None and not re.fullmatch("[a-z]{2}", self.lang):
            raise UsageError(
                f"--lang: {self.lang!r} is not a language of two small letters, such as en or de "
                "(ISO 639-1)"
            )
        if self.offset_s is not None and not math.isfinite(self.offset_s):
            raise UsageError(f"--offset: {self.offset_s} makes no sense here; give seconds")
        if self.fps is not None and not (math.isfinite(self.fps) and self.fps > 0):
            raise UsageError(f"--fps: {self.fps} makes no sense here; give frames a second")
        for option, stream in (("--stream", self.stream_a), ("--stream-b", self.stream_b)):
            if stream is not None and stream < 0:
                raise UsageError(f"{option}: {stream} makes no sense here; streams count from 0")

    def wants(self, dimension: str, aspect: str) -> bool:
        """Whether this aspect is to be measured."""
        names = {dimension, aspect, f"{dimension}: {aspect}"}
        names |= {slow for slow, pair in _SLOW_ASPECTS.items() if (dimension, aspect) in pair}
        if self.only and not names & set(self.only):
            return False
        return not names & set(self.skip)


def names_by_dimension() -> list[str]:
    """One piece a dimension: its name and those of its aspects, as ``only`` and ``skip`` take."""
    return [f"{d} ({', '.join(a for a in ASPECTS[d] if a in NAMES)})" for d in DIMENSIONS]


def _unknown(name: str) -> str:
    by_lower = {n.lower(): n for n in sorted(NAMES)}
    near = difflib.get_close_matches(name.lower(), list(by_lower), n=1, cutoff=0.6)
    meant = f"; did you mean {by_lower[near[0]]}?" if near else "."
    slow = ", ".join(s for s in SLOW if s in NAMES)
    return (
        f"{name!r} is not a dimension, aspect or measurer{meant} "
        f"There are: {'; '.join(names_by_dimension())}; and {slow}"
    )
