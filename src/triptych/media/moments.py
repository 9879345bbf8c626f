"""The frames at a few moments of a video."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Protocol, runtime_checkable

from triptych.media.frame import Frame
from triptych.media.video import Video

#: Times in records are rounded to the microsecond, and other tools round to the millisecond: a
#: frame that begins this much after the time asked for is still meant. Never more than half a
#: frame.
TOLERANCE = Fraction(1, 1000)


@runtime_checkable
class Seekable(Protocol):
    """A video that can begin in its middle, and knows when it can be trusted to."""

    def frames_from(self, time: Fraction, after: Fraction) -> Iterator[Frame] | None:
        """Frames from one at or before ``time`` on, or ``None`` if that is not reliable.

        ``None`` as well where it would begin no later than ``after``, where reading has got to.
        """
        ...


#: How far ahead, in seconds, a moment must lie before going there is worth a seek.
FAR_S = 20


def frames_at(video: Video, times: Iterable[float | Fraction]) -> Iterator[tuple[float, Frame]]:
    """Each of ``times`` in rising order, once, with the frame that is shown then.

    The frame is the last that begins at or before the time, give or take a rounding error; a
    time before the first frame or after the last gets that frame. One forward pass, given up
    after the last moment; where the video can be trusted to seek, far moments are gone to.
    """
    wanted = sorted({float(t) for t in times})
    if not wanted:
        return
    number = 0
    before: Frame | None = None
    frames = _ahead(video, wanted[0], Fraction(0)) or video.frames()
    while number < len(wanted):
        frame = next(frames, None)
        while number < len(wanted) and (frame is None or _begins_after(frame, wanted[number])):
            shown = before if before is not None else frame
            if shown is None:
                return
            yield wanted[number], shown
            number += 1
        if frame is not None:
            before = frame
            if number < len(wanted):
                frames = _ahead(video, wanted[number], frame.time) or frames


def _ahead(video: Video, time: float, now: Fraction) -> Iterator[Frame] | None:
    """Frames from a seek towards ``time``, if it is far from ``now`` and can be relied on."""
    if time - float(now) <= FAR_S or not isinstance(video, Seekable):
        return None
    return video.frames_from(Fraction(time), now)


def _begins_after(frame: Frame, time: float) -> bool:
    half = frame.duration / 2 if frame.duration is not None else TOLERANCE
    return float(frame.time) > time + float(min(TOLERANCE, half))
