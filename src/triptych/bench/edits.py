"""``bench edits``: ``diff`` on pairs whose edits are known.

Every pair of a set that ``make pairs`` wrote is compared, and its report held against the truth.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from triptych.bench.edits_judge import Judged, judge
from triptych.bench.edits_misses import misses
from triptych.bench.edits_pairs import Pair, read_pairs, sample
from triptych.bench.edits_scores import scores
from triptych.bench.run_folder import RunFolder, key
from triptych.diff.options import Options
from triptych.make.load import digest
from triptych.record.errors import SourceError, UsageError
from triptych.record.files import write_text
from triptych.record.pool import run_all
from triptych.record.report import Report
from triptych.record.report import loads as load_report
from triptych.record.scores import Scores, dumps

NAME = "edits"
#: Whose differences are judged, and by what.
MODEL = "measured"
JUDGE = "facts"

#: Called with pairs done, pairs in all, and the pair's id.
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Result:
    """The figures, and what each pair contributed to them."""

    scores: Scores
    judged: list[Judged]
    out: Path


@dataclass(frozen=True, slots=True)
class _Job:
    a: str
    b: str
    skip: tuple[str, ...]


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
    found = _compare_all(folder, pairs, run, options.skip, workers, progress)
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


_Found = tuple[Report | None, str | None, float]


def _compare_all(
    folder: Path, pairs: Sequence[Pair], run: RunFolder, skip: tuple[str, ...],
    workers: int | None, progress: Progress | None,
) -> list[_Found]:  # fmt: skip
    """Report, error and seconds for each pair: from an earlier run, or measured now."""
    found: dict[int, _Found] = {}
    keys: dict[int, str] = {}
    hashed = functools.cache(digest)
    for i, pair in enumerate(pairs):
        try:
            contents = [hashed(folder / name) for name in (pair.a, pair.b)]
        except SourceError as e:
            found[i] = (None, str(e), 0.0)
            continue
        # The names are part of it: a report says them.
        keys[i] = key(contents, {"skip": sorted(skip), "names": [pair.a, pair.b]})
        kept = run.kept(keys[i])
        if kept is not None:
            found[i] = (kept[0], None, kept[1])
    todo = [i for i in range(len(pairs)) if i not in found]
    jobs = [_Job(str(folder / pairs[i].a), str(folder / pairs[i].b), skip) for i in todo]
    for done in run_all(_compare, jobs, workers):
        i = todo[done.index]
        report, seconds = None, round(done.seconds, 3)
        if done.result is not None:
            report = load_report(done.result)
            run.keep(keys[i], report, seconds)
        found[i] = (report, done.error, seconds)
        if progress is not None:
            progress(len(found), len(pairs), pairs[i].id)
    return [found[i] for i in range(len(pairs))]


def _compare(job: _Job) -> str:
    """One pair, in a process of its own; the report as JSON."""
    import cv2

    from triptych.diff.compare import compare
    from triptych.record.report import dumps as dump_report

    cv2.setNumThreads(1)
    return dump_report(compare(job.a, job.b, Options(skip=job.skip)))
