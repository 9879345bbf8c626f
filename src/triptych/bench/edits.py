"""``bench edits``: ``diff`` on pairs whose edits are known.

Every pair of a set that ``make pairs`` wrote is compared, and its report held against the truth.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from triptych.bench.edits_judge import Judged, judge
from triptych.bench.edits_misses import misses
from triptych.bench.edits_pairs import read_pairs, sample
from triptych.bench.edits_scores import scores
from triptych.bench.reports import Progress, compare_all
from triptych.bench.run_folder import RunFolder
from triptych.diff.options import Options
from triptych.record.errors import UsageError
from triptych.record.files import write_text
from triptych.record.scores import Scores, dumps

NAME = "edits"
#: Whose differences are judged, and by what.
MODEL = "measured"
JUDGE = "facts"


@dataclass(frozen=True, slots=True)
class Result:
    """The figures, and what each pair contributed to them."""

    scores: Scores
    judged: list[Judged]
    out: Path


def bench_edits(
    folder: str | Path,
    *,
    out: str | Path | None = None,
    limit: int | None = None,
    seed: int = 0,
    skip: Sequence[str] = (),
    workers: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Compare all pairs of the set in ``folder``, or ``limit`` of them that ``seed`` draws.

    ``skip`` is that of ``diff``; what it leaves out is not asked for. Reports are kept in ``out``
    (``folder/run``) as they come; running again measures only what is not there yet. A pair that
    cannot be compared is counted as failed and misses what it must report. Next to the reports
    are written ``scores.json``, ``pairs.jsonl`` (what each pair contributed) and ``misses.txt``.

    Raises :class:`SourceError` (no such set), :class:`UsageError` (arguments; ``out`` holds
    something else), :class:`OutputError` (disk full or not writable).
    """
    if limit is not None and limit < 1:
        raise UsageError(f"limit is {limit}; give a number of pairs of at least 1")
    options = Options(skip=tuple(skip))
    folder = Path(folder)
    pairs = sample(read_pairs(folder), limit, seed)
    run = RunFolder(out if out is not None else folder / "run", NAME)
    found = compare_all(folder, pairs, run, options.skip, workers, progress)
    judged = [judge(p, report, options, error, s) for p, (report, error, s) in
              zip(pairs, found, strict=True)]  # fmt: skip
    result = Scores(
        bench=NAME,
        model=MODEL,
        judge=JUDGE,
        n=len(judged),
        failed=sum(j.error is not None for j in judged),
        scores=scores(judged, seed),
        seconds=round(sum(j.seconds for j in judged), 3),
    )
    write_text(run.folder / "scores.json", dumps(result))
    lines = (json.dumps(j.model_dump(mode="json"), ensure_ascii=False) + "\n" for j in judged)
    write_text(run.folder / "pairs.jsonl", "".join(lines))
    text = "".join(f"{m.line}\n    {m.command}\n" for m in misses(judged, folder))
    write_text(run.folder / "misses.txt", text)
    return Result(result, judged, run.folder)
