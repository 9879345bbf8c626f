"""The judge ``facts``: a caption's claims held against a made set's truth, by code.

A question is answered yes where the caption claims a difference of the aspect that the question's
fact is about, and, where the fact holds a number or a kind that a claim states as well, states
it rightly. Only captions in the form of :mod:`triptych.bench.vidic.caption` can be read: to this
judge any other says nothing. Its scores are not comparable with a model judge's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from triptych.bench.vidic.caption import Claim, read, write
from triptych.bench.vidic.captions import Caption
from triptych.bench.vidic.records import Answer, Judgment, Pair, judgment
from triptych.make.checklist import read_truth
from triptych.record.errors import printable

NOTE = "judge facts: the caption's claims compared by code; not comparable with a model judge"
#: How near a stated number must come to the true one: a share for speeds, degrees for turns.
SPEED_WITHIN = 0.1
TURN_WITHIN = 2.0

Facts = dict[str, dict[str, Any]]


def read_facts(folder: str | Path) -> Facts:
    """The facts of a made set by ``question_id``. Raises a ``SourceError`` for no made set."""
    return {
        fact["question_id"]: fact
        for row in read_truth(folder) if isinstance(row["facts"], list)
        for fact in row["facts"] if isinstance(fact, dict) and "question_id" in fact
    }  # fmt: skip


def judge(pair: Pair, caption: Caption, facts: Facts) -> list[Judgment]:
    """Every question of ``pair`` answered from ``caption``."""
    claims = read(caption.text)
    out: list[Judgment] = []
    for question in pair.questions:
        fact = facts.get(question.question_id or "")
        answer: Answer | None = None
        failed, why = caption.failed and f"no caption: {caption.failed}", ""
        if failed is None and fact is None:
            failed = "the set's truth has no fact for this question"
        if failed is None and fact is not None:
            answer, why = _answer(claims, fact)
        out.append(judgment(pair, question, answer, why, failed))
    return out


def oracle(pair: Pair, facts: Facts) -> str:
    """The caption that is true of ``pair``, from its facts."""
    claims = []
    for question in pair.questions:
        fact = facts.get(question.question_id or "")
        if fact is not None:
            told = _told(fact)
            claims.append(Claim(fact["dimension"], fact["aspect"], fact["relation"], told))
    return write(claims)


def _answer(claims: Sequence[Claim], fact: dict[str, Any]) -> tuple[Answer, str]:
    name = (fact.get("dimension"), fact.get("aspect"))
    about = [c for c in claims if (c.dimension, c.aspect) == name and c.relation == "different"]
    if not about:
        return "no", "no difference of this aspect is claimed"
    check = _CHECKS.get(f"{name[0]}: {name[1]}")
    expected = fact.get("expected")
    if check is None or not expected:
        return "yes", printable(about[0].statement)
    right = [c for c in about if check(c.statement, expected)]
    if right:
        return "yes", printable(right[0].statement)
    return "no", f"claimed, but not as it is: {printable(about[0].statement)}"


def _number(pattern: str, text: str) -> float | None:
    found = re.search(pattern, text)
    return float(found[1]) if found else None


def _speed(text: str, expected: dict[str, Any]) -> bool:
    said, true = _number(r"at (\d+(?:\.\d+)?) times", text), expected.get("speed")
    if not said or not true:
        return False
    faster = 1 / said if _of_a(text) else said
    return bool(abs(faster / true - 1) <= SPEED_WITHIN)


def _of_a(text: str) -> bool:
    """Whether a statement is made of Video A, against Video B, where facts are of B against A."""
    return text.startswith("Video A ")


_MIRRORED = {"horizontal": "mirrored left to right", "vertical": "flipped upside down"}


def _mirroring(text: str, expected: dict[str, Any]) -> bool:
    return _MIRRORED.get(expected.get("mirrored", ""), "") in text


def _rotation(text: str, expected: dict[str, Any]) -> bool:
    said = _number(r"(\d+(?:\.\d+)?)°", text)
    if said is None or "clockwise_deg" not in expected:
        return False
    turned = -said if ("counter" in text) != _of_a(text) else said
    apart = abs(turned - expected["clockwise_deg"]) % 360
    return bool(min(apart, 360 - apart) <= TURN_WITHIN)


#: By aspect: whether what is stated is what was done.
_CHECKS: dict[str, Callable[[str, dict[str, Any]], bool]] = {
    "playback technique: speed": _speed,
    "position: mirroring": _mirroring,
    "position: rotation": _rotation,
}


def _told(fact: dict[str, Any]) -> str:
    """A true statement of ``fact`` that the checks above can read."""
    expected = fact.get("expected") or {}
    if fact["relation"] == "same":
        return "the same in Video A and Video B"
    if "speed" in expected:
        return f"Video B plays the same content at {expected['speed']:.2f} times Video A's speed"
    if expected.get("mirrored") in _MIRRORED:
        return f"Video B is {_MIRRORED[expected['mirrored']]}"
    if "clockwise_deg" in expected:
        degrees = expected["clockwise_deg"]
        way = "clockwise" if degrees > 0 else "counter-clockwise"
        return f"Video B is turned {abs(degrees):.2f}° {way}"
    return "Video B differs from Video A"
