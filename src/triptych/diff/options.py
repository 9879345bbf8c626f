"""What a caller can ask of a comparison."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from triptych.record.errors import UsageError
from triptych.record.report import ASPECTS

#: The measurers that take seconds rather than microseconds a frame.
SLOW = ("text", "speech", "people")


@dataclass(frozen=True, slots=True)
class Options:
    """Settings of :func:`triptych.diff`.

    ``only`` and ``skip`` name dimensions, aspects or the slow measurers ``text``, ``speech`` and
    ``people``; an aspect whose name occurs twice is written ``dimension: aspect``. ``offset_s``
    gives a known offset (time in B of A's moment 0) instead of searching for it. ``lang`` is the
    language of text and speech (ISO 639-1); ``None`` finds it out. ``stream_a``/``stream_b``
    choose a video stream, ``fps`` the rate of image sequences. ``progress`` is called with a
    stage's name and the share done, 0 to 1.
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

    def __post_init__(self) -> None:
        for name in (*self.only, *self.skip):
            if name not in NAMES:
                raise UsageError(
                    f"--only/--skip: {name!r} is not a dimension, aspect or measurer; "
                    f"there are: {', '.join(sorted(NAMES))}"
                )

    def wants(self, dimension: str, aspect: str) -> bool:
        """Whether this aspect is to be measured."""
        names = {dimension, aspect, f"{dimension}: {aspect}"}
        names |= {slow for slow, pair in _SLOW_ASPECTS.items() if (dimension, aspect) in pair}
        if self.only and not names & set(self.only):
            return False
        return not names & set(self.skip)


_SLOW_ASPECTS: dict[str, set[tuple[str, str]]] = {
    "text": {("subject", "on-screen text")},
    "speech": {("sound", "speech")},
    "people": {("subject", "people"), ("subject", "faces"), ("camera", "shot scale")},
}

NAMES = frozenset(
    [*SLOW, *ASPECTS]
    + [aspect for aspects in ASPECTS.values() for aspect in aspects]
    + [f"{d}: {aspect}" for d, aspects in ASPECTS.items() for aspect in aspects]
)
