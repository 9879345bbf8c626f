"""What passes from stage to stage: pairs, drafts, questions, and what was dropped and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from triptych.diff.caption import Claim
from triptych.models import Reply
from triptych.record.aspects import DIMENSIONS
from triptych.record.report import Record, Report

Side = Literal["Similarities", "Differences"]
#: The right answers: a difference is affirmed; of what is the same it is asked whether it differs.
RIGHT: dict[Side, str] = {"Similarities": "no", "Differences": "yes"}
#: ViDiC's seven classes, by the names that its checklists give them.
CLASSES = tuple(d for d in DIMENSIONS if d != "sound")


@dataclass(frozen=True, slots=True)
class VideoPair:
    """Two video files by their paths; ``number`` is the pair's place in the list that was given.

    ``wrong`` says why the pair cannot be looked at, whatever lies on the disk.
    """

    number: int
    a: str
    b: str
    wrong: str | None = None

    @property
    def id(self) -> str:
        """What it is called in what is told."""
        return f"entry {self.number}"


#: Measured reports of pairs: each a report, or the reason that there is none, and seconds.
Measure = Callable[[Sequence[VideoPair]], Sequence[tuple[Report | None, str | None, float]]]


class Dropped(Record):
    """A drafted claim, or a question of the merged list, that did not stay.

    ``reason`` is one of a fixed set, by which they are counted; ``detail`` says what it was about.
    """

    pair: str
    stage: Literal["draft", "merge"]
    model: str
    klass: str
    side: Side
    text: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a claim or a question breaks a rule."""

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a merged list. ``agrees``: a measurement says the same.

    ``models`` are those whose drafts say something of the kind.
    """

    side: Side
    klass: str
    text: str
    answer: str
    agrees: bool = False
    models: tuple[str, ...] = ()


@dataclass(slots=True)
class Draft:
    """One model's comparison of one pair; ``fault`` says why nothing of it can be used."""

    model: str
    reply: Reply | None = None
    fault: Fault | None = None
    claims: list[Claim] = field(default_factory=list)


@dataclass(slots=True)
class Made:
    """All that came of one pair. ``left_out`` says why it has no questions, ``unmeasured`` why
    nothing was held against measurements.
    """

    pair: VideoPair
    drafts: list[Draft] = field(default_factory=list)
    merged: Reply | None = None
    questions: list[Question] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    left_out: str | None = None
    unmeasured: str | None = None
