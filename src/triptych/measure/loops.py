"""Stretches that are shown again, end to end: loops, read off the mapping of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from triptych.measure.timemap import Piece, TimeMap

#: Shortest period that is a loop, seconds; below it is a stutter.
SHORTEST_S = 0.8
#: How far the period may be from the length of what is repeated: seconds, and share.
SLACK_S, SLACK = 0.3, 0.1


@dataclass(frozen=True, slots=True)
class Loop:
    """B shows ``a`` of A, ``period`` seconds of B long, ``rounds`` times from ``b[0]`` to ``b[1]``.

    All in seconds; the last round may be cut short.
    """

    a: tuple[float, float]
    b: tuple[float, float]
    period: float
    rounds: float


@dataclass(frozen=True, slots=True)
class _Again:
    """``start`` to ``end`` of A stand in B at ``first`` and again ``lag`` seconds later."""

    start: float
    end: float
    lag: float
    seconds: float
    first: tuple[float, float]
    second: tuple[float, float]


def loops(timemap: TimeMap) -> list[Loop]:
    """Loops in B, in the order of its time. What A repeats in the same way is none."""
    pieces = sorted(timemap.pieces, key=lambda p: min(p.b0, p.b1))
    again = _next_showings(pieces)
    out: list[Loop] = []
    at = 0
    while at < len(again):
        group = [again[at]]
        while at + len(group) < len(again) and _goes_on(group[-1], again[at + len(group)]):
            group.append(again[at + len(group)])
        at += len(group)
        period = sum(g.lag * g.seconds for g in group) / sum(g.seconds for g in group)
        start = min(g.first[0] for g in group)
        end = max(g.second[1] for g in group)
        # End to end: what is shown again is as long as the time until it is.
        slack = max(SLACK_S, SLACK * period)
        repeated = sum(g.seconds for g in group)
        if period >= SHORTEST_S and repeated >= period - slack:
            inside = [g for g in group if g.first[0] < start + period]
            a = min(g.start for g in inside), max(g.end for g in inside)
            out.append(Loop(a, (start, end), period, (end - start) / period))
    return out


def _next_showings(pieces: Sequence[Piece]) -> list[_Again]:
    """For each stretch of A that is shown again, its next showing, in the order of B's time."""
    out = []
    for i, p in enumerate(pieces):
        for q in pieces[i + 1 :]:
            start, end = max(p.a0, q.a0), min(p.a1, q.a1)
            if end - start < SLACK_S or p.reverse != q.reverse:
                continue
            first = sorted((p.to_b(start), p.to_b(end)))
            second = sorted((q.to_b(start), q.to_b(end)))
            lag = (sum(second) - sum(first)) / 2
            seconds = first[1] - first[0]
            out.append(
                _Again(start, end, lag, seconds, (first[0], first[1]), (second[0], second[1]))
            )
            break
    return sorted(out, key=lambda g: g.first)


def _goes_on(g: _Again, h: _Again) -> bool:
    """Whether ``h`` follows on ``g`` at the same lag."""
    slack = max(SLACK_S, SLACK * g.lag)
    return abs(g.lag - h.lag) <= slack and abs(h.first[0] - g.first[1]) <= slack
