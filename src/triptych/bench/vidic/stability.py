"""The same captions judged again and again: how far does a judge agree with itself?

The paper judges one model's captions in five rounds (section 4.2). Agreement is the share of
questions that all rounds answer alike, the share of pairs of rounds that do, and Fleiss' kappa,
which takes off what rounds that answer by chance would agree on (Fleiss, Psychological Bulletin
76, 1971): with n_ij of N rounds answering question i with j, P_i = sum_j n_ij (n_ij - 1) /
(N (N - 1)), p_j the share of all answers that are j, kappa = (mean P_i - sum p_j^2) /
(1 - sum p_j^2). No answer agrees with nothing, not even with no answer.
"""

from __future__ import annotations

import itertools
import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.bench.plots import ranges
from triptych.bench.reports import Progress
from triptych.bench.run_folder import RunFolder
from triptych.bench.statistics import percentage
from triptych.bench.vidic.finished import Finished
from triptych.bench.vidic.protocol import read_protocol
from triptych.bench.vidic.records import Answer, Judgment
from triptych.bench.vidic.result import NAME as VIDIC
from triptych.bench.vidic.scores import (
    AVERAGE,
    DIFFERENCE,
    ONE_PAIR,
    SIMILARITY,
    TOTALS,
    class_names,
)
from triptych.bench.vidic.scores import scores as count
from triptych.record.errors import UsageError
from triptych.record.files import write_text
from triptych.record.report import Record
from triptych.record.scores import Score, Scores, dumps

if TYPE_CHECKING:
    from triptych.bench.vidic.run_judged import Judging

NAME = "vidic stability"
SIDES = ((AVERAGE, None), (DIFFERENCE, "Differences"), (SIMILARITY, "Similarities"))
#: What the paper states (section 4.2): Avg over its five rounds.
PUBLISHED = (69.30, 69.62)
_NONE = "no question of the kind was put to the judge"


class Rounds(Record):
    """One question, and what each round answered."""

    pair: str
    ident: str
    side: str
    question: str
    correct: Answer | None
    answers: list[Answer | None]

    @property
    def alike(self) -> bool:
        """Whether all rounds gave the same answer."""
        return self.answers[0] is not None and len(set(self.answers)) == 1


@dataclass(frozen=True, slots=True)
class Stable:
    """``scores``: agreement as ``alike/...``, ``pairwise/...`` and ``kappa/...``; and of each score
    ``mean/...``, ``lowest/...``, ``highest/...`` and ``sd/...`` over the rounds.

    ``unasked`` questions have no caption, so that the judge was never asked.
    """

    scores: Scores
    rounds: list[Rounds]
    each: list[dict[str, Score]]
    unasked: int
    out: Path


def stability(
    run: Finished, judging: Judging, *, times: int = 5, seed: int = 0,
    progress: Progress | None = None,
) -> Stable:  # fmt: skip
    """Judge the captions of ``run`` ``times`` times, with one question a call.

    Written into the run's folder: calls (each round's by itself; the first is the run's own where
    the judge is the same), ``stability.json`` (the figures), ``stability.jsonl`` (one line a
    question) and ``stability.png``. Raises :class:`UsageError` where ``times`` is below 2.
    """
    if times < 2:
        raise UsageError(f"--times: {times} makes no sense here; give 2 or more")
    if run.folder is None:
        raise UsageError("stability: only a run's captions can be judged again")
    from triptych.bench.vidic.evaluate import evaluate
    from triptych.bench.vidic.model_judge import ModelJudge
    from triptych.bench.vidic.task import given

    folder = RunFolder(run.folder, VIDIC).folder
    end = judging.endpoint(judging.model, "judge", folder / "calls")
    judge = ModelJudge(end, read_protocol(judging.protocol), judging.settings)
    captions = given(run.checklist.pairs, run.captions)
    judged: list[list[Judgment]] = []
    seconds, costs = 0.0, []
    for i in range(times):
        again = replace(judge, repeat=i)
        found = evaluate(run.checklist, captions, again, folder, [f"round {i + 1} of {times}"])
        judged.append(found.judged)
        seconds += found.seconds
        costs.append(found.cost)
        if progress is not None:
            progress(i + 1, times, f"round {i + 1}")
    rounds, unasked = _rounds(run, judged)
    each = [count(some, seed) for some in judged]
    known = [c for c in costs if c is not None]
    scores = Scores(
        bench=NAME, model=run.model, judge=judge.endpoint.id, labels=run.labels, n=len(rounds),
        failed=sum(r.answers.count(None) == times for r in rounds),
        scores=agreement(rounds, seed) | spread(each), cost=sum(known) if known else None,
        seconds=round(seconds, 3),
    )  # fmt: skip
    lines = [json.dumps(r.model_dump(mode="json")) + "\n" for r in rounds]
    write_text(folder / "stability.json", dumps(scores))
    write_text(folder / "stability.jsonl", "".join(lines))
    found_all = Stable(scores, rounds, each, unasked, folder)
    plot(found_all, folder / "stability.png")
    return found_all


def agreement(rounds: Sequence[Rounds], seed: int = 0) -> dict[str, Score]:
    """How far the rounds agree, over all questions and on either side.

    Intervals draw pairs of videos; none is made for kappa.
    """
    out: dict[str, Score] = {}
    for name, side in SIDES:
        some = [r for r in rounds if side in (None, r.side)]
        out[f"alike/{name}"] = percentage(((r.pair, r.alike) for r in some), seed, _NONE, ONE_PAIR)
        rows = (
            (r.pair, a is not None and a == b)
            for r in some for a, b in itertools.combinations(r.answers, 2)
        )  # fmt: skip
        pairwise = percentage(rows, seed, _NONE, ONE_PAIR)
        out[f"pairwise/{name}"] = pairwise.model_copy(update={"n": len(some)})
        out[f"kappa/{name}"] = fleiss([r.answers for r in some])
    return out


def fleiss(answers: Sequence[Sequence[Answer | None]]) -> Score:
    """Fleiss' kappa of as many answers to each question, at most 1; the formula stands above.

    No value where all answers are the same: chance alone would agree as well.
    """
    if not answers:
        return Score(reason=_NONE)
    n, times = len(answers), len(answers[0])
    counts = [[row.count("yes"), row.count("no")] for row in answers]
    seen = sum(k * (k - 1) for row in counts for k in row) / (n * times * (times - 1))
    chance = sum((sum(row[j] for row in counts) / (n * times)) ** 2 for j in (0, 1))
    if chance == 1:
        return Score(n=n, reason="all answers are the same")
    return Score(value=(seen - chance) / (1 - chance), n=n, reason="no interval is made for kappa")


def spread(each: Sequence[dict[str, Score]]) -> dict[str, Score]:
    """Mean, lowest, highest and standard deviation (of a sample) of each score over the rounds."""
    out: dict[str, Score] = {}
    for name in (*TOTALS, *class_names(each[0])):
        values, n = figures(each, name), each[0][name].n
        if len(values) < 2:
            continue
        told = {"mean": statistics.fmean(values), "lowest": min(values), "highest": max(values),
                "sd": statistics.stdev(values)}  # fmt: skip
        out |= {f"{k}/{name}": Score(value=v, n=n) for k, v in told.items()}
    return out


def figures(each: Sequence[dict[str, Score]], name: str) -> list[float]:
    """The score ``name`` of every round that has it."""
    return [v for one in each if (v := one[name].value) is not None]


def plot(found: Stable, target: str | Path) -> None:
    """Every round's scores, totals and classes."""
    names = (*TOTALS, *class_names(found.each[0]))
    rows = {n: values for n in names if (values := figures(found.each, n))}
    alike = found.scores.scores["alike/Avg"].value
    note = (
        f"{alike:.1f} % of the questions answered alike in all rounds" if alike is not None else ""
    )
    title = f"{len(found.each)} rounds of {found.scores.judge}: {found.scores.labelled}"
    ranges(rows, title, target, note=note)


def _rounds(run: Finished, judged: Sequence[Sequence[Judgment]]) -> tuple[list[Rounds], int]:
    """The questions that the judge was asked, with the answers of all rounds; and the others."""
    failed = {p.position for p, c in zip(run.checklist.pairs, run.captions, strict=True)
              if c.failed is not None}  # fmt: skip
    out = [
        Rounds(
            pair=js[0].pair, ident=js[0].ident, side=js[0].side, question=js[0].question,
            correct=js[0].correct, answers=[j.answer for j in js],
        )
        for js in zip(*judged, strict=True)
        if js[0].correct is not None and js[0].question
        and int(js[0].ident.partition("/")[0]) not in failed
    ]  # fmt: skip
    return out, len(judged[0]) - len(out)
