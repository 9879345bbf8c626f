"""Runs of ``bench vidic`` at several points of something that is varied, and what it changes.

::

    RUN/run.json      which analysis this is
    RUN/calls         finished calls, shared by all points
    RUN/frames        cut frames, shared as well
    RUN/POINT/        a whole run of bench vidic for each point
    RUN/series.json   the record below; scores.json, the same figures as triptych.scores/1
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field

from triptych.bench.compare import compare
from triptych.bench.run_folder import RunFolder
from triptych.bench.vidic.result import Result
from triptych.bench.vidic.scores import AVERAGE, DIFFERENCE, SIMILARITY
from triptych.bench.vidic.spent import Spent
from triptych.record.files import write_text
from triptych.record.report import Number, Record, json_text
from triptych.record.scores import Score, Scores, dumps

SCHEMA: Literal["triptych.series/1"] = "triptych.series/1"
TOTALS = (AVERAGE, DIFFERENCE, SIMILARITY)


@dataclass(frozen=True, slots=True)
class Step:
    """A point to be run: ``name`` is its folder, ``label`` its value in words.

    ``kind`` is what has that value: a panel of the plot. A point without one is in all panels.
    """

    name: str
    label: str
    kind: str = ""


class Point(Record):
    """One run. ``scores`` are its figures, ``change`` what they differ by from the first point's.

    Both in (points of) percent with their 95 % intervals over pairs of videos; those of ``change``
    are paired. ``failed`` of ``n`` questions had no answer and count as wrong.
    """

    name: str
    label: str
    kind: str
    notes: list[str]
    n: int
    failed: int
    scores: dict[str, Score]
    change: dict[str, Score] = Field(default_factory=dict)
    spent: Spent | None = None
    seconds: Number

    @property
    def told(self) -> str:
        """What tables call it."""
        return f"{self.kind} {self.label}".strip()


class Series(Record):
    """An analysis; ``varied`` says in words what the points differ by."""

    schema_: Literal["triptych.series/1"] = Field(default=SCHEMA, alias="schema")
    bench: str
    model: str
    judge: str
    varied: str
    points: list[Point]

    model_config = ConfigDict(extra="forbid", validate_assignment=True, populate_by_name=True)

    def flat(self) -> Scores:
        """As ``triptych.scores/1``: figures under POINT/NAME and POINT/change/NAME."""
        scores: dict[str, Score] = {}
        for p in self.points:
            scores |= {f"{p.name}/{name}": s for name, s in p.scores.items()}
            scores |= {f"{p.name}/change/{name}": s for name, s in p.change.items()}
        costs = [p.spent.cost for p in self.points if p.spent and p.spent.cost is not None]
        return Scores(
            bench=self.bench, model=self.model, judge=self.judge,
            n=sum(p.n for p in self.points), failed=sum(p.failed for p in self.points),
            scores=scores, cost=sum(costs) if len(costs) == len(self.points) else None,
            seconds=sum(p.seconds for p in self.points),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """The record, and each point's result in the same order."""

    series: Series
    results: list[Result]
    out: Path


def run_series(
    bench: str, steps: Sequence[Step], run: Callable[[Step, Path], Result], *, out: str | Path,
    model: str, judge: str, varied: str, seed: int = 0,
    told: Callable[[Step, Result], None] | None = None,
) -> Found:  # fmt: skip
    """``run`` each step in its folder below ``out``, and hold it against the first.

    What fails is within the results. Raises a :class:`~triptych.record.errors.TriptychError` where
    a step cannot be run at all, and where ``out`` holds something else.
    """
    folder = RunFolder(out, bench).folder
    results: list[Result] = []
    points: list[Point] = []
    for step in steps:
        found = run(step, folder / step.name)
        results.append(found)
        change = {}
        if points:
            change = compare(folder / points[0].name, folder / step.name, seed).scores
        points.append(_point(step, found, change))
        if told is not None:
            told(step, found)
    series = Series(bench=bench, model=model, judge=judge, varied=varied, points=points)
    write_text(folder / "series.json", json_text(series.model_dump(mode="json", by_alias=True)))
    write_text(folder / "scores.json", dumps(series.flat()))
    return Found(series, results, folder)


def _point(step: Step, found: Result, change: dict[str, Score]) -> Point:
    return Point(
        name=step.name, label=step.label, kind=step.kind, notes=list(found.notes),
        n=found.scores.n, failed=found.scores.failed, scores=found.scores.scores, change=change,
        spent=found.spent, seconds=found.scores.seconds,
    )  # fmt: skip
