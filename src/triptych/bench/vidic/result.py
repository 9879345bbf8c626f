"""What a run found, as files and as a record."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from triptych.bench.run_folder import RunFolder
from triptych.bench.vidic.records import Judgment, Problem
from triptych.bench.vidic.scores import scores
from triptych.bench.vidic.spent import Spent
from triptych.record.errors import UnreadableError, printable
from triptych.record.files import write_text
from triptych.record.scores import Scores, dumps, loads

NAME = "vidic"


@dataclass(frozen=True, slots=True)
class Result:
    """The figures, what they were counted from, and what was wrong with the input.

    ``notes`` say what a reader of the table must know: which protocol, comparable or not.
    ``spent`` is what its calls took, where there were any.
    """

    scores: Scores
    judged: list[Judgment]
    problems: list[Problem]
    notes: list[str]
    out: Path | None = None
    spent: Spent | None = None

    @property
    def failed(self) -> list[Judgment]:
        """Questions that got no answer; all of them count as wrong."""
        return [j for j in self.judged if j.failed is not None]


def result(
    judged: Sequence[Judgment], problems: Sequence[Problem], *, model: str, judge: str | None,
    seed: int, notes: Sequence[str], seconds: float = 0.0, cost: float | None = None,
    labels: Sequence[str] = (), spent: Spent | None = None,
) -> Result:  # fmt: skip
    """Count ``judged``."""
    figures = Scores(
        bench=NAME, model=model, judge=judge, n=len(judged),
        failed=sum(j.failed is not None for j in judged),
        scores=scores(judged, seed), cost=cost, seconds=round(seconds, 3),
        labels=list(labels),
    )  # fmt: skip
    return Result(figures, list(judged), list(problems), list(notes), spent=spent)


def write(found: Result, run: RunFolder) -> Result:
    """Write the result into the folder of its run.

    ``scores.json``; ``judgments.jsonl``, one line a question; ``problems.txt``, what was wrong
    with the input and what failed.
    """
    write_text(run.folder / "scores.json", dumps(found.scores))
    lines = [json.dumps(j.model_dump(mode="json")) + "\n" for j in found.judged]
    write_text(run.folder / "judgments.jsonl", "".join(lines))
    told = [f"{p.kind}: {p.line}" for p in found.problems]
    told += [f"failed: {j.ident}: {j.failed}" for j in found.failed]
    text = "".join(printable(line) + "\n" for line in (*found.notes, *told))
    write_text(run.folder / "problems.txt", text)
    return replace(found, out=run.folder)


def read_judgments(folder: str | Path) -> list[Judgment]:
    """The judgments of a finished run; raises a ``SourceError`` where there are none."""
    path = Path(folder) / "judgments.jsonl"
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        judged = [Judgment.model_validate_json(line) for line in lines]
    except (OSError, ValueError) as e:
        raise UnreadableError(
            str(folder), "holds no finished run of bench vidic", "name its --out folder"
        ) from e
    if not judged:
        raise UnreadableError(str(folder), "holds a run without a question")
    return judged


def read_scores(folder: str | Path) -> Scores:
    """The figures of a finished run; raises a ``SourceError`` where there are none."""
    try:
        return loads((Path(folder) / "scores.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as e:
        raise UnreadableError(str(folder), "holds no scores", "name a run's --out folder") from e


def counted(problems: Sequence[Problem]) -> str:
    """``problems`` in short: how many of each kind."""
    kinds = Counter(p.kind for p in problems)
    return ", ".join(f"{kind} ({n})" for kind, n in sorted(kinds.items()))
