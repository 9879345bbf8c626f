"""What a checklist holds, and what becomes of its questions."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from triptych.record.report import Record

Side = Literal["Similarities", "Differences"]
Answer = Literal["yes", "no"]
#: The right answer on each side: a difference is affirmed, and asked-for differences of what is
#: the same are denied (section 3.3.2).
RIGHT: dict[Side, Answer] = {"Differences": "yes", "Similarities": "no"}

#: Labels of what leaves the paper's protocol.
ASSISTED, WHOLE, TURNED = "assisted", "whole video", "Video B first"
PERTURBED = "perturbed"


class Problem(Record):
    """Something wrong with the input: where, and what. ``kind`` groups them for counting."""

    kind: str
    where: str
    what: str

    @property
    def line(self) -> str:
        """As one line."""
        return f"{self.where}: {self.what}"


class Question(BaseModel):
    """One item of a checklist.

    ``correct`` is ``None`` where the file gives no right answer, and ``text`` empty where it asks
    nothing: such an item stays in the denominators and is wrong. ``answer`` is what a judged file
    holds, as it stands there. ``question_id`` joins a made question to its fact.
    """

    model_config = ConfigDict(frozen=True)
    ident: str
    side: Side
    klass: str
    text: str
    correct: Answer | None
    categories: tuple[str, ...] = ()
    answer: str = ""
    explanation: str = ""
    question_id: str | None = None


class Pair(BaseModel):
    """Two videos, by their names within the set, and the questions about them.

    ``index`` is the file's own, of no use for joining; ``position`` counts from 0. ``wrong`` says
    why the videos cannot be looked at, whatever lies on the disk.
    """

    model_config = ConfigDict(frozen=True)
    position: int
    index: int | None
    a: str
    b: str
    questions: tuple[Question, ...]
    wrong: str | None = None

    @property
    def key(self) -> str:
        """What the pair is joined on, and drawn by: its two names."""
        return f"{self.a} | {self.b}" if self.a and self.b else f"entry {self.position}"


class Checklist(BaseModel):
    """A set: its pairs in order, and what is wrong with it."""

    model_config = ConfigDict(frozen=True)
    path: str
    pairs: tuple[Pair, ...]
    problems: tuple[Problem, ...]


class Judgment(Record):
    """One question answered. ``answer`` is ``None`` where there is none; ``failed`` says why.

    ``call`` is the key of the stored call that a model answered it with.
    """

    pair: str
    ident: str
    side: Side
    klass: str
    categories: list[str]
    question: str
    correct: Answer | None
    answer: Answer | None = None
    explanation: str = ""
    failed: str | None = None
    call: str | None = None

    @property
    def right(self) -> bool:
        """Whether it counts as correct: no answer never does."""
        return self.answer is not None and self.answer == self.correct


def judgment(
    pair: Pair, question: Question, answer: Answer | None,
    explanation: str = "", failed: str | None = None, call: str | None = None,
) -> Judgment:  # fmt: skip
    """What became of ``question``; what the checklist itself lacks makes it fail."""
    if not question.text:
        answer, failed = None, "the checklist asks nothing here"
    elif question.correct is None:
        answer, failed = None, "the checklist has no right answer here"
    return Judgment(
        pair=pair.key, ident=question.ident, side=question.side, klass=question.klass,
        categories=list(question.categories), question=question.text, correct=question.correct,
        answer=answer, explanation=explanation, failed=failed, call=call,
    )  # fmt: skip
