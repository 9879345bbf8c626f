"""One pass over a video: everything that later comparisons need, in bounded memory.

Decoding is what costs, so each video is decoded once, in order, and every measurer looks at the
frames as they pass: it is an :class:`Observer`. What an observer keeps must be bounded in
duration (:class:`~triptych.measure.series.ThinnedSeries`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.series import ThinnedSeries
from triptych.media.frame import I420, U8, Frame
from triptych.media.video import Video
from triptych.record.errors import UnreadableError
from triptych.record.report import Media

F64 = npt.NDArray[np.float64]

#: Longest side of the analysis picture, pixels. 320 keeps DIS flow at 1,200 pairs/s on two cores
#: and holds a minute of video at full rate in 100 MB.
ANALYSIS_SIDE = 320
#: Side of the square thumbnails that alignment works on, pixels.
THUMB_SIDE = 48
#: Stills kept at most: 40 s at 30 fps at full rate, 104 MB at 320x180.
STILLS_CAP = 1200
#: Thumbnails kept at most: 20 min at 30 fps at full rate, 2.5 per second over 3 h; 83 MB.
THUMBS_CAP = 36_000
#: Undamaged pictures that are enough to leave the damaged ones out.
FEWEST = 3


class Observer(Protocol):
    """A measurer that looks at each frame once, in order."""

    def observe(self, time: float, frame: Frame, picture: I420) -> None:
        """``picture`` is ``frame`` at analysis size; full resolution only when asked of ``frame``.

        Runs for every frame of every video, so it should return in microseconds unless it has
        decided that this frame is one it needs.
        """
        ...


@dataclass(frozen=True, slots=True)
class Thumbs:
    """Luma thumbnails of the whole display area, squashed to a square.

    ``times``: float64 (n,), seconds; ``pictures``: uint8 (n, THUMB_SIDE, THUMB_SIDE).
    """

    times: F64
    pictures: U8


@dataclass(frozen=True, slots=True)
class Stills:
    """Colour pictures at analysis size; all have the same size. ``times``: float64 (n,)."""

    times: F64
    pictures: Sequence[I420]

    def nearest(self, time: float) -> int:
        """Index of the still whose time is nearest to ``time``."""
        i = int(np.searchsorted(self.times, time))
        if i == 0:
            return 0
        if i == len(self.times) or time - self.times[i - 1] <= self.times[i] - time:
            return i - 1
        return i


@dataclass(frozen=True, slots=True)
class Survey:
    """What one pass over a video left: ``frame_times`` float64 (n,) of all frames shown."""

    media: Media
    frame_times: F64
    thumbs: Thumbs
    stills: Stills
    size: tuple[int, int]

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the end of the last."""
        return float(self.media.duration_s or 0.0)


def analysis_size(width: int, height: int) -> tuple[int, int]:
    """Even (width, height) with the given shape and a longest side of at most ANALYSIS_SIDE."""
    scale = min(1.0, ANALYSIS_SIDE / max(width, height))
    return max(2 * round(width * scale / 2), 16), max(2 * round(height * scale / 2), 16)


def survey(
    video: Video,
    observers: Sequence[Observer] = (),
    progress: Callable[[float], None] | None = None,
) -> Survey:
    """Decode ``video`` once and return what was seen.

    ``progress`` is called with the time reached, seconds, a few times per second of video.
    Raises what ``video.frames()`` raises.
    """
    frame_times: list[float] = []
    thumbs: ThinnedSeries[U8] = ThinnedSeries(THUMBS_CAP)
    stills: ThinnedSeries[I420] = ThinnedSeries(STILLS_CAP)
    size: tuple[int, int] | None = None
    reported = -1.0
    for frame in video.frames():
        time = float(frame.time)
        if size is None:
            size = analysis_size(frame.width, frame.height)
        picture = frame.i420(*size)
        frame_times.append(time)
        if thumbs.wants(time):
            small = cv2.resize(picture.y, (THUMB_SIDE, THUMB_SIDE), interpolation=cv2.INTER_AREA)
            thumbs.add(time, np.asarray(small, np.uint8))
        stills.add(time, picture)
        for observer in observers:
            observer.observe(time, frame, picture)
        if progress is not None and time - reported >= 0.5:
            reported = time
            progress(time)
    if size is None:
        raise UnreadableError(video.path, "not one frame could be decoded")
    whole = [i for i, t in enumerate(stills.times) if not damaged(video.media, t)]
    seen = [i for i, t in enumerate(thumbs.times) if not damaged(video.media, t)]
    if len(whole) < FEWEST or len(seen) < FEWEST:  # damaged throughout: better than nothing
        whole, seen = list(range(len(stills))), list(range(len(thumbs)))
    return Survey(
        media=video.media,
        frame_times=np.asarray(frame_times),
        thumbs=Thumbs(
            np.asarray([thumbs.times[i] for i in seen]), np.stack([thumbs.items[i] for i in seen])
        ),
        stills=Stills(
            np.asarray([stills.times[i] for i in whole]), [stills.items[i] for i in whole]
        ),
        size=size,
    )


def damaged(media: Media, time: float, margin: float = 0.0) -> bool:
    """Whether ``time`` lies in a damaged stretch, or within ``margin`` seconds of one."""
    return any(d.start_s - margin <= time <= d.end_s + margin for d in media.damage)
