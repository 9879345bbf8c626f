"""A limit in dollars that calls under way cannot pass."""

from __future__ import annotations

import math

import anyio

from triptych.record.errors import UsageError


class Budget:
    """``limit`` US dollars, shared by all endpoints that are given it.

    Before a call its worst case is set aside; what it really cost takes the place of that when it
    ends. A call waits while others' reserves leave no room for its own, and is refused where
    nothing that is still open could make room.
    """

    def __init__(self, limit: float) -> None:
        if not (math.isfinite(limit) and limit >= 0):
            raise UsageError(f"--budget: {limit} makes no sense here; give US dollars")
        self.limit = limit
        #: US dollars gone, those of stored calls that were taken up included.
        self.spent = 0.0
        #: Set aside for calls under way.
        self.reserved = 0.0
        self._known: set[str] = set()
        self._changed = anyio.Event()

    async def reserve(self, worst: float) -> bool:
        """Set ``worst`` dollars aside; ``False`` where they cannot be had any more."""
        while self.spent + self.reserved + worst > self.limit:
            if self.spent + worst > self.limit or self.reserved <= 0:
                return False
            await self._changed.wait()
        self.reserved += worst
        return True

    def settle(self, worst: float, cost: float) -> None:
        """Give ``worst`` back, and take ``cost`` of it."""
        self.reserved = max(0.0, self.reserved - worst)
        if self.reserved < 1e-12:
            self.reserved = 0.0
        self.spent += cost
        waiting, self._changed = self._changed, anyio.Event()
        waiting.set()

    def took_up(self, key: str, cost: float | None) -> None:
        """Count a stored call, once: it was paid for by the run that is taken up."""
        if key not in self._known:
            self._known.add(key)
            self.spent += cost or 0.0
