"""Reading a checklist: the official layout in all its versions, and sets in the same format.

A file is a list of ``{index, video1_path, video2_path, structured_analysis: {Similarities: [...],
Differences: [...]}}``; a question is ``{class, question, correct_answer, answer, explanation}``,
in drafts with ``category``: one or several fine categories, separated by commas. Video paths are
relative to the folder of the file. What is wrong with an entry is named and counted; the entry
stays where it is, so that no denominator shrinks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, get_args

import numpy as np

from triptych.bench.vidic.records import RIGHT, Answer, Checklist, Pair, Problem, Question, Side
from triptych.record.errors import NotFoundError, UnreadableError, printable

#: Files larger than this are no checklist: the official one has 2 MB.
MAX_BYTES = 256 * 2**20
#: The class of a question that names none.
NO_CLASS = "no class"


def find_checklist(data: str | Path) -> Path:
    """The checklist that ``data`` names: a file, or the one in a folder.

    In a folder that is ``checklist.json``, else the only JSON file that has the format. Raises a
    :class:`~triptych.record.errors.SourceError` where there is none, or more than one.
    """
    path = Path(data)
    if not path.exists():
        raise NotFoundError(str(data), "no such file or folder")
    if path.is_file():
        return path
    named = path / "checklist.json"
    if named.is_file():
        return named
    found = [p for p in sorted(path.glob("*.json")) if p.is_file() and _looks_right(p)]
    if len(found) != 1:
        what = "more than one checklist" if found else "no checklist"
        raise UnreadableError(str(data), f"{what} in this folder", "name the file itself")
    return found[0]


def read_checklist(data: str | Path) -> Checklist:
    """The set that ``data`` (a file or a folder) holds.

    Raises a :class:`~triptych.record.errors.SourceError` where there is no list of pairs at all;
    everything less is among the ``problems``.
    """
    path = find_checklist(data)
    rows = read_rows(path, "checklist")
    problems: list[Problem] = []
    pairs = [_pair(i, row, problems) for i, row in enumerate(rows)]
    seen: dict[str, int] = {}
    for pair in pairs:
        if pair.key in seen:
            what = f"the same videos as entry {seen[pair.key]}; both are counted"
            problems.append(Problem(kind="duplicate pair", where=_where(pair.position), what=what))
        seen.setdefault(pair.key, pair.position)
    if not any(pair.questions for pair in pairs):
        raise UnreadableError(str(path), "asks no question", "is it a ViDiC checklist?")
    return Checklist(path=str(path), pairs=tuple(pairs), problems=tuple(problems))


def sample(checklist: Checklist, seed: int, limit: int | None) -> Checklist:
    """``limit`` of the pairs, drawn by ``seed``, in their order; all of them without a limit."""
    if limit is None or limit >= len(checklist.pairs):
        return checklist
    drawn = np.random.default_rng(seed).permutation(len(checklist.pairs))[:limit]
    pairs = tuple(checklist.pairs[int(i)] for i in sorted(drawn))
    kept = {f"entry {p.position}" for p in pairs}
    of_pairs = {f"{p.position}" for p in pairs}
    problems = tuple(
        p for p in checklist.problems
        if p.where in kept or p.where.partition("/")[0] in of_pairs
    )  # fmt: skip
    return Checklist(path=checklist.path, pairs=pairs, problems=problems)


def read_rows(path: Path, what: str) -> list[Any]:
    """The list that a JSON file holds, or the lines of a JSONL file."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UnreadableError(str(path), f"is too large for a {what}")
        text = path.read_text(encoding="utf-8-sig")
        if path.suffix == ".jsonl":
            rows = [json.loads(line) for line in text.splitlines() if line.strip()]
        else:
            rows = json.loads(text)
    except FileNotFoundError as e:
        raise NotFoundError(str(path), "no such file") from e
    except (OSError, ValueError, RecursionError) as e:
        told = next(iter(str(e).splitlines()), "")
        raise UnreadableError(str(path), f"is not a {what}: {printable(told)}") from e
    if not isinstance(rows, list) or not rows:
        raise UnreadableError(str(path), f"is not a {what}: a list of entries is expected")
    return rows


def clean_path(value: Any) -> str:
    """A video's name as it is joined on: without ``./`` and doubled strokes; "" for no name."""
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        return ""
    return str(PurePosixPath(value.strip()))


def unsafe(name: str) -> str | None:
    """Why ``name`` may not be opened below a set's folder; ``None`` where it may."""
    if PurePosixPath(name).is_absolute() or PureWindowsPath(name).drive:
        return "is an absolute path"
    if ".." in PurePosixPath(name).parts or ".." in PureWindowsPath(name).parts:
        return "leads out of the set's folder"
    return None


def video(folder: Path, name: str) -> Path:
    """The file of ``name`` in the set's ``folder``, links followed.

    Raises a :class:`~triptych.record.errors.SourceError` where there is none, or outside.
    """
    reason = unsafe(name)
    path = folder / name
    if reason is None and not path.resolve().is_relative_to(folder.resolve()):
        reason = "leads out of the set's folder"
    if reason is not None:
        raise UnreadableError(name, reason, "videos lie in the folder of their checklist")
    if not path.is_file():
        raise NotFoundError(name, "no such file in the set's folder")
    return path


def _looks_right(path: Path) -> bool:
    try:
        rows = read_rows(path, "checklist")
    except (NotFoundError, UnreadableError):
        return False
    return isinstance(rows[0], dict) and "structured_analysis" in rows[0]


def _where(position: int) -> str:
    return f"entry {position}"


def _pair(position: int, row: Any, problems: list[Problem]) -> Pair:
    where = _where(position)

    def tell(kind: str, what: str) -> None:
        problems.append(Problem(kind=kind, where=where, what=what))

    if not isinstance(row, dict):
        tell("missing field", "is no object; it asks nothing")
        return Pair(position=position, index=None, a="", b="", questions=(), wrong="is no object")
    wrong: str | None = None
    names: list[str] = []
    for field in ("video1_path", "video2_path"):
        name = clean_path(row.get(field))
        names.append(name)
        reason = unsafe(name) if name else "is missing"
        if reason is not None:
            wrong = wrong or f"{field} {reason}"
            tell("path outside" if name else "missing field", f"{field} {reason}")
    index = row.get("index")
    number = index if isinstance(index, int) and not isinstance(index, bool) else None
    questions = tuple(_questions(position, row.get("structured_analysis"), problems))
    if not questions:
        tell("missing field", "asks no question")
    return Pair(
        position=position, index=number, a=names[0], b=names[1], questions=questions, wrong=wrong
    )


def _questions(position: int, analysis: Any, problems: list[Problem]) -> Iterator[Question]:
    if not isinstance(analysis, dict):
        what = "structured_analysis is missing"
        problems.append(Problem(kind="missing field", where=_where(position), what=what))
        return
    for side in get_args(Side):
        items = analysis.get(side, [])
        if not isinstance(items, list):
            what = f"{side} is no list"
            problems.append(Problem(kind="missing field", where=_where(position), what=what))
            continue
        for k, item in enumerate(items):
            yield _question(f"{position}/{side}/{k}", side, item, problems)


def _question(ident: str, side: Side, item: Any, problems: list[Problem]) -> Question:
    def tell(kind: str, what: str) -> None:
        problems.append(Problem(kind=kind, where=ident, what=what))

    item = item if isinstance(item, dict) else {}
    text, klass = _text(item.get("question")), _text(item.get("class"))
    if not text:
        tell("missing field", "question is missing; it counts as wrong")
    if not klass:
        tell("missing field", "class is missing")
    said = item.get("correct_answer")
    correct = read_answer(said)
    if correct is None:
        told = "is missing" if said is None else "is neither yes nor no"
        tell("wrong answer", f"correct_answer {told}; the question counts as wrong")
    elif correct != RIGHT[side]:
        tell("wrong answer", f"correct_answer is {correct} among {side}; it is held to that")
    given = item.get("category")
    named = given if isinstance(given, list) else _text(given).split(",")
    categories = tuple(dict.fromkeys(c for n in named if (c := _text(n))))
    answer, ident_made = item.get("answer"), item.get("question_id")
    return Question(
        ident=ident, side=side, klass=klass or NO_CLASS, text=text, correct=correct,
        categories=categories,
        answer=answer if isinstance(answer, str) else "" if answer is None else json.dumps(answer),
        explanation=_text(item.get("explanation")),
        question_id=ident_made if isinstance(ident_made, str) else None,
    )  # fmt: skip


def read_answer(value: Any) -> Answer | None:
    """``yes`` or ``no`` whatever the case and the space around it; nothing else is an answer."""
    said = value.strip().casefold() if isinstance(value, str) else None
    return "yes" if said == "yes" else "no" if said == "no" else None


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""
