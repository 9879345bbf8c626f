"""Speed, as far as its interval tells it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from triptych.diff import conclude as comparing
from triptych.diff import playback
from triptych.diff.compare import compare
from triptych.diff.context import Context
from triptych.diff.options import Options
from triptych.record.report import Finding


@pytest.fixture(scope="module")
def context(clip: Path) -> Context:
    """A clip against itself, as the findings see it."""
    kept: list[Context] = []

    def keep(ctx: Context) -> Any:
        kept.append(ctx)
        return iter(())

    before = comparing.DIMENSIONS
    comparing.DIMENSIONS = (keep,)
    try:
        compare(clip, clip, Options(only=("playback technique",)))
    finally:
        comparing.DIMENSIONS = before
    return kept[0]


def speed_of(context: Context, speed: float, low: float, high: float) -> Finding:
    assert context.match is not None
    match = replace(context.match, speed=speed, speed_interval=(low, high))
    context = replace(context, match=match)
    (found,) = (f for f in playback.findings(context) if f.aspect == "speed")
    return found


@pytest.mark.parametrize(
    ("speed", "low", "high", "relation"),
    [
        (1.0, 0.999, 1.001, "same"),
        (1.01, 0.99, 1.03, "same"),
        (1.25, 1.24, 1.26, "different"),
        (0.8, 0.79, 0.81, "different"),
        # PAL's 25 for 24 frames a second lies within, and so does 1.
        (1.02, 0.99, 1.05, "unknown"),
        (1.03, 1.0, 1.06, "unknown"),
        (1.1, 0.9, 1.3, "unknown"),
    ],
)
def test_a_speed_is_told_by_its_interval(
    context: Context, speed: float, low: float, high: float, relation: str
) -> None:
    found = speed_of(context, speed, low, high)
    assert found.relation == relation
    # The threshold is a speed, as the values are, and lies on the same side of 1.
    assert found.measure is not None
    assert found.measure.threshold is not None
    assert (found.measure.threshold - 1) * (speed - 1) >= 0
