"""A run that is over, taken up again: its questions, captions and judgments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from triptych.bench.vidic.captions import Caption, read_responses
from triptych.bench.vidic.judged import judgments
from triptych.bench.vidic.load import clean_path, read_checklist, read_rows
from triptych.bench.vidic.records import Checklist, Judgment, Pair, Problem, Question
from triptych.bench.vidic.result import read_judgments, read_scores
from triptych.record.errors import UnreadableError

CAPTIONS = "captions.json"


@dataclass(frozen=True, slots=True)
class Finished:
    """``captions`` are those of the checklist's pairs, in order; ``judged`` of its questions.

    ``folder`` is the run's own, where there is one.
    """

    checklist: Checklist
    captions: list[Caption]
    judged: list[Judgment]
    model: str
    judge: str | None
    labels: list[str]
    folder: Path | None = None
    problems: tuple[Problem, ...] = ()


def is_run(data: str | Path) -> bool:
    """Whether ``data`` is the folder of a run, rather than a set."""
    return (Path(data) / "run.json").is_file()


def read_run(folder: str | Path) -> Finished:
    """The finished run in ``folder``.

    Raises a :class:`~triptych.record.errors.SourceError` where there is none, or one that has no
    captions.
    """
    judged, known = read_judgments(folder), read_scores(folder)
    path = Path(folder) / CAPTIONS
    if not path.is_file():
        hint = "give the judged file and its captions: --judged FILE --responses FILE"
        raise UnreadableError(str(folder), "this run holds no captions", hint)
    said = _captions(path)
    pairs = _pairs(judged, {i: names for i, (names, _) in said.items()})
    captions = [
        said[p.position][1] if p.position in said else Caption(failed="it is not in captions.json")
        for p in pairs
    ]
    checklist = Checklist(path=str(path), pairs=tuple(pairs), problems=())
    return Finished(
        checklist, captions, judged, known.model, known.judge, known.labels, Path(folder)
    )


def read_judged(file: str | Path, responses: str | Path, model: str = "") -> Finished:
    """A checklist whose answers are filled in, and the captions that they are about.

    Raises a :class:`~triptych.record.errors.SourceError` where either cannot be read.
    """
    checklist = read_checklist(file)
    captions, problems, _ = read_responses(responses, checklist)
    judged = list(judgments(checklist))
    name = model or "captions judged elsewhere"
    return Finished(
        checklist, captions, judged, name, None, [],
        problems=(*checklist.problems, *problems),
    )  # fmt: skip


def _captions(path: Path) -> dict[int, tuple[tuple[str, str], Caption]]:
    """By position in the set: the names of both videos, and what was said of them."""
    out: dict[int, tuple[tuple[str, str], Caption]] = {}
    for row in read_rows(path, "file of captions"):
        if not isinstance(row, dict) or not isinstance(row.get("index"), int):
            raise UnreadableError(str(path), "was not written by bench vidic")
        said, failed = row.get("response"), row.get("error")
        names = clean_path(row.get("video1_path")), clean_path(row.get("video2_path"))
        text = said if isinstance(said, str) else json.dumps(said)
        out[row["index"]] = (
            names, Caption(text=text, failed=failed if isinstance(failed, str) else None)
        )  # fmt: skip
    return out


def _pairs(judged: Sequence[Judgment], names: dict[int, tuple[str, str]]) -> list[Pair]:
    asked: dict[int, list[Judgment]] = {}
    for j in judged:
        position = j.ident.partition("/")[0]
        if not position.isdecimal():
            raise UnreadableError(j.ident, "is no question of bench vidic")
        asked.setdefault(int(position), []).append(j)
    return [
        Pair(
            position=position, index=None, a=names.get(position, ("", ""))[0],
            b=names.get(position, ("", ""))[1], questions=tuple(_question(j) for j in some),
        )
        for position, some in asked.items()
    ]  # fmt: skip


def _question(j: Judgment) -> Question:
    return Question(
        ident=j.ident, side=j.side, klass=j.klass, text=j.question, correct=j.correct,
        categories=tuple(j.categories),
    )  # fmt: skip
