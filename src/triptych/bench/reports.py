"""Measured reports of many pairs, kept in a run's folder as they come."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from triptych.bench.run_folder import RunFolder, key
from triptych.diff.options import Options
from triptych.make.load import digest
from triptych.record.errors import SourceError
from triptych.record.pool import run_all
from triptych.record.report import Report
from triptych.record.report import loads as load_report

#: Called with pairs done, pairs in all, and the pair's id.
Progress = Callable[[int, int, str], None]


class Named(Protocol):
    """A pair of videos by their names within a folder."""

    @property
    def id(self) -> str:
        """What progress calls it."""

    @property
    def a(self) -> str:
        """The name of Video A."""

    @property
    def b(self) -> str:
        """The name of Video B."""


#: Report, or the reason that there is none, and the seconds it took.
Found = tuple[Report | None, str | None, float]


@dataclass(frozen=True, slots=True)
class _Job:
    a: str
    b: str
    skip: tuple[str, ...]


def measurer(
    home: Path, name: str, skip: Sequence[str] = (), workers: int | None = None,
    progress: Progress | None = None,
) -> Callable[[Sequence[Named]], list[Found]]:  # fmt: skip
    """Measures pairs of paths; reports are kept in ``home`` for the next run of ``name``."""
    run = RunFolder(home, name)
    options = Options(skip=tuple(skip))

    def measure(pairs: Sequence[Named]) -> list[Found]:
        return compare_all(Path(), pairs, run, options.skip, workers, progress)

    return measure


def compare_all(
    folder: Path, pairs: Sequence[Named], run: RunFolder, skip: tuple[str, ...],
    workers: int | None, progress: Progress | None,
) -> list[Found]:  # fmt: skip
    """Report, error and seconds for each pair: from an earlier run, or measured now."""
    found: dict[int, Found] = {}
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
    return dump_report(compare(job.a, job.b, Options(skip=job.skip, more=True)))
