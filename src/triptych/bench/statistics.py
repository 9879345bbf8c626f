"""Figures with intervals that take into account that pairs of one clip are alike.

The interval is the percentile bootstrap over clips: clips are drawn with replacement, each with
all its pairs, and the 2.5 and 97.5 % points of the figure over the draws bound it (Efron and
Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3; for whole clusters Davison and
Hinkley, Bootstrap Methods and their Application, 1997, section 3.8). Pairs of one clip share its
light, motion and noise, so drawing single pairs would give intervals that are too narrow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from triptych.record.scores import Score

#: Draws. The ends of the interval then move by less than their third digit with the seed.
DRAWS = 2000
_ENDS = (2.5, 97.5)
ONE_CLIP = "no interval: all of one clip"


def percentage(
    rows: Iterable[tuple[str, bool]], seed: int = 0, nothing: str = "", one: str = ONE_CLIP
) -> Score:
    """The share of true among (clip, true or not), in percent; a ratio of sums over clips.

    ``nothing`` is the reason given where there are no rows, ``one`` that given for no interval
    where all are of one clip.
    """
    return _ratio(rows, seed, nothing or "nothing of the kind in the set", one)


def figure(
    rows: Iterable[tuple[str, float]],
    statistic: Callable[[NDArray[np.float64]], float],
    seed: int = 0,
    nothing: str = "",
) -> Score:
    """``statistic`` (a median, say) of the numbers of (clip, number)."""
    groups: dict[str, list[float]] = {}
    for clip, number in rows:
        groups.setdefault(clip, []).append(number)
    if not groups:
        return Score(reason=nothing or "nothing of the kind in the set")
    arrays = [np.array(groups[clip], dtype=np.float64) for clip in sorted(groups)]
    everything = np.concatenate(arrays)
    lo = hi = None
    if len(arrays) > 1:
        values = [statistic(_repeat(arrays, counts)) for counts in _draws(len(arrays), seed)]
        lo, hi = (float(x) for x in np.percentile(values, _ENDS))
    return Score(
        value=float(statistic(everything)), lo=lo, hi=hi, n=len(everything),
        reason=None if len(arrays) > 1 else ONE_CLIP,
    )  # fmt: skip


def paired(
    rows: Iterable[tuple[str, bool, bool]], seed: int = 0, one: str = ONE_CLIP, draws: int = DRAWS
) -> Score:
    """How much more often the second is true than the first, in points of percent.

    ``rows`` are (clip, first, second), both of one question; ``one`` as for :func:`percentage`.
    """
    gains = ((clip, second - first) for clip, first, second in rows)
    return _ratio(gains, seed, "nothing of the kind in both runs", one, draws)


def _ratio(
    rows: Iterable[tuple[str, int]], seed: int, nothing: str, one: str, draws: int = DRAWS
) -> Score:
    """The mean of the numbers of (clip, number), times 100: a ratio of sums over clips."""
    sums: dict[str, list[int]] = {}
    for clip, number in rows:
        cell = sums.setdefault(clip, [0, 0])
        cell[0] += number
        cell[1] += 1
    if not sums:
        return Score(reason=nothing)
    table = np.array([sums[clip] for clip in sorted(sums)], dtype=np.float64)  # clips x 2
    total = table.sum(axis=0)
    lo = hi = None
    if len(table) > 1:
        drawn = _draws(len(table), seed, draws) @ table
        lo, hi = (float(x) for x in np.percentile(100 * drawn[:, 0] / drawn[:, 1], _ENDS))
    return Score(
        value=100 * float(total[0] / total[1]), lo=lo, hi=hi, n=int(total[1]),
        reason=None if len(table) > 1 else one,
    )  # fmt: skip


def _draws(clips: int, seed: int, draws: int = DRAWS) -> NDArray[np.float64]:
    """How often each clip is drawn, draws x clips."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(clips, np.full(clips, 1 / clips), size=draws).astype(np.float64)


def _repeat(
    arrays: Sequence[NDArray[np.float64]], counts: NDArray[np.float64]
) -> NDArray[np.float64]:
    return np.concatenate([np.tile(a, int(k)) for a, k in zip(arrays, counts, strict=True)])
