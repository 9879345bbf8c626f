"""Ordinary video files, decoded by PyAV packet by packet."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import av
import numpy as np

from triptych.media.orientation import orientation_of
from triptych.media.pyav_frame import AvFrame, Scalers
from triptych.media.video import SoundBlock
from triptych.record.errors import NoPictureError, UnreadableError
from triptych.record.report import Audio, Damage, Media


class AvVideo:
    """See :class:`~triptych.media.video.Video`."""

    def __init__(self, path: str, location: str, id: str, stream: int | None = None) -> None:  # noqa: A002
        self.path = path
        self._location = location
        self._stream = stream or 0
        with self._open() as container:
            if not container.streams.video:
                raise NoPictureError(path, "no video stream")
            s = container.streams.video[self._stream]
            self.media = Media(
                id=id,
                path=path,
                container=container.format.name,
                codec=s.codec_context.name,
                width=s.width,
                height=s.height,
                display_width=s.width,
                display_height=s.height,
                fps=float(s.average_rate) if s.average_rate else None,
            )
            if container.streams.audio:
                a = container.streams.audio[0]
                self.media.audio = Audio(
                    codec=a.codec_context.name, sample_rate=a.rate, channels=a.channels
                )

    def _open(self) -> av.container.InputContainer:
        try:
            return av.open("file:" + self._location, options={"protocol_whitelist": "file"})
        except av.FFmpegError as e:
            raise UnreadableError(self.path, f"cannot be opened: {e.strerror}") from e

    def frames(self) -> Iterator[AvFrame]:
        """All frames in presentation order."""
        scalers = Scalers()
        start: Fraction | None = None
        held: tuple[av.VideoFrame, Fraction] | None = None
        count = 0
        shape = None
        for frame, time in self._decoded():
            if start is None:
                start = time
                self.media.start_s = float(start)
            time -= start
            if held is not None:
                yield self._frame(held[0], held[1], time - held[1], shape, scalers)
            held = (frame, time)
            count += 1
        if held is None:
            raise UnreadableError(self.path, "not one frame can be decoded")
        frame, time = held
        duration = frame.duration * (frame.time_base or Fraction(1)) or Fraction(1, 25)
        self.media.frames = count
        self.media.duration_s = float(time + duration)
        yield self._frame(frame, time, duration, shape, scalers)

    def _frame(
        self,
        frame: av.VideoFrame,
        time: Fraction,
        duration: Fraction,
        shape: Fraction | None,
        scalers: Scalers,
    ) -> AvFrame:
        return AvFrame(frame, time, duration, orientation_of(frame), shape, scalers)

    def _decoded(self) -> Iterator[tuple[av.VideoFrame, Fraction]]:
        with self._open() as container:
            s = container.streams.video[self._stream]
            s.thread_type = "AUTO"
            s.codec_context.thread_count = 1
            for packet in container.demux(s):
                try:
                    frames = packet.decode()
                except av.FFmpegError as e:
                    t = float((packet.pts or 0) * packet.time_base)
                    self.media.damage.append(Damage(start_s=t, end_s=t, reason=str(e.strerror)))
                    continue
                for f in frames:
                    ticks = f.pts if f.pts is not None else f.dts or 0
                    yield f, ticks * (s.time_base or Fraction(1))

    def sound(self, rate: int = 16000) -> Iterator[SoundBlock]:
        """The sound as mono at ``rate``."""
        with self._open() as container:
            if not container.streams.audio:
                return
            resampler = av.AudioResampler("flt", "mono", rate)
            offset = Fraction(self.media.start_s or 0)
            for frame in container.decode(audio=0):
                for out in resampler.resample(frame):
                    t = (out.pts or 0) * (out.time_base or 1) - offset
                    yield SoundBlock(Fraction(t), out.to_ndarray().reshape(-1).astype(np.float32))

    def close(self) -> None:
        """Release the file."""
        return

    def __enter__(self) -> AvVideo:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
