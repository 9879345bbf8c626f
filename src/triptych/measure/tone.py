"""Luma of matched pictures: how B's brightness and contrast follow from A's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from triptych.measure.colour_blocks import F64, MIN_BLOCKS, Blocks
from triptych.measure.colour_fit import robust_fit

#: Error of a block's mean that a slope has to stand out from, levels.
LUMA_ERROR, CHROMA_ERROR = 1.0, 3.0
#: Below this correlation the two pictures do not show the same, and dividing by it would invent.
LEAST_CORRELATION = 0.7


@dataclass(frozen=True, slots=True)
class Tone:
    """For grey, ``y_b = mean_a + level + gain * (y_a - mean_a)``, levels of 0 to 255.

    ``gain``: B's contrast over A's. ``level``: how much brighter B is at ``mean_a``, the mean
    luma of A's blocks. ``levels`` and ``gains`` hold the same by pair, ``nan`` where a pair has
    too few blocks. ``spread``: standard deviation of A's blocks: with little of it the gain is
    not known and stays near 1. ``residual``: RMS that the fit leaves. ``blocks``: their number.
    """

    gain: float
    level: float
    mean_a: float
    levels: F64
    gains: F64
    spread: float
    residual: float
    blocks: int

    @property
    def pivot(self) -> float | None:
        """The luma that stays as it is; ``None`` when the gain is 1."""
        if abs(self.gain - 1) < 1e-3:
            return None
        return self.mean_a - self.level / (self.gain - 1)


def luma_fit(blocks: Blocks, saturation: float = 1.0) -> Tone | None:
    """Fit B's luma on A's luma and colour, robustly; ``None`` with too few blocks.

    Colour takes part because a change of colour made in one matrix (BT.601) changes luma of
    another (BT.709), and one made on S of HSV, which keeps the largest of R, G and B, raises luma
    by ``(1 - saturation) * excess``. What goes with colour is no change of tone or light.
    ``saturation`` is what :func:`~triptych.measure.colour.chroma_fit` found.
    """
    if len(blocks) < MIN_BLOCKS:
        return None
    plain = _fit(blocks, 0.0)
    if abs(1 - saturation) < 0.05:
        return plain
    keeping_value = _fit(blocks, 1 - saturation)
    # In a scene of one colour both fit; then the one that needs no change of light is taken.
    if abs(keeping_value.residual - plain.residual) < 0.1:
        return min(plain, keeping_value, key=lambda t: abs(t.level))
    return min(plain, keeping_value, key=lambda t: t.residual)


def _fit(blocks: Blocks, share: float) -> Tone:
    mean = float(np.mean(blocks.a[:, 0]))
    x = np.column_stack([blocks.a[:, 0] - mean, blocks.a[:, 1:], np.ones(len(blocks))])
    target = blocks.b[:, 0] - blocks.a[:, 0] - share * blocks.excess
    prior = np.array([LUMA_ERROR, CHROMA_ERROR, CHROMA_ERROR, 0.0])
    slope, weight = robust_fit(x, target, prior)
    rest = target - x @ slope
    levels, gains = np.full(blocks.pairs, np.nan), np.full(blocks.pairs, np.nan)
    grey = target - x[:, 1:3] @ slope[1:3]
    for i in range(blocks.pairs):
        own = blocks.pair == i
        if own.sum() >= MIN_BLOCKS:
            y = blocks.a[own, 0]
            centred = np.column_stack([y - y.mean(), np.ones(len(y))])
            part, _ = robust_fit(centred, grey[own], prior[[0, 3]], rounds=2)
            gains[i], levels[i] = 1 + part[0], part[1]
    return Tone(
        gain=_undiluted(1 + float(slope[0]), x[:, 0], grey + x[:, 0], weight),
        level=float(slope[3]),
        mean_a=mean,
        levels=levels,
        gains=gains,
        spread=float(np.std(blocks.a[:, 0])),
        residual=float(np.sqrt(np.sum(weight * rest**2) / max(float(weight.sum()), 1.0))),
        blocks=len(blocks),
    )


def _undiluted(gain: float, a: F64, b: F64, weight: F64) -> float:
    """``gain`` without what error in A takes from a slope: the reduced major axis, gain / r.

    A pair that is registered a few pixels off has both pictures' spread but not their order.
    """
    total = max(float(weight.sum()), 1.0)
    da, db = a - np.sum(weight * a) / total, b - np.sum(weight * b) / total
    scale = float(np.sqrt(np.sum(weight * da**2) * np.sum(weight * db**2)))
    r = float(np.sum(weight * da * db)) / scale if scale > 0 else 0.0
    return gain / r if r > LEAST_CORRELATION else gain
