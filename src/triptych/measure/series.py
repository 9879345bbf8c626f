"""A series over time whose memory is bounded, however long the video."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class ThinnedSeries(Generic[T]):
    """Keeps at most ``cap`` items, evenly spread over the time seen so far.

    It starts by keeping every item that comes at least ``step`` seconds after the last one kept.
    Each time ``cap`` is reached the step doubles and the items in between are dropped, so a short
    video is kept whole and a long one is thinned without knowing its duration beforehand.
    """

    def __init__(self, cap: int, step: float = 0.0) -> None:
        if cap < 2:
            raise ValueError("cap must be at least 2")
        self.cap = cap
        self.step = step
        self.times: list[float] = []
        self.items: list[T] = []

    def __len__(self) -> int:
        return len(self.items)

    def wants(self, time: float) -> bool:
        """Whether an item at ``time`` would be kept; ask before making a costly one."""
        # A hair less than the step, so that rounding of frame times does not halve the rate.
        return not self.times or time - self.times[-1] >= self.step * 0.999

    def add(self, time: float, item: T) -> bool:
        """Offer an item; ``time`` must not go back. Returns whether it was kept."""
        if not self.wants(time):
            return False
        self.times.append(time)
        self.items.append(item)
        if len(self.items) > self.cap:
            self._thin()
        return True

    def _thin(self) -> None:
        span = self.times[-1] - self.times[0]
        self.step = max(2 * self.step, 2 * span / max(len(self.times) - 1, 1))
        times, items = self.times, self.items
        self.times, self.items = [], []
        for t, item in zip(times, items, strict=True):
            if self.wants(t):
                self.times.append(t)
                self.items.append(item)
        if len(self.items) > self.cap:  # all at one time: nothing to tell them apart by
            self.times, self.items = self.times[::2], self.items[::2]
