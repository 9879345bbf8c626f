"""The speed of the matched stretches together, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from triptych.measure.descriptors import Orientation
from triptych.measure.refine import WIDTH, Fit, fit_line
from triptych.measure.survey import Survey
from triptych.measure.timemap import Piece
from triptych.measure.views import Views


def speed_of(
    pieces: Sequence[Piece], a: Survey, b: Survey, views: Views
) -> tuple[float, tuple[float, float]]:
    """Speed over all pieces that share the main one's, and its interval."""
    if not pieces:
        return 1.0, (0.0, float("inf"))
    main = max(pieces, key=lambda p: p.a1 - p.a0)
    alike = [
        p for p in pieces if p.slope * main.slope > 0 and p.quarter_turns == main.quarter_turns
    ]
    fits: list[Fit] = []
    for p in alike:
        fit = fit_piece(p, a, b, views)
        if fit is not None and abs(fit.slope / main.slope - 1) < 0.2:
            fits.append(fit)
    if not fits:
        return main.speed, (main.speed / 2, main.speed * 2)
    weights = np.array([1 / f.error**2 for f in fits])
    slope = abs(float((weights * [f.slope for f in fits]).sum() / weights.sum()))
    error = interval_width(float(weights.sum() ** -0.5), slope)
    return 1 / slope, (1 / (slope + error), 1 / max(slope - error, 1e-3))


def interval_width(error: float, slope: float) -> float:
    """Half width of the slope's interval from its standard error."""
    return WIDTH * error + 0.001 * slope


def fit_piece(p: Piece, a: Survey, b: Survey, views: Views) -> Fit | None:
    """The exact line of one piece."""
    return fit_line(
        a.thumbs,
        b.thumbs.times,
        views.describe_a,
        views.describe_b(Orientation(p.mirror, p.quarter_turns)),
        (p.a0, p.a1),
        (p.b0 - p.slope * p.a0, p.slope),
        window=0.15,
    )
