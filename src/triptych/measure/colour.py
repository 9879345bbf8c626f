"""Chroma of matched pictures: saturation, hue, and the white point, B against A."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from triptych.measure.colour_blocks import F64, MIN_BLOCKS, Blocks
from triptych.measure.colour_fit import robust_fit

C128 = npt.NDArray[np.complex128]

#: Error of a block's mean chroma that a change has to stand out from, levels.
CHROMA_ERROR = 0.7
#: A fuller model is taken only if it leaves less than this share, and this many levels less.
BETTER_SHARE, BETTER_LEVELS = 0.85, 0.15
#: Below this saturation no hue is left that could have turned.
GREY = 0.1


@dataclass(frozen=True, slots=True)
class Colour:
    """B's chroma w = u + iv from A's: ``w_b = saturation * exp(i hue) * w_a + tint``, levels.

    ``hue_deg``: turn in the U-V plane, from U towards V positive; 0 where there is no colour.
    ``tint``: what B adds to a mid grey (luma 128); 0 where saturation and hue explain all.
    ``chroma_a``, ``chroma_b``: RMS chroma. ``saturations``, ``hues`` and ``tints`` hold the same
    by pair, ``nan`` where a pair has too few blocks. ``residual`` is the RMS that the fit leaves,
    ``before`` the RMS without a fit, both of the middle 90 %.
    """

    saturation: float
    hue_deg: float
    tint: complex
    chroma_a: float
    chroma_b: float
    saturations: F64
    hues: F64
    tints: C128
    residual: float
    before: float
    blocks: int


@dataclass(frozen=True, slots=True)
class _Model:
    gain: complex
    shift: complex
    residual: float


def _design(w: C128, grey: F64) -> tuple[F64, F64]:
    """Rows of ``c*w + k*grey + t`` (complex c, k, t) for stacked real and imaginary parts."""
    one, zero = np.ones(len(w)), np.zeros(len(w))
    columns = [(w.real, w.imag), (-w.imag, w.real), (grey, zero), (zero, grey)]
    columns += [(one, zero), (zero, one)]
    # Luma spans tens of levels: its slope is known unless the picture is flat.
    prior = np.array([CHROMA_ERROR, CHROMA_ERROR, 5 * CHROMA_ERROR, 5 * CHROMA_ERROR, 0.0, 0.0])
    return np.column_stack([np.concatenate(c) for c in columns]), prior


def _left(rest: F64) -> float:
    # Of the middle 90 %: an object that was put in is no part of how well the rest fits.
    size = np.sort(np.abs(rest))[: max(1, int(0.9 * len(rest)))]
    return float(np.sqrt(np.mean(size**2)))


def _solve(x: F64, prior: F64, target: F64, turn: bool, tint: bool) -> _Model:
    columns = [0, 1] * turn + [2, 3, 4, 5] * tint
    if not columns:
        return _Model(1 + 0j, 0j, _left(target))
    beta = np.zeros(6)
    beta[columns], _ = robust_fit(x[:, columns], target, prior[columns])
    gain, shift = complex(beta[0], beta[1]), complex(beta[4], beta[5])
    return _Model(1 + gain, shift, _left(target - x @ beta))


def _simplest(models: list[_Model]) -> _Model:
    """The first model that leaves hardly more than the last, which is the fullest."""
    full = models[-1].residual
    for model in models:
        if full > BETTER_SHARE * model.residual or model.residual - full < BETTER_LEVELS:
            return model
    return models[-1]


def chroma_fit(blocks: Blocks) -> Colour | None:
    """Fit B's chroma on A's chroma and luma, robustly; ``None`` with too few blocks.

    Of "the same", "saturation and hue", "white point" and "both", the first
    that explains the difference about as well as the last is taken: else a uniformly coloured
    scene that was desaturated would be read as tinted.
    """
    if len(blocks) < MIN_BLOCKS:
        return None
    w = blocks.a[:, 1] + 1j * blocks.a[:, 2]
    wb = blocks.b[:, 1] + 1j * blocks.b[:, 2]
    x, prior = _design(w, blocks.a[:, 0] - 128.0)
    target = np.concatenate([(wb - w).real, (wb - w).imag])
    same = _solve(x, prior, target, turn=False, tint=False)
    turned = _solve(x, prior, target, turn=True, tint=False)
    tinted = _solve(x, prior, target, turn=False, tint=True)
    both = _solve(x, prior, target, turn=True, tint=True)
    chosen = _simplest([same, turned, tinted, both])
    n = blocks.pairs
    saturations, hues = np.full(n, np.nan), np.full(n, np.nan)
    tints = np.full(n, complex(math.nan, math.nan))
    for i in range(n):
        own = blocks.pair == i
        if own.sum() < MIN_BLOCKS:
            continue
        rows = np.concatenate([own, own])
        part, _ = robust_fit(x[rows][:, :2], target[rows], prior[:2], rounds=2)
        gain = 1 + complex(part[0], part[1])
        saturations[i], hues[i] = abs(gain), math.degrees(cmath.phase(gain))
        rest = wb[own] - chosen.gain * w[own]
        tints[i] = complex(np.median(rest.real), np.median(rest.imag))
    return Colour(
        saturation=abs(chosen.gain),
        hue_deg=math.degrees(cmath.phase(chosen.gain)) if abs(chosen.gain) > GREY else 0.0,
        tint=chosen.shift,
        chroma_a=float(np.sqrt(np.mean(np.abs(w) ** 2))),
        chroma_b=float(np.sqrt(np.mean(np.abs(wb) ** 2))),
        saturations=saturations,
        hues=hues,
        tints=tints,
        residual=chosen.residual,
        before=same.residual,
        blocks=len(blocks),
    )
