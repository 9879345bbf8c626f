"""What of a video could not be decoded, and for how long its traces are seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from triptych.record.report import Damage

#: Spans closer than this are told as one.
MERGE_S = Fraction(1, 10)


@dataclass
class DamageLog:
    """Collects damage during a pass, in absolute stream time.

    Every frame after an error is predicted from what was lost, so a span lasts until the next
    key frame that decodes cleanly.
    """

    spans: list[tuple[Fraction, Fraction, str]] = field(default_factory=list)
    _open: tuple[Fraction, str] | None = None

    def hit(self, time: Fraction, reason: str) -> None:
        """An error at ``time``."""
        if self._open is None:
            self._open = (time, reason)
        elif time < self._open[0]:
            self._open = (time, self._open[1])

    def frame(self, time: Fraction, key: bool, corrupt: bool) -> None:
        """A frame came out at ``time``, perhaps flagged as corrupt by its decoder."""
        if corrupt:
            self.hit(time, "decoded with errors")
        elif key and self._open is not None and time > self._open[0]:
            self._close(time)

    def finish(self, end: Fraction) -> None:
        """The pass ends at ``end``."""
        if self._open is not None:
            self._close(max(end, self._open[0]))

    def add(self, start: Fraction, end: Fraction, reason: str) -> None:
        """A span that is known as a whole."""
        self.spans.append((start, end, reason))

    def _close(self, end: Fraction) -> None:
        assert self._open is not None  # noqa: S101
        self.spans.append((self._open[0], end, self._open[1]))
        self._open = None

    def records(self, origin: Fraction) -> list[Damage]:
        """The spans, merged and in order, in seconds from ``origin``.

        What ended before the first frame is left out: a recording that begins between two key
        frames has lost nothing of what it shows.
        """
        merged: list[tuple[Fraction, Fraction, str]] = []
        for start, end, reason in sorted(self.spans):
            if end <= origin:
                continue
            if merged and start - merged[-1][1] <= MERGE_S:
                before = merged[-1]
                reasons = before[2] if reason in before[2] else f"{before[2]}; {reason}"
                merged[-1] = (before[0], max(before[1], end), reasons)
            else:
                merged.append((start, end, reason))
        zero = Fraction(0)
        return [
            Damage(
                start_s=float(max(zero, s - origin)),
                end_s=float(max(zero, e - origin)),
                reason=reason,
            )
            for s, e, reason in merged
        ]
