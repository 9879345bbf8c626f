"""Robust linear regression, shrunk to "no change" where the data cannot tell."""

from __future__ import annotations

import numpy as np

from triptych.measure.colour_blocks import F64

#: Huber's constant: 95 % efficiency for normal errors (Huber, Robust Statistics, 1981, ch. 7).
HUBER = 1.345
#: Beyond this many scales a row has no say: an object that was put in is not a change of colour.
CUT = 6.0
#: Block means of 8-bit pictures are not exact to less than this, levels.
MIN_SCALE = 0.1


def robust_fit(x: F64, y: F64, prior: F64, rounds: int = 5) -> tuple[F64, F64]:
    """Coefficients (k,) of ``y ~ x`` (n, k), and the weight (n,) that each row ended with.

    Iteratively reweighted least squares with Huber's weights and a cut; the scale is the median
    absolute deviation. ``prior`` (k,) is a ridge: the RMS that column i must exceed before its
    coefficient moves away from 0.
    """
    weight: F64 = np.ones(len(y))
    ridge = np.diag(prior**2 + 1e-9)
    beta: F64 = np.zeros(x.shape[1])
    for _ in range(rounds):
        xw = x * weight[:, None]
        total = max(float(weight.sum()), 1.0)
        solved = np.linalg.solve(xw.T @ x / total + ridge, xw.T @ y / total)
        beta = np.asarray(solved, np.float64)
        ratio = np.abs(y - x @ beta)
        scale = max(1.4826 * float(np.median(ratio)), MIN_SCALE)
        ratio /= scale
        weight = HUBER / np.maximum(ratio, HUBER)
        weight[ratio > CUT] = 0.0
    return beta, weight
