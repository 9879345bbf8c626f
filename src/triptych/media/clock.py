"""Time stamps as files have them, turned into times that only ever move forward."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

#: A step back longer than this is a clock that starts again (streams joined end to end); a
#: shorter one is a wrong stamp. ffmpeg's own limits for a jump lie between 1 and 10 s.
RESTART_S = Fraction(1, 2)
#: A gap is irregular when it is further than this from the usual one, rounding aside.
IRREGULAR = 0.05
#: Up to this share of irregular gaps is a dropped frame here and there, not a variable rate.
VFR_SHARE = 0.02


@dataclass
class Clock:
    """Times of one stream's frames. ``step`` stands in where a frame carries no time.

    ``restarts`` are the times, on the resulting clock, at which the file's clock began again.
    """

    base: Fraction
    step: Fraction
    restarts: list[Fraction] = field(default_factory=list)
    stamped: bool = True
    _shift: Fraction = Fraction(0)
    _last: Fraction | None = None

    def at(self, ticks: int) -> Fraction:
        """What ``ticks`` means now, without moving the clock."""
        return ticks * self.base + self._shift

    def tell(self, pts: int | None, dts: int | None, lasts: int = 0) -> Fraction:
        """The time of the next frame in presentation order; ``lasts`` is its own word, in ticks,
        on how long it is shown, 0 if it has none.
        """
        last = self._last
        if lasts > 0 and not self.stamped:
            self.step = lasts * self.base
        time = self._stamp(pts, dts)
        if last is not None and time <= last:
            if last - time > RESTART_S:
                self._shift += last + self.step - time
                time = last + self.step
                self.restarts.append(time)
            else:
                time = last + min(self.base, self.step)
        self._last = time
        return time

    def _stamp(self, pts: int | None, dts: int | None) -> Fraction:
        last = self._last
        if pts is not None and (last is None or dts is None or self.at(pts) > last):
            return self.at(pts)
        if dts is not None and (last is None or self.at(dts) > last):
            self.stamped = False
            return self.at(dts)
        if pts is not None:
            return self.at(pts)
        self.stamped = False
        return Fraction(0) if last is None else last + self.step


class Times:
    """The times that went by in a pass: numbers only, so that hours cost a few megabytes."""

    def __init__(self, tick: Fraction) -> None:
        self.tick = tick
        self.seconds = array("d")
        self._gaps: Counter[Fraction] = Counter()
        self._first: Fraction | None = None
        self._last: Fraction | None = None

    def add(self, time: Fraction) -> None:
        """A frame is shown at ``time``."""
        if self._last is None:
            self._first = time
        else:
            self._gaps[time - self._last] += 1
        self._last = time
        self.seconds.append(float(time))

    def __len__(self) -> int:
        return len(self.seconds)

    @property
    def usual_gap(self) -> Fraction | None:
        """The median of the gaps between frames."""
        half = sum(self._gaps.values()) / 2
        for gap in sorted(self._gaps):
            half -= self._gaps[gap]
            if half <= 0:
                return gap
        return None

    @property
    def gaps(self) -> tuple[float, float]:
        """The shortest and the longest gap, in seconds; zeros where there is none."""
        return (float(min(self._gaps)), float(max(self._gaps))) if self._gaps else (0.0, 0.0)

    def variable(self, forgiven: int = 0) -> bool:
        """Whether the gaps vary by more than rounding to the file's ticks explains.

        ``forgiven`` irregular gaps are left out: those that damage has torn.
        """
        usual = self.usual_gap
        if usual is None:
            return False
        slack = max(float(self.tick) * 1.01, IRREGULAR * float(usual))
        odd = sum(n for gap, n in self._gaps.items() if abs(float(gap - usual)) > slack)
        return odd - forgiven > max(1.0, VFR_SHARE * sum(self._gaps.values()))

    def alternates(self) -> bool:
        """Whether frames last 2 and 3 fields in turn: film in a video rate (soft telecine)."""
        usual, total = self.usual_gap, sum(self._gaps.values())
        if usual is None or total < 10:
            return False
        short = min(float(g) for g in self._gaps if self._gaps[g] > total / 10)
        slack = float(self.tick) * 1.01 + 0.02 * short
        twos = sum(n for g, n in self._gaps.items() if abs(float(g) - short) <= slack)
        threes = sum(n for g, n in self._gaps.items() if abs(float(g) - 1.5 * short) <= slack)
        return min(twos, threes) > 0.4 * total

    def rate(self, nominal: list[Fraction], duration: Fraction) -> float | None:
        """Frames a second: the nominal rate that fits best, or else the measured mean.

        ``nominal`` are the rates that the file states, ``duration`` the time that all frames
        take. ``None`` where there are too few frames to tell and nothing is stated.
        """
        n, usual = len(self), self.usual_gap
        if usual is None or self._first is None or self._last is None:
            return float(nominal[0]) if nominal else (n / float(duration) if duration else None)
        if self.variable():
            return n / float(duration) if duration else None
        mean = (n - 1) / float(self._last - self._first)
        # A dropped or lost frame leaves the usual gap as it is, but not the mean.
        fits = [r for r in nominal if abs(1 / r - usual) <= max(self.tick, usual / 500)]
        return float(fits[0]) if fits else mean
