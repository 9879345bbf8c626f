"""How one video's time maps to another's, piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Mirror = Literal["none", "horizontal", "vertical"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of A that B shows too: ``b0`` is the time in B of what A shows at ``a0``.

    ``slope`` is seconds of B per second of A, negative when B plays it backwards: 1 / speed.
    ``mirror`` and ``quarter_turns`` (clockwise) say how B's picture is turned there.
    """

    a0: float
    a1: float
    b0: float
    slope: float
    mirror: Mirror = "none"
    quarter_turns: int = 0
    score: float = 1.0

    @property
    def b1(self) -> float:
        """Time in B of what A shows at ``a1``; less than ``b0`` when reversed."""
        return self.b0 + self.slope * (self.a1 - self.a0)

    @property
    def speed(self) -> float:
        """How many times faster B plays than A, without sign."""
        return 1.0 / abs(self.slope)

    @property
    def reverse(self) -> bool:
        """Whether B plays it backwards."""
        return self.slope < 0

    def to_b(self, t: float) -> float:
        """Time in B of A's moment ``t``."""
        return self.b0 + self.slope * (t - self.a0)

    def to_a(self, t: float) -> float:
        """Time in A of B's moment ``t``."""
        return self.a0 + (t - self.b0) / self.slope


@dataclass(frozen=True, slots=True)
class TimeMap:
    """Pieces in the order of B's time. Empty when the videos show nothing in common."""

    pieces: Sequence[Piece] = ()

    def to_b(self, t: float, slack: float = 0.0) -> float | None:
        """Time in B of A's moment ``t``; ``None`` where A's moment is not in B."""
        for p in self.pieces:
            if p.a0 - slack <= t <= p.a1 + slack:
                return p.to_b(t)
        return None

    def to_a(self, t: float, slack: float = 0.0) -> float | None:
        """Time in A of B's moment ``t``; ``None`` where B's moment is not in A."""
        for p in self.pieces:
            if min(p.b0, p.b1) - slack <= t <= max(p.b0, p.b1) + slack:
                return p.to_a(t)
        return None
