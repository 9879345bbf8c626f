"""What a judge said, read as an answer.

In this order: a fenced JSON block, bare JSON, a search for yes or no in the text. Both, or
neither, is no answer, and the reason is kept.
"""

from __future__ import annotations

import json
import re
from typing import Any

from triptych.bench.vidic.load import read_answer
from triptych.bench.vidic.records import Answer
from triptych.models.answers import json_object
from triptych.record.errors import printable

#: Answer, explanation, and the reason where there is no answer.
Read = tuple[Answer | None, str, str | None]
_NAMED = re.compile(r"\banswer\b\W{0,6}(yes|no)\b", re.IGNORECASE)
_WORD = re.compile(r"\b(yes|no)\b", re.IGNORECASE)
_SHOWN = 60


def read_one(text: str) -> Read:
    """The answer to one question."""
    if not text.strip():
        return None, "", "the judge said nothing"
    data = json_object(text)
    if data is not None:
        return _from_object(data)
    for pattern in (_NAMED, _WORD):
        said = {m.casefold() for m in pattern.findall(text)}
        if len(said) == 1:
            return read_answer(said.pop()), short(text), None
        if said:
            return None, short(text), f"the judge said both yes and no: {short(text)}"
    return None, short(text), f"the judge said neither yes nor no: {short(text)}"


def read_several(text: str, count: int) -> list[Read]:
    """The answers to ``count`` numbered questions; prose answers none of them."""
    data = json_object(text)
    if data is None:
        said = (
            f"the judge gave no JSON: {short(text)}" if text.strip() else "the judge said nothing"
        )
        return [(None, "", said)] * count
    return [
        _from_object(data[str(i)]) if str(i) in data else (None, "", f"no answer to number {i}")
        for i in range(1, count + 1)
    ]


def _from_object(data: Any) -> Read:
    given = data.get("answer") if isinstance(data, dict) else data
    why = data.get("explanation", "") if isinstance(data, dict) else ""
    explanation = short(why, 500) if isinstance(why, str) else ""
    answer = read_answer(given)
    if answer is None:
        said = short(given if isinstance(given, str) else json.dumps(given))
        return None, explanation, f"the judge's answer is neither yes nor no: {said}"
    return answer, explanation, None


def short(text: str, most: int = _SHOWN) -> str:
    """The beginning of ``text`` in one line that is safe to print."""
    return printable(" ".join(text.split())[:most])
