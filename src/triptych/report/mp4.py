"""Writing a small H.264 and AAC file that plays everywhere, the same bytes every time."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any

import av
import numpy as np
import numpy.typing as npt
from av.audio.stream import AudioStream
from av.video.stream import VideoStream

from triptych.record.errors import OutputError

#: What the sound is written at, Hz; mono.
SOUND_RATE = 32_000


class Mp4Writer:
    """An mp4 with pictures at a constant rate and, where wanted, mono sound.

    Pictures are given in order, one per tick of ``fps``; sound as samples at a time, which may
    leave gaps (silence) but not go back. Give both roughly in step, so that players need not
    search. ``bitrate`` bounds the picture's bits per second; quality is otherwise ``crf``.
    """

    def __init__(
        self,
        path: Path,
        size: tuple[int, int],
        fps: Fraction,
        *,
        bitrate: int | None = None,
        crf: int = 23,
        sound_bitrate: int | None = None,
        baseline: bool = False,
    ) -> None:
        self.size = size
        self.fps = fps
        self._written = 0  # samples of sound
        self._container = av.open(
            str(path), "w", format="mp4", options={"movflags": "+faststart", "fflags": "+bitexact"}
        )
        try:
            self._picture = self._picture_stream(bitrate, crf, baseline)
            self._sound = self._sound_stream(sound_bitrate) if sound_bitrate else None
        except (av.error.FFmpegError, ValueError) as e:
            self._container.close()
            raise OutputError(f"{path.name}: no H.264 encoder could be used: {e}") from e
        self._ticks = 0

    def _picture_stream(self, bitrate: int | None, crf: int, baseline: bool) -> VideoStream:
        stream = self._container.add_stream("libx264", rate=self.fps)
        stream.width, stream.height = self.size
        stream.pix_fmt = "yuv420p"
        # A fixed number: what the encoder writes depends on it, and must not on the machine.
        stream.thread_count = 2
        options: dict[str, object] = {"preset": "veryfast", "crf": str(crf), "threads": "2"}
        if baseline:
            options["profile"] = "baseline"
        if bitrate is not None:
            options |= {"maxrate": str(bitrate), "bufsize": str(2 * bitrate)}
        # A key frame each second: the page steps a reversed video by seeking.
        stream.codec_context.gop_size = max(1, round(self.fps))
        stream.options = options
        return stream

    def _sound_stream(self, bitrate: int) -> AudioStream:
        stream = self._container.add_stream("aac", rate=SOUND_RATE)
        stream.layout = "mono"
        stream.bit_rate = bitrate
        stream.options = {"flags": "+bitexact"}
        return stream

    @property
    def next_time(self) -> Fraction:
        """When the next picture will be shown, seconds."""
        return self._ticks / self.fps

    def add_picture(self, rgb: npt.NDArray[np.uint8]) -> None:
        """Append a picture, uint8 (h, w, 3) of the writer's size."""
        frame = av.VideoFrame.from_ndarray(rgb, format="rgb24")
        frame.pts = self._ticks
        frame.time_base = 1 / self.fps
        self._ticks += 1
        self._container.mux(self._picture.encode(frame))

    def add_sound(self, time: Fraction, samples: npt.NDArray[np.float32]) -> None:
        """Append mono samples at :data:`SOUND_RATE`; silence fills a gap before them."""
        gap = round(time * SOUND_RATE) - self._written
        if gap < 0:
            samples = samples[-gap:]
        while gap > 0:  # in pieces, so that an hour of silence does not fill the memory
            piece = min(gap, SOUND_RATE)
            self._encode_sound(np.zeros(piece, np.float32))
            gap -= piece
        if samples.size:
            self._encode_sound(samples)

    def _encode_sound(self, samples: npt.NDArray[np.float32]) -> None:
        if self._sound is None:
            return
        frame = av.AudioFrame.from_ndarray(
            np.ascontiguousarray(samples[None, :], np.float32), format="fltp", layout="mono"
        )
        frame.sample_rate = SOUND_RATE
        frame.time_base = Fraction(1, SOUND_RATE)
        frame.pts = self._written
        self._written += samples.size
        self._container.mux(self._sound.encode(frame))

    def close(self) -> None:
        """Finish the file."""
        self._container.mux(self._picture.encode(None))
        if self._sound is not None and self._written:
            self._container.mux(self._sound.encode(None))
        self._container.close()

    def abandon(self) -> None:
        """Let go of the file without finishing it."""
        self._container.close()

    def __enter__(self) -> Mp4Writer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> Any:
        if kind is None:
            self.close()
        else:
            self.abandon()
