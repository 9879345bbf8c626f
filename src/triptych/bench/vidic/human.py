"""How far a run's judge agrees with people: percent, and Cohen's kappa beside it.

The labels are a judged file: the checklist of the set whose answers people filled in, about the
same captions. Percent alone flatters a judge where most answers are the same; kappa takes off what
two that answer by chance, each as often yes as they do, would agree on (Cohen, Educational and
Psychological Measurement 20, 1960). No answer is an answer of its own: it agrees with none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from triptych.bench.statistics import percentage
from triptych.bench.vidic.judged import judgments
from triptych.bench.vidic.load import read_checklist
from triptych.bench.vidic.records import Judgment
from triptych.bench.vidic.result import read_judgments
from triptych.bench.vidic.scores import ONE_PAIR
from triptych.record.errors import UsageError
from triptych.record.scores import Score, Scores

#: As the paper's Table 3 has them.
_PARTS = (("Average", None), ("Similarity", "Similarities"), ("Difference", "Differences"))


@dataclass(frozen=True, slots=True)
class Agreement:
    """``scores``: percent for each part, and ``kappa/...``; counts of what could not be compared.

    ``unlabelled`` questions have no label that is yes or no, ``alone`` are in one file only.
    """

    scores: Scores
    unlabelled: int
    alone: int


def agreement(run: str | Path, labels: str | Path, seed: int = 0) -> Agreement:
    """Hold the judgments of a finished ``run`` against the ``labels`` of people.

    Raises a :class:`~triptych.record.errors.SourceError` where either cannot be read, and
    :class:`UsageError` where they have no labelled question in common.
    """
    judged = read_judgments(run)
    checklist = read_checklist(labels)
    people = {(j.pair, j.side, j.question): j for j in judgments(checklist)}
    keys = [(j.pair, j.side, j.question) for j in judged]
    both = [(j, people[key]) for j, key in zip(judged, keys, strict=True) if key in people]
    labelled = [(j, p) for j, p in both if p.answer is not None]
    if not labelled:
        raise UsageError("the run and the labels have no labelled question in common")
    found: dict[str, Score] = {}
    for name, side in _PARTS:
        some = [(j, p) for j, p in labelled if side in (None, j.side)]
        rows = ((j.pair, j.answer == p.answer) for j, p in some)
        found[name] = percentage(rows, seed, one=ONE_PAIR)
        found[f"kappa/{name}"] = kappa(some)
    alone = len(judged) - len(both) + len(people.keys() - set(keys))
    failed = sum(j.answer is None for j, _ in labelled)
    scores = Scores(
        bench="vidic agreement", model=str(run), judge=str(labels), n=len(labelled), failed=failed,
        scores=found, seconds=0,
    )  # fmt: skip
    return Agreement(scores, len(both) - len(labelled), alone)


def kappa(pairs: Sequence[tuple[Judgment, Judgment]]) -> Score:
    """Cohen's kappa of two answers to each question, -1 to 1; no value where chance alone is 1."""
    n = len(pairs)
    if not n:
        return Score(reason="nothing of the kind in the labels")
    first, second = Counter(a.answer for a, _ in pairs), Counter(b.answer for _, b in pairs)
    seen = sum(a.answer is not None and a.answer == b.answer for a, b in pairs) / n
    chance = sum(first[x] * second[x] for x in ("yes", "no")) / n**2
    if chance == 1:
        return Score(n=n, reason="both answer the same to everything")
    return Score(value=(seen - chance) / (1 - chance), n=n, reason="no interval is made for kappa")
