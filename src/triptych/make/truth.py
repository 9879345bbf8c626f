"""What is true of a made pair, as one record."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from triptych.make.plan import Task, generator
from triptych.make.registry import EDITS, Made, expand
from triptych.record.report import ASPECTS

#: Raised whenever the same request would give other videos or another truth.
VERSION = 1
#: Questions whose answer is "no difference", for each pair.
SAME_QUESTIONS = 3
_ORDER = [f"{dimension}: {aspect}" for dimension, names in ASPECTS.items() for aspect in names]


def settings_hash(task: Task, identity: dict[str, Any]) -> str:
    """Identifies all that a pair's video and truth depend on."""
    text = json.dumps([VERSION, identity, task.strength, task.parts, task.turn], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def musts(task: Task) -> list[str]:
    """Aspects that must be reported different, in the order of the report's aspects."""
    wanted = expand([name for edit, _ in task.parts for name in EDITS[edit].must])
    return [name for name in _ORDER if name in wanted]


def mays(task: Task) -> list[str]:
    """Aspects that do not count either way."""
    wanted = expand([name for edit, _ in task.parts for name in EDITS[edit].may])
    return [name for name in _ORDER if name in wanted and name not in musts(task)]


def must_nots(task: Task) -> list[str]:
    """Aspects that must not be reported different: all others."""
    other = {*musts(task), *mays(task)}
    return [name for name in _ORDER if name not in other]


def record(
    task: Task, ident: str, made: list[Made], identity: dict[str, Any], paths: tuple[str, str],
    *, has_sound: bool,
) -> dict[str, Any]:  # fmt: skip
    """The line of the truth: ``made`` are the results of the task's edits, in order."""
    expected: dict[str, dict[str, Any]] = {}
    alignment: dict[str, Any] = {"speed": 1.0, "direction": "forward", "mirrored": "none"}
    for part in made:
        expected |= part.expected
        alignment |= part.alignment
    must = musts(task)
    if set(must) != set(expected):  # a fault of ours, not of any input
        raise AssertionError(f"{ident}: expected {sorted(expected)}, must {must}")
    facts = [_fact(ident, i, name, "different", expected[name]) for i, name in enumerate(must)]
    quiet = [n for n in must_nots(task) if has_sound or not n.startswith("sound:")]
    rng = generator(int(identity["seed"]), "questions", ident)
    some = sorted(int(i) for i in rng.permutation(len(quiet))[:SAME_QUESTIONS])
    facts += [_fact(ident, len(must) + i, quiet[k], "same", {}) for i, k in enumerate(some)]
    return {
        "id": ident,
        "a": paths[0],
        "b": paths[1],
        "clip": identity["clip"],
        "window_s": identity["window_s"],
        "edit": task.edit,
        "strength": task.strength,
        "edits": [{"name": name, "parameter": value} for name, value in task.parts],
        "must": must,
        "may": mays(task),
        "alignment": alignment,
        "b_seconds": round(made[-1].clip.seconds, 6),
        "facts": facts,
        "settings": settings_hash(task, identity),
    }


def _fact(ident: str, i: int, name: str, relation: str, expected: dict[str, Any]) -> dict[str, Any]:
    dimension, aspect = name.split(": ")
    return {
        "question_id": f"{ident}#{i}",
        "dimension": dimension,
        "aspect": aspect,
        "relation": relation,
        "expected": expected,
    }
