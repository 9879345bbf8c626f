"""Accuracy over the questions (ViDiC, section 3.3.2): pooled ratios, in percent.

The interval draws pairs, each with all its questions: they are about the same caption.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from triptych.bench.statistics import percentage
from triptych.bench.vidic.records import Judgment
from triptych.record.scores import Score

ONE_PAIR = "no interval: all of one pair"
#: Names of the totals; classes stand beside them under the names that the data gives them.
AVERAGE, DIFFERENCE, SIMILARITY = "Avg", "Diff", "Sim"
TOTALS = (AVERAGE, DIFFERENCE, SIMILARITY)
CATEGORY = "category/"


def scores(judged: Sequence[Judgment], seed: int = 0) -> dict[str, Score]:
    """All figures of a run: totals, classes and fine categories, in a fixed order."""
    return {
        name: percentage(((j.pair, j.right) for j in judged if wanted(j)), seed, one=ONE_PAIR)
        for name, wanted in parts(judged).items()
    }


def parts(judged: Sequence[Judgment]) -> dict[str, Callable[[Judgment], bool]]:
    """By the name of a figure, which questions it is of."""
    out: dict[str, Callable[[Judgment], bool]] = {
        AVERAGE: lambda j: True,
        DIFFERENCE: lambda j: j.side == "Differences",
        SIMILARITY: lambda j: j.side == "Similarities",
    }
    totals = set(out)
    for klass in in_order(j.klass for j in judged):
        # A class that is called like a total, or like a category, must not hide it.
        clash = klass in totals or klass.startswith((CATEGORY, "class/"))
        name = f"class/{klass}" if clash else klass
        out[name] = lambda j, k=klass: j.klass == k  # type: ignore[misc]
    for category in in_order(c for j in judged for c in j.categories):
        out[CATEGORY + category] = lambda j, c=category: c in j.categories  # type: ignore[misc]
    return out


def class_names(found: dict[str, Score]) -> list[str]:
    """The names of classes among the figures."""
    return [name for name in found if name not in TOTALS and not name.startswith(CATEGORY)]


_PAPER = ("subject", "motion", "position", "background", "camera", "style", "playback technique")


def in_order(names: Iterable[str]) -> list[str]:
    """Names of classes, each once, in the order of the paper's table; others behind, by name."""
    rank = {name: i for i, name in enumerate(_PAPER)}
    return sorted(set(names), key=lambda n: (rank.get(n.casefold(), len(rank)), n))
