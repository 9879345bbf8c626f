"""Two runs on the same questions: is one better, or is it chance?

The paired bootstrap: pairs of videos are drawn with replacement, each with all its questions and
both runs' answers, and the difference is taken anew over each draw (Efron and Tibshirani, An
Introduction to the Bootstrap, 1993, chapter 8; for comparing systems, Berg-Kirkpatrick et al.,
EMNLP 2012). What makes a pair of videos hard for both runs so leaves the difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from triptych.bench.statistics import paired
from triptych.bench.vidic.records import Judgment
from triptych.bench.vidic.result import read_judgments, read_scores
from triptych.bench.vidic.scores import ONE_PAIR, parts
from triptych.record.errors import UsageError
from triptych.record.scores import Score

#: Resamples; the published comparisons of this kind take as many.
DRAWS = 10_000


@dataclass(frozen=True, slots=True)
class Compared:
    """``scores`` are B less A in points of percent; ``alone`` counts what only one run asked.

    ``labels`` say what in either leaves the benchmark's protocol.
    """

    scores: dict[str, Score]
    before: dict[str, float]
    n: int
    alone: tuple[int, int]
    labels: tuple[list[str], list[str]]


def compare(a: str | Path, b: str | Path, seed: int = 0) -> Compared:
    """Run ``b`` against run ``a``, over the questions that both asked.

    A question is known by its pair, its side and its text, and by how often that came before; so
    neither the order nor the index of either set matters. Raises a
    :class:`~triptych.record.errors.SourceError` where a folder holds no finished run, and
    :class:`~triptych.record.errors.UsageError` where the two have no question in common.
    """
    first, second = _keyed(read_judgments(a)), _keyed(read_judgments(b))
    both = [key for key in first if key in second]
    if not both:
        raise UsageError("the two runs have no question in common")
    rows = [(first[key], second[key]) for key in both]
    scores: dict[str, Score] = {}
    before: dict[str, float] = {}
    for name, wanted in parts([one for one, _ in rows]).items():
        some = [(x, y) for x, y in rows if wanted(x)]
        scores[name] = paired([(x.pair, x.right, y.right) for x, y in some], seed, ONE_PAIR, DRAWS)
        if some:
            before[name] = 100 * float(np.mean([x.right for x, _ in some]))
    alone = (len(first) - len(both), len(second) - len(both))
    labels = (read_scores(a).labels, read_scores(b).labels)
    return Compared(scores, before, len(both), alone, labels)


def _keyed(judged: Sequence[Judgment]) -> dict[tuple[str, str, str, int], Judgment]:
    seen: Counter[tuple[str, str, str]] = Counter()
    out: dict[tuple[str, str, str, int], Judgment] = {}
    for j in judged:
        key = (j.pair, j.side, j.question)
        out[*key, seen[key]] = j
        seen[key] += 1
    return out
