"""Stretches of sound as evidence."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.measure.sound_compare import Stretch
from triptych.record.report import Evidence

#: At most this many stretches are listed, the longest first.
SPANS = 4


def spans(stretches: Sequence[Stretch]) -> list[Evidence]:
    """The longest stretches that were compared, in both videos."""
    out = []
    for s in sorted(stretches, key=lambda s: s.a0 - s.a1)[:SPANS]:
        out.append(heard("A", s.a0, s.a1, "compared"))
        out.append(heard("B", *between(s.b0, s.to_b(s.a1)), "compared"))
    return out


def heard(video: str, start: float, end: float, shows: str) -> Evidence:
    """Something to listen to."""
    return Evidence(video=video, start_s=start, end_s=end, modality="sound", shows=shows)


def between(t0: float, t1: float) -> tuple[float, float]:
    """Both times in order: B's run the other way where it plays backwards."""
    return (t0, t1) if t0 <= t1 else (t1, t0)
