"""What was cut: stretches removed, inserted, repeated or moved, read off the mapping of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from triptych.measure.pieces import Hold
from triptych.measure.timemap import Piece, TimeMap

Kind = Literal["removed", "inserted", "repeated", "moved"]
Stretch = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Change:
    """One stretch that differs. ``a`` and ``b`` are where it stands in either, in seconds."""

    kind: Kind
    a: Stretch | None
    b: Stretch | None
    statement: str

    @property
    def seconds(self) -> float:
        """Its length, in the video that has it."""
        span = self.b if self.b is not None else self.a
        return 0.0 if span is None else span[1] - span[0]


def changes(
    timemap: TimeMap, holds: Sequence[Hold], end_a: float, end_b: float, shortest: float
) -> list[Change]:
    """The changes of at least ``shortest`` seconds, in the order of their time.

    A stretch where B stands still is no insertion: it shows a moment of A.
    """
    pieces = sorted(timemap.pieces, key=lambda p: min(p.b0, p.b1))
    found: list[Change] = []
    for start, end in _gaps([(p.a0, p.a1) for p in pieces], end_a):
        if end - start >= shortest:
            where = _where(start, end, end_a)
            found.append(
                Change(
                    "removed", (start, end), None, f"{_span(start, end)} of A{where} is not in B"
                )
            )
    spans_b = [(min(p.b0, p.b1), max(p.b0, p.b1)) for p in pieces]
    for start, end in _gaps([*spans_b, *((h.b0, h.b1) for h in holds)], end_b):
        if end - start >= shortest:
            where = _where(start, end, end_b)
            found.append(
                Change(
                    "inserted", None, (start, end), f"{_span(start, end)} of B{where} is not in A"
                )
            )
    found += _repeated(pieces, shortest)
    found += _moved(pieces, shortest)
    return sorted(found, key=lambda c: (c.a or c.b or (0.0, 0.0))[0])


def _where(start: float, end: float, whole: float) -> str:
    if start <= 0.05:
        return " (its beginning)"
    return " (its end)" if end >= whole - 0.05 else ""


def _span(start: float, end: float) -> str:
    return f"{start:.2f}-{end:.2f} s"


def _gaps(spans: Sequence[Stretch], end: float) -> list[Stretch]:
    """What ``spans`` leave free of 0 to ``end``."""
    free: list[Stretch] = []
    at = 0.0
    for start, stop in sorted(spans):
        if start > at:
            free.append((at, start))
        at = max(at, stop)
    if end > at:
        free.append((at, end))
    return free


def _repeated(pieces: Sequence[Piece], shortest: float) -> list[Change]:
    out = []
    for i, q in enumerate(pieces):
        for p in pieces[:i]:
            start, end = max(p.a0, q.a0), min(p.a1, q.a1)
            if end - start >= shortest:
                b = sorted((q.to_b(start), q.to_b(end)))
                out.append(
                    Change(
                        "repeated",
                        (start, end),
                        (b[0], b[1]),
                        f"{_span(start, end)} of A comes again at {_span(*b)} of B",
                    )
                )
                break
    return out


def _moved(pieces: Sequence[Piece], shortest: float) -> list[Change]:
    """Stretches out of A's order: all but the longest run that keeps it (backwards if reversed)."""
    if not pieces:
        return []
    main = max(pieces, key=lambda p: p.a1 - p.a0)
    sign = -1.0 if main.reverse else 1.0
    # best[i]: most seconds of a run in A's order that ends with piece i (weighted increasing
    # subsequence by the pieces' middles).
    best: list[float] = []
    came: list[int] = []
    for i, q in enumerate(pieces):
        length = q.a1 - q.a0
        options = [
            (best[j], j) for j, p in enumerate(pieces[:i]) if sign * (_middle(q) - _middle(p)) > 0
        ]
        most, j = max(options, default=(0.0, -1))
        best.append(most + length)
        came.append(j)
    kept = set()
    i = max(range(len(pieces)), key=lambda k: best[k])
    while i >= 0:
        kept.add(i)
        i = came[i]
    out = []
    for i, p in enumerate(pieces):
        if i in kept or p.a1 - p.a0 < shortest or _again(p, pieces[:i]):
            continue
        b = sorted((p.b0, p.b1))
        said = f"{_span(p.a0, p.a1)} of A stands elsewhere in B, at {_span(*b)}"
        out.append(Change("moved", (p.a0, p.a1), (b[0], b[1]), said))
    return out


def _middle(p: Piece) -> float:
    return (p.a0 + p.a1) / 2


def _again(p: Piece, earlier: Sequence[Piece]) -> bool:
    """Whether most of ``p`` was shown before: then it is repeated, not moved."""
    shown = sum(max(0.0, min(p.a1, q.a1) - max(p.a0, q.a0)) for q in earlier)
    return shown > 0.5 * (p.a1 - p.a0)
