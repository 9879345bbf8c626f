"""Moments to look at, as evidence."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.diff.context import Context
from triptych.measure.pairs import Pair
from triptych.record.report import Evidence


def ends(ctx: Context) -> list[Evidence]:
    """Start and end of what both share, as seen in either."""
    if ctx.match is None or not ctx.match.timemap.pieces:
        return []
    first, last = ctx.match.timemap.pieces[0], ctx.match.timemap.pieces[-1]
    out = []
    for p, at in ((first, first.a0), (last, last.a1)):
        t = min(max(at, p.a0 + 0.02), p.a1 - 0.02)
        out.append(Evidence(video="A", start_s=max(0.0, t), end_s=max(0.0, t), frame_s=max(0.0, t)))
        b = max(0.0, p.to_b(t))
        out.append(Evidence(video="B", start_s=b, end_s=b, frame_s=b))
    return out


def of_pairs(pairs: Sequence[Pair], shows_a: str = "", shows_b: str = "") -> list[Evidence]:
    """Both frames of each of ``pairs``."""
    out = []
    for p in pairs:
        for video, t, shows in (("A", p.time_a, shows_a), ("B", p.time_b, shows_b)):
            out.append(Evidence(video=video, start_s=t, end_s=t, frame_s=t, shows=shows))
    return out


def spread(pairs: Sequence[Pair], count: int = 2) -> list[Pair]:
    """``count`` of ``pairs``, evenly over time."""
    if len(pairs) <= count:
        return list(pairs)
    return [pairs[round((i + 0.5) * len(pairs) / count - 0.5)] for i in range(count)]
