"""First drafts: each model compares the two videos on its own, from frames alone (appendix G.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from triptych import media
from triptych.diff.caption import Caption, parse_caption
from triptych.make.annotate.records import Draft, Fault, VideoPair
from triptych.models import (
    Endpoint,
    FrameStore,
    Message,
    Part,
    Settings,
    shown,
    uniform_times,
    user,
)
from triptych.models.frames import Size
from triptych.models.protocols import Reply

#: Frames of each video where nothing is asked for.
USUAL_FRAMES = 16


@dataclass(frozen=True, slots=True)
class Shown:
    """What models are shown of each video: ``frames`` of it, or ``fps`` a second, evenly."""

    frames: int | None = None
    fps: float | None = None
    size: Size = 640
    settings: Settings = field(default_factory=Settings)


def prompt(name: str) -> str:
    """The prompt file ``name``."""
    return (files(__package__) / "prompts" / f"{name}.txt").read_text(encoding="utf-8")


def question(pair: VideoPair, store: FrameStore, how: Shown) -> Message:
    """What is asked of every model. Raises a ``SourceError`` where a video cannot be read."""
    parts: list[Part] = []
    for letter, path in (("A", pair.a), ("B", pair.b)):
        with media.open(path) as source:
            length = source.media.duration_s or 0.0
        times = uniform_times(length, how.frames or USUAL_FRAMES, how.fps)
        parts += shown(store.cut(path, letter, times, how.size))
    return user(*parts, prompt("draft"))


async def draft(end: Endpoint, asked: Message, settings: Settings) -> Draft:
    """One model's draft. Whatever it does is data: what cannot be used is a fault."""
    reply = await end.generate([asked], settings)
    out = Draft(end.id, reply)
    caption = Caption()
    out.fault = no_answer(reply)
    if out.fault is None:
        caption = parse_caption(reply.text)
        if caption.fault is not None:
            out.fault = Fault("unusable", caption.fault)
        elif not caption.claims:
            out.fault = Fault("unusable", "it says nothing of the videos")
    if out.fault is None:
        out.claims = caption.claims
    return out


def no_answer(reply: Reply) -> Fault | None:
    """Why ``reply`` holds no whole answer; ``None`` where it does."""
    if not reply.ok:
        return Fault("failed", f"{reply.error_kind}: {reply.error}")
    if reply.refused:
        return Fault("refused", "the endpoint's filter withheld the answer")
    if reply.stop == "length":
        # The last line is half a line, and what would have followed is not known.
        return Fault("never ended", "it was cut off at the limit of tokens")
    return None


def usable(drafts: Sequence[Draft]) -> list[Draft]:
    """Those that say something."""
    return [d for d in drafts if d.fault is None and d.claims]
