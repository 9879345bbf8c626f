"""Beginning in the middle of a file, checked against the times that a whole pass has seen."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from triptych.media.clock import Clock
from triptych.media.containers import open_container
from triptych.media.decoding import DecodeAgainError, Decoding
from triptych.media.one_pass import Decoded, Header
from triptych.media.orientation import Orientations
from triptych.media.pyav_frame import AvFrame, Scalers
from triptych.media.source import Source

#: Containers whose index says where key frames are. Elsewhere a seek is a guess.
INDEXED = ("mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm")


@dataclass(frozen=True)
class Landmarks:
    """What a complete pass left behind: the stream, the clock at its first frame, all times.

    ``seconds`` are the times of all frames, ``keys`` of the key frames.
    """

    source: Source
    index: int
    header: Header
    origin: Fraction
    seconds: array[float]
    keys: array[float]
    combed: bool

    def key_between(self, after: Fraction, time: Fraction) -> bool:
        """Whether a key frame is shown later than ``after`` and not later than ``time``."""
        i = bisect_right(self.keys, float(time))
        return i > 0 and self.keys[i - 1] > float(after)

    def position(self, time: float) -> int | None:
        """Which frame begins at ``time``, or ``None`` where none does."""
        i = bisect_left(self.seconds, time - 1e-7)
        return i if i < len(self.seconds) and abs(self.seconds[i] - time) < 1e-6 else None


def frames_from(
    marks: Landmarks, time: Fraction, whole: Callable[[], Iterator[AvFrame]]
) -> Iterator[AvFrame]:
    """Frames from one at or before ``time`` on; ``whole`` gives all frames, should a seek fail.

    A seek has failed when its first clean frame lies after ``time``, or when a frame is not the
    very next one of the pass.
    """
    expected: int | None = None
    scalers, turns = Scalers(), Orientations()
    try:
        for decoded in _after_seek(marks, time):
            shown = decoded.time - marks.origin
            here = marks.position(float(shown))
            if expected is None:
                if not decoded.frame.key_frame:
                    continue
                if here is None or shown > time:
                    break
            elif here != expected:
                break
            if here is None:
                break
            expected = here + 1
            yield _frame(marks, decoded, shown, here, scalers, turns)
        else:
            if expected == len(marks.seconds):
                return
    except DecodeAgainError:
        pass
    for number, frame in enumerate(whole()):
        if expected is None or number >= expected:
            yield frame


def _after_seek(marks: Landmarks, time: Fraction) -> Iterator[Decoded]:
    with open_container(marks.source) as container:
        base = marks.header.tick
        stream = container.streams[marks.index]
        decoding = Decoding(container, marks.index, Clock(base, base), threads=2)
        container.seek(int((marks.origin + time) / base), stream=stream, backward=True)
        yield from decoding.run()


def _frame(
    marks: Landmarks,
    decoded: Decoded,
    shown: Fraction,
    here: int,
    scalers: Scalers,
    turns: Orientations,
) -> AvFrame:
    lasts = decoded.lasts
    if here + 1 < len(marks.seconds):
        ticks = round((marks.seconds[here + 1] - float(shown)) / float(marks.header.tick))
        lasts = ticks * marks.header.tick
    return AvFrame(
        decoded.frame,
        shown,
        lasts,
        turns.of(decoded.frame),
        marks.header.shape,
        scalers,
        marks.combed,
    )
