"""Intervals over clips, against all draws written out by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from triptych.bench.statistics import ONE_CLIP, figure, percentage


def rows(**clips: str) -> list[tuple[str, bool]]:
    return [(clip, letter == "y") for clip, letters in clips.items() for letter in letters]


def test_two_clips() -> None:
    # Draws: a a (1 of 2), a b and b a (3 of 4), b b (2 of 2); each end has a quarter of them.
    score = percentage(rows(a="yn", b="yy"))
    assert (score.value, score.lo, score.hi, score.n) == (75.0, 50.0, 100.0, 4)
    assert score.reason is None


def test_ratio_of_sums_not_mean_of_ratios() -> None:
    assert percentage(rows(a="y", b="nnn")).value == 25.0


def test_five_clips_against_every_draw() -> None:
    clips = {"a": "yyyn", "b": "yn", "c": "yyyyyy", "d": "nnny", "e": "yynn"}
    counts = [(v.count("y"), len(v)) for v in clips.values()]
    every = [
        100 * sum(counts[i][0] for i in draw) / sum(counts[i][1] for i in draw)
        for draw in itertools.product(range(5), repeat=5)
    ]
    lo, hi = np.percentile(every, [2.5, 97.5])
    score = percentage(rows(**clips), seed=3)
    assert score.value == pytest.approx(100 * 13 / 20)
    assert score.lo == pytest.approx(lo, abs=2.0)
    assert score.hi == pytest.approx(hi, abs=2.0)


def test_median_of_clips() -> None:
    # a a gives 1, b b gives 9; a b the median of 1, 1, 1, 9.
    score = figure([("a", 1.0), ("a", 1.0), ("a", 1.0), ("b", 9.0)], lambda x: float(np.median(x)))
    assert (score.value, score.lo, score.hi, score.n) == (1.0, 1.0, 9.0, 4)


def test_same_seed_same_interval_whatever_the_order() -> None:
    given = rows(a="yyn", b="yn", c="n", d="yyyy")
    assert percentage(given, 5) == percentage(list(reversed(given)), 5)


@pytest.mark.parametrize("score", [percentage(rows(a="yn")), figure([("a", 1.0)], np.max)])
def test_one_clip_has_no_interval(score: object) -> None:
    assert (score.lo, score.hi, score.reason) == (None, None, ONE_CLIP)  # type: ignore[attr-defined]
    assert score.value is not None  # type: ignore[attr-defined]


def test_nothing() -> None:
    score = percentage([], nothing="no pair moves")
    assert (score.value, score.n, score.reason) == (None, 0, "no pair moves")
