"""Drafts to one dual checklist: another model words the questions (appendix G.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from triptych.diff.caption import Claim
from triptych.make.annotate.draft import no_answer, prompt
from triptych.make.annotate.records import CLASSES, Fault, Question, Side
from triptych.models import Endpoint, Message, Reply, Settings, user
from triptych.models.answers import json_object
from triptych.record.errors import printable

#: Longest claim that is passed on, and most questions of a pair that are read.
LONGEST_CLAIM, MOST_QUESTIONS = 400, 120


def request(drafts: Sequence[Sequence[Claim]]) -> Message:
    """What the merging model is given: its task, and what is left of each draft."""
    told = [f"<comparison {n}>\n{_told(d)}\n</comparison {n}>" for n, d in enumerate(drafts, 1)]
    return user("\n\n".join([prompt("merge").strip(), *told]))


async def merge(
    end: Endpoint, drafts: Sequence[Sequence[Claim]], settings: Settings
) -> tuple[Reply, list[Question], Fault | None]:
    """The call, the questions as they were worded, and why there are none."""
    reply = await end.generate([request(drafts)], settings)
    fault = no_answer(reply)
    if fault is not None:
        return reply, [], fault
    found = read(reply.text)
    if isinstance(found, Fault):
        return reply, [], found
    return reply, found, None


def read(text: str) -> list[Question] | Fault:
    """The questions of an answer in the form that was asked for. Never raises."""
    if not text.strip():
        return Fault("unusable", "it was empty")
    data = json_object(text)
    if data is None:
        return Fault("unusable", "it is not the JSON object that was asked for")
    out: list[Question] = []
    for side in get_args(Side):
        items = data.get(side)
        for item in items if isinstance(items, list) else []:
            if len(out) < MOST_QUESTIONS:
                out.append(_question(side, item))
    return out or Fault("unusable", "it asks nothing")


def _question(side: Side, item: Any) -> Question:
    item = item if isinstance(item, dict) else {"question": item}

    def said(name: str) -> str:
        value = item.get(name)
        return value.strip() if isinstance(value, str) else ""

    klass = item.get("class")
    # A list of classes stays visible as one, and is refused by the rules.
    named = ", ".join(map(str, klass)) if isinstance(klass, list) else said("class")
    return Question(side, named.casefold(), said("question"), said("correct_answer"))


def _told(claims: Sequence[Claim]) -> str:
    lines: list[str] = []
    for name in CLASSES:
        of = [c for c in claims if c.dimension == name]
        same, differ = ([c for c in of if c.different is d] for d in (False, True))
        if of:
            lines.append(f"[{name.capitalize()}]")
        if same:
            lines += ["Similarities:", *(f"- {_line(c.text)}" for c in same)]
        if differ:
            lines += ["Differences:", *(f"- {_line(_sides(c))}" for c in differ)]
    return "\n".join(lines)


def _sides(claim: Claim) -> str:
    if claim.a and claim.b:
        return f"In Video A, {claim.a}. In Video B, {claim.b}."
    return claim.text


def _line(text: str) -> str:
    # What was read in a video must neither end a comparison nor begin a line of its own.
    return printable(text[:LONGEST_CLAIM]).replace("<", "‹").replace(">", "›")
