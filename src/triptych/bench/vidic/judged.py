"""A judged file: the official format with its answers filled in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from triptych.bench.run_folder import RunFolder
from triptych.bench.vidic.load import read_answer, read_checklist, sample
from triptych.bench.vidic.records import Checklist, Judgment, judgment
from triptych.bench.vidic.result import NAME, Result, result, write
from triptych.record.errors import printable

_SHOWN = 60


def score_judged(
    file: str | Path, *, model: str = "captions judged elsewhere", judge: str | None = None,
    out: str | Path | None = None, limit: int | None = None, seed: int = 0,
) -> Result:  # fmt: skip
    """Score the judged ``file``: no video, no model.

    ``model`` and ``judge`` are names for the record. With ``out`` the run is written there, which
    ``bench compare`` reads. Raises a :class:`~triptych.record.errors.SourceError` where the file
    is no checklist, and :class:`~triptych.record.errors.UsageError` where ``out`` holds something
    else.
    """
    checklist = sample(read_checklist(file), seed, limit)
    run = RunFolder(out, NAME) if out is not None else None
    found = result(
        list(judgments(checklist)), checklist.problems, model=model, judge=judge, seed=seed,
        notes=[f"answers as given in {Path(checklist.path).name}"],
    )  # fmt: skip
    return write(found, run) if run is not None else found


def judgments(checklist: Checklist) -> Iterator[Judgment]:
    """The answers that the file holds; one that is neither yes nor no has failed.

    The official rule: equality whatever the case, anything else is wrong.
    """
    for pair in checklist.pairs:
        for question in pair.questions:
            answer = read_answer(question.answer)
            failed = None
            if answer is None:
                said = printable(" ".join(question.answer.split())[:_SHOWN])
                failed = f"neither yes nor no: {said}" if said else "no answer"
            yield judgment(pair, question, answer, question.explanation, failed)
