"""The dual checklist of a made set, in ViDiC's format (arXiv 2512.03405, section 3.3).

One entry a pair: ``index``, ``video1_path``, ``video2_path`` and ``structured_analysis`` with
Differences (the right answer is "yes") and Similarities (the right answer is "no"), each question
with ``class``, ``question``, ``correct_answer``, empty ``answer`` and ``explanation``, and the
fine-grained ``category`` that drafts of the set carry. ``question_id`` is added: it joins the
question to its fact in the truth. ViDiC has no class for sound, so facts about it are left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from triptych.make.questions import question
from triptych.record.errors import NotFoundError, UnreadableError
from triptych.record.files import write_text


def checklist(truth: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The checklist of the lines of a truth; pairs without a question are left out."""
    out: list[dict[str, Any]] = []
    for pair in truth:
        sides: dict[str, list[dict[str, str]]] = {"Similarities": [], "Differences": []}
        for fact in pair["facts"]:
            asked = question(fact)
            if asked is not None:
                side = "Differences" if asked["correct_answer"] == "yes" else "Similarities"
                sides[side].append(asked)
        if any(sides.values()):
            out.append(entry(len(out), pair["a"], pair["b"], sides))
    return out


def entry(
    index: int, a: str, b: str, sides: Mapping[str, Sequence[dict[str, str]]]
) -> dict[str, Any]:
    """One pair of a checklist: its videos by their names within the set, and its questions."""
    return {
        "index": index,
        "video1_path": a,
        "video2_path": b,
        "structured_analysis": {k: list(sides[k]) for k in ("Similarities", "Differences")},
    }


def read_truth(folder: str | Path) -> list[dict[str, Any]]:
    """The pairs of a made set, in order. Raises a ``SourceError`` where there is no such set."""
    path = Path(folder) / "truth.jsonl"
    try:
        rows = path.read_text(encoding="utf-8").splitlines()
        records = [json.loads(row) for row in rows if row.strip()]
    except FileNotFoundError as e:
        raise NotFoundError(str(path), "no such file", "make pairs writes it") from e
    except (OSError, ValueError) as e:
        raise UnreadableError(str(path), "is not a truth of made pairs", "make it again") from e
    if not all(isinstance(r, dict) and {"id", "a", "b", "facts"} <= r.keys() for r in records):
        raise UnreadableError(str(path), "is not a truth of made pairs", "make it again")
    return records


def write_checklist(folder: str | Path, target: str | Path | None = None) -> Path:
    """Write the checklist of the set in ``folder``, to ``checklist.json`` there by default."""
    target = Path(target) if target is not None else Path(folder) / "checklist.json"
    data = checklist(read_truth(folder))
    write_text(target, json.dumps(data, ensure_ascii=False, indent=1) + "\n")
    return target
