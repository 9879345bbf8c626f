"""Frames of a video by time, forwards or backwards, in bounded memory and without seeking."""

from __future__ import annotations

import io
import math
from bisect import bisect_right
from collections.abc import Iterator

import numpy as np
from PIL import Image

from triptych.media.frame import U8, Frame
from triptych.media.video import Video
from triptych.report.sources import fitted

#: Frames kept for playing backwards are JPEG files, together at most this. At 640x360 that is
#: about 2,000 frames, so a minute and more of reversed video costs one extra pass of decoding.
CHUNK_BYTES = 128_000_000
_ROUNDING_S = 2e-6


class FrameServer:
    """Gives the frame on screen at a time, scaled to ``size`` (width, height).

    Going forward costs one pass; a step back starts the video again, so reordered stretches cost
    a pass each. Backwards, frames come from chunks: each is decoded in one forward pass and
    holds as much before the wanted time as :data:`CHUNK_BYTES` allows.
    """

    def __init__(self, video: Video, size: tuple[int, int]) -> None:
        self._video = video
        self._size = size
        self._frames: Iterator[Frame] = iter(())
        self._held: Frame | None = None
        self._next: Frame | None = None
        self._picture: U8 | None = None
        self._chunk_times: list[float] = []
        self._chunk: list[bytes] = []
        self._chunk_holds = (math.inf, -math.inf)

    def at(self, t: float, *, reverse: bool = False, floor: float = 0.0) -> U8:
        """The picture at ``t`` seconds, uint8 (h, w, 3).

        ``reverse``: later calls will ask for earlier times, not before ``floor``.
        """
        return self._backwards(t, floor) if reverse else self._forwards(t)

    def _forwards(self, t: float) -> U8:
        if self._held is None or t < float(self._held.time) - _ROUNDING_S:
            self._restart()
        while self._next is not None and float(self._next.time) <= t + _ROUNDING_S:
            self._held, self._next = self._next, next(self._frames, None)
            self._picture = None
        if self._picture is None:
            if self._held is None:  # frames() raises rather than give none
                raise RuntimeError("a video without frames")
            self._picture = fitted(self._held, *self._size)
        return self._picture

    def _restart(self) -> None:
        self._frames = self._video.frames()
        self._held = next(self._frames, None)
        self._next = next(self._frames, None)
        self._picture = None

    def _backwards(self, t: float, floor: float) -> U8:
        first, last = self._chunk_holds
        if not first - _ROUNDING_S <= t <= last + _ROUNDING_S:
            self._fill(t, floor)
        i = max(bisect_right(self._chunk_times, t + _ROUNDING_S) - 1, 0)
        with Image.open(io.BytesIO(self._chunk[i])) as picture:
            return np.asarray(picture.convert("RGB"), np.uint8)

    def _fill(self, t: float, floor: float) -> None:
        """Keep the frames up to ``t``; when they grow too many, the earliest go."""
        times: list[float] = []
        chunk: list[bytes] = []
        first = size = 0
        for frame in self._video.frames():
            time = float(frame.time)
            if time > t + _ROUNDING_S and times:
                break
            if time < floor - 1.0 and not times:
                continue
            out = io.BytesIO()
            Image.fromarray(fitted(frame, *self._size)).save(out, "JPEG", quality=88)
            chunk.append(out.getvalue())
            times.append(time)
            size += len(chunk[-1])
            while size > CHUNK_BYTES and first < len(chunk) - 1:
                size -= len(chunk[first])
                chunk[first] = b""
                first += 1
        self._chunk_times, self._chunk = times[first:], chunk[first:]
        self._chunk_holds = (times[first] if first else min(floor, t), t)
