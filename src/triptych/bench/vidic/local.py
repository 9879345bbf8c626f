"""Participants that need no model: ``measured``, ``scripted/blind`` and ``scripted/oracle``.

``measured`` writes the findings of ``diff`` as a caption; ``scripted/blind`` never looks and says
that nothing differs; ``scripted/oracle`` writes the truth of a made set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from triptych.bench.reports import Progress, compare_all
from triptych.bench.run_folder import RunFolder
from triptych.bench.vidic import caption as written
from triptych.bench.vidic.captions import Caption
from triptych.bench.vidic.facts import Facts, oracle
from triptych.bench.vidic.load import video
from triptych.bench.vidic.records import Pair
from triptych.diff.options import Options
from triptych.record.errors import SourceError
from triptych.record.report import Report

MEASURED, BLIND, ORACLE = "measured", "scripted/blind", "scripted/oracle"
PARTICIPANTS = (MEASURED, BLIND, ORACLE)
#: A report, or the reason that there is none.
Measured = tuple[Report | None, str | None]
_BLIND = "Video A and Video B are the same in every respect."


@dataclass(frozen=True, slots=True)
class _Files:
    id: str
    a: str
    b: str


def blind(pairs: Sequence[Pair]) -> list[Caption]:
    """The same caption for every pair: what the questions give away without looking."""
    return [Caption(text=_BLIND) for _ in pairs]


def truth(pairs: Sequence[Pair], facts: Facts) -> list[Caption]:
    """The true caption of each pair."""
    return [Caption(text=oracle(p, facts)) for p in pairs]


def measured(
    folder: Path, pairs: Sequence[Pair], run: RunFolder, skip: tuple[str, ...],
    workers: int | None, progress: Progress | None, *, reverse: bool = False,
) -> tuple[list[Caption], float]:  # fmt: skip
    """Captions from reports of ``diff``, and the seconds they took; kept in ``run``."""
    found, seconds = reports(folder, pairs, run, skip, workers, progress, reverse=reverse)
    captions = [
        Caption(text=written.from_report(report, swapped=reverse) if report is not None else "",
                failed=error)
        for report, error in found
    ]  # fmt: skip
    return captions, seconds


def reports(
    folder: Path, pairs: Sequence[Pair], run: RunFolder, skip: tuple[str, ...],
    workers: int | None, progress: Progress | None, *, reverse: bool = False,
) -> tuple[list[Measured], float]:  # fmt: skip
    """What ``diff`` measures of each pair, and the seconds that took; kept in ``run``.

    ``reverse`` compares B with A: the report's A is then Video B.
    """
    options = Options(skip=skip)
    out: list[Measured] = [(None, None) for _ in pairs]
    there: list[int] = []
    for i, pair in enumerate(pairs):
        try:
            if pair.wrong is None:
                for name in (pair.a, pair.b):
                    video(folder, name)
                there.append(i)
            else:
                out[i] = (None, pair.wrong)
        except SourceError as e:
            out[i] = (None, str(e))
    files = []
    for i in there:
        names = (pairs[i].b, pairs[i].a) if reverse else (pairs[i].a, pairs[i].b)
        files.append(_Files(f"entry {pairs[i].position}", *names))
    found = compare_all(folder, files, run, options.skip, workers, progress)
    for i, (report, error, _) in zip(there, found, strict=True):
        out[i] = (report, error)
    return out, sum(seconds for _, _, seconds in found)
