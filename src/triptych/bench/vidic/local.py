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

MEASURED, BLIND, ORACLE = "measured", "scripted/blind", "scripted/oracle"
PARTICIPANTS = (MEASURED, BLIND, ORACLE)
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
    workers: int | None, progress: Progress | None,
) -> tuple[list[Caption], float]:  # fmt: skip
    """Captions from reports of ``diff``, and the seconds they took; kept in ``run``."""
    options = Options(skip=skip)
    captions: list[Caption] = [Caption() for _ in pairs]
    there: list[int] = []
    for i, pair in enumerate(pairs):
        try:
            if pair.wrong is None:
                for name in (pair.a, pair.b):
                    video(folder, name)
                there.append(i)
            else:
                captions[i] = Caption(failed=pair.wrong)
        except SourceError as e:
            captions[i] = Caption(failed=str(e))
    files = [_Files(f"entry {pairs[i].position}", pairs[i].a, pairs[i].b) for i in there]
    found = compare_all(folder, files, run, options.skip, workers, progress)
    for i, (report, error, _) in zip(there, found, strict=True):
        text = written.from_report(report) if report is not None else ""
        captions[i] = Caption(text=text, failed=error)
    return captions, sum(seconds for _, _, seconds in found)
