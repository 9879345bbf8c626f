"""Small copies of the videos that fit inside the page."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from triptych.media.frame import Frame
from triptych.media.video import SoundBlock, Video
from triptych.report.mp4 import SOUND_RATE, Mp4Writer
from triptych.report.sources import even_size, fitted

#: Bytes of one video's proxy. Two of them in base64 take 7.8 MB of the page's 12.
PROXY_BYTES = 2_900_000
#: Seconds shown before and after each moment, where a video is too long to be embedded whole.
BEFORE_S, AFTER_S = 3.0, 5.0


@dataclass(frozen=True, slots=True)
class Rung:
    """One step of quality: pixels in the picture, pictures per second, bits per second."""

    area: int
    fps: int
    bitrate: int
    sound_bitrate: int

    @property
    def seconds(self) -> float:
        """How much video fits into :data:`PROXY_BYTES`, 3 % kept for the container."""
        return 0.97 * PROXY_BYTES * 8 / (self.bitrate + self.sound_bitrate)


#: From good to bearable; 16:9 gives 320x180, 320x180, 256x144 and 208x118. The last is the
#: least in which a person can still see what happens (looked at on clips of 5 and 10 minutes).
LADDER = (
    Rung(320 * 180, 15, 260_000, 40_000),
    Rung(320 * 180, 12, 150_000, 32_000),
    Rung(256 * 144, 10, 84_000, 24_000),
    Rung(208 * 117, 8, 52_000, 20_000),
)
#: Windows of a video that does not fit whole get this quality.
WINDOW_RUNG = LADDER[2]


@dataclass(frozen=True, slots=True)
class Window:
    """The stretch ``start_s``..``end_s`` of the video, which the proxy plays from ``at_s`` on."""

    start_s: float
    end_s: float
    at_s: float


@dataclass(frozen=True, slots=True)
class Plan:
    """What a proxy will hold, and how good it will be."""

    windows: tuple[Window, ...]
    rung: Rung
    whole: bool


def plan(duration_s: float, moments: Sequence[float]) -> Plan:
    """How to fit a video of ``duration_s`` into :data:`PROXY_BYTES`.

    Whole where the lowest rung allows; else windows about ``moments`` (seconds), the earliest
    named moments first, until the budget is full.
    """
    for rung in LADDER:
        if duration_s <= rung.seconds:
            return Plan((Window(0.0, duration_s, 0.0),), rung, whole=True)
    stretches: list[tuple[float, float]] = []
    for t in moments or [0.0]:
        new = (max(0.0, t - BEFORE_S), min(duration_s, t + AFTER_S))
        if new[1] <= new[0]:
            continue
        merged = _merged([*stretches, new])
        if sum(e - s for s, e in merged) > WINDOW_RUNG.seconds:
            break
        stretches = merged
    windows, at = [], 0.0
    for start, end in stretches:
        # Whole ticks, so that a window starts on a picture of the proxy.
        ticks = max(1, int((end - start) * WINDOW_RUNG.fps))
        length = ticks / WINDOW_RUNG.fps
        windows.append(Window(start, start + length, at))
        at += length
    return Plan(tuple(windows), WINDOW_RUNG, whole=False)


def _merged(stretches: list[tuple[float, float]]) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for start, end in sorted(stretches):
        if merged and start <= merged[-1][1] + 1.0:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


class ProxyMaker:
    """Fed with a video's frames in order, makes its proxy.

    The sound is read in step with the picture, from the same ``video``.
    """

    def __init__(self, video: Video, plan: Plan, first: Frame) -> None:
        self.plan = plan
        self._size = even_size(first.width, first.height, plan.rung.area)
        self._sound = Sound(video.sound(SOUND_RATE))
        self._folder = tempfile.TemporaryDirectory(prefix="triptych-")
        self._path = Path(self._folder.name) / "proxy.mp4"
        self._fps = Fraction(plan.rung.fps)
        self._writer = Mp4Writer(
            self._path,
            self._size,
            self._fps,
            bitrate=plan.rung.bitrate,
            crf=28,
            sound_bitrate=plan.rung.sound_bitrate if self._sound.present else None,
            baseline=True,
        )
        self._window = 0

    @property
    def wanted(self) -> float | None:
        """The time of the video that the next picture shows, seconds; ``None`` at the end."""
        while self._window < len(self.plan.windows):
            w = self.plan.windows[self._window]
            t = w.start_s + float(self._writer.next_time) - w.at_s
            if t < w.end_s - 1e-6:
                return t
            self._window += 1
        return None

    def show(self, frame: Frame, until: float) -> None:
        """``frame`` is on screen until the time ``until``, seconds."""
        picture = None
        while (t := self.wanted) is not None and t < until - 1e-6:
            if picture is None:
                picture = fitted(frame, *self._size)
            self._writer.add_picture(picture)
            self._hear(t)

    def _hear(self, until: float) -> None:
        for block in self._sound.until(until):
            start = float(block.time)
            for w in self.plan.windows:
                first = max(0, round((w.start_s - start) * SOUND_RATE))
                last = max(0, round((w.end_s - start) * SOUND_RATE))
                samples = block.samples[first:last]
                if samples.size:
                    at = w.at_s + start + first / SOUND_RATE - w.start_s
                    self._writer.add_sound(Fraction(at), samples)

    def finish(self) -> bytes:
        """The file."""
        try:
            self._writer.close()
            return self._path.read_bytes()
        finally:
            self._folder.cleanup()

    def abandon(self) -> None:
        """Leave nothing behind."""
        self._writer.abandon()
        self._folder.cleanup()


class Sound:
    """Blocks of sound, handed out as far as the picture has got."""

    def __init__(self, blocks: Iterator[SoundBlock]) -> None:
        self._blocks = blocks
        self._next = next(blocks, None)

    @property
    def present(self) -> bool:
        """Whether any is left."""
        return self._next is not None

    def until(self, t: float) -> Iterator[SoundBlock]:
        """The blocks that begin at or before ``t`` and have not been given yet."""
        while self._next is not None and float(self._next.time) <= t:
            yield self._next
            self._next = next(self._blocks, None)
