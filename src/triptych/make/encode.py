"""A clip to a file, byte for byte the same each time, and whole or not at all.

Sound is FLAC inside MP4: lossless, and it has no encoder delay, so that an edit of the picture
cannot shift or colour the sound by accident. Controls that re-encode use AAC or Opus on purpose:
their delay is declared in the file, and a reader that forgets it would find an offset.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import av.error
import numpy as np
from av.audio.stream import AudioStream
from av.video.stream import VideoStream

from triptych.make.clip import U8, Clip, Sound
from triptych.record.errors import OutputError, printable
from triptych.record.files import atomic_path


@dataclass(frozen=True)
class Encoding:
    """How to write: codec of libavcodec, its rate factor, the sound's codec, x264's preset."""

    codec: str = "libx264"
    crf: int = 18
    sound: str = "flac"
    suffix: str = ".mp4"
    preset: str = "veryfast"


#: The I420 pictures come back as they were: x264 at rate factor 0. Slower presets make noise hardly
#: smaller, and take three times as long.
LOSSLESS = Encoding(crf=0, preset="ultrafast")


#: One thread and quiet: the number of threads changes what x265 and libvpx write. x264's tree of
#: macroblocks is left out: on processors with AVX-512 it reads memory that it never wrote, and one
#: in five files of a picture 160 pixels wide came out otherwise.
_OPTIONS = {
    "libx264": {"x264-params": "mbtree=0"},
    "libx265": {"x265-params": "pools=1:frame-threads=1:log-level=none"},
    "libvpx-vp9": {"b": "0", "deadline": "good", "cpu-used": "5", "row-mt": "0"},
}
_BITEXACT = {"fflags": "+bitexact"}
_FORMATS = {".mp4": "mp4"}


def write_clip(clip: Clip, target: Path, encoding: Encoding | None = None) -> None:
    """Encode ``clip`` to ``target``. Raises :class:`OutputError`; nothing half-written is left."""
    pictures = ((i / clip.fps, clip.frames[i]) for i in range(len(clip.frames)))
    write_pictures(pictures, clip.size, clip.fps, target, encoding, sound=clip.sound)


def write_pictures(
    pictures: Iterable[tuple[Fraction, U8]], size: tuple[int, int], fps: Fraction, target: Path,
    encoding: Encoding | None = None, *, sound: Sound | None = None, clock: Fraction | None = None,
) -> None:  # fmt: skip
    """Encode ``pictures``, I420 of ``size``, each with its time in seconds; times rise from 0.

    ``fps`` is what the file states; times are rounded to ``clock`` seconds (one frame). The format
    is MP4, whatever ``target`` is called, but for codecs with a suffix of their own. Raises
    :class:`OutputError`; nothing half-written is left.
    """
    encoding = encoding or Encoding()
    with atomic_path(target) as temporary:
        try:
            _write(pictures, size, fps, clock or 1 / fps, sound, temporary, encoding)
        except av.error.FFmpegError as e:
            raise OutputError(
                f"{printable(str(target))}: cannot be written: {e.strerror or e}"
            ) from e


def _write(
    pictures: Iterable[tuple[Fraction, U8]], size: tuple[int, int], fps: Fraction, clock: Fraction,
    sound: Sound | None, path: Path, encoding: Encoding,
) -> None:  # fmt: skip
    kind = _FORMATS.get(encoding.suffix)
    with av.open(f"file:{path}", "w", format=kind, options=_BITEXACT) as container:
        options = {**_OPTIONS[encoding.codec], "crf": str(encoding.crf)}
        if encoding.codec in ("libx264", "libx265"):
            options["preset"] = encoding.preset
        video = container.add_stream(encoding.codec, rate=fps, options=options)
        assert isinstance(video, VideoStream)  # noqa: S101  (these are codecs of pictures)
        video.width, video.height = size
        video.pix_fmt = "yuv420p"
        context = video.codec_context
        context.time_base = clock
        context.thread_count = 1
        context.flags |= int(av.codec.context.Flags.bitexact)
        context.color_range, context.colorspace = 1, 1  # limited range, BT.709
        context.color_primaries, context.color_trc = 1, 1
        if encoding.codec == "libx265":
            context.codec_tag = "hvc1"
        audio = None
        if sound is not None and sound.samples.shape[1]:
            audio = _SoundWriter(container, sound, encoding.sound)
        for time, picture in pictures:
            frame = av.VideoFrame.from_ndarray(picture, format="yuv420p")
            frame.pts = round(time / clock)
            frame.time_base = clock
            container.mux(video.encode(frame))
            if audio is not None:
                audio.until(time + 1 / fps)
        container.mux(video.encode(None))
        if audio is not None:
            audio.close()


class _SoundWriter:
    def __init__(self, container: av.container.OutputContainer, sound: Sound, codec: str) -> None:
        self.container = container
        self.sound = sound
        self.layout = "mono" if len(sound.samples) == 1 else "stereo"
        rate = 48000 if codec == "libopus" else sound.rate
        options = {"b": "96000"} if codec != "flac" else {}
        stream = container.add_stream(codec, rate=rate, layout=self.layout, options=options)
        assert isinstance(stream, AudioStream)  # noqa: S101  (these are codecs of sound)
        self.stream = stream
        self.stream.codec_context.flags |= int(av.codec.context.Flags.bitexact)
        self.stream.codec_context.thread_count = 1
        self.at = 0

    def until(self, seconds: Fraction) -> None:
        """Encode the samples up to ``seconds``."""
        end = min(self.sound.samples.shape[1], int(seconds * self.sound.rate))
        if end <= self.at:
            return
        data = self.sound.samples[:, self.at : end]
        # Whole numbers of 16 bits in our own rounding, so that no dither enters.
        whole = np.clip(np.rint(data * 32768), -32768, 32767).astype(np.int16)
        frame = av.AudioFrame.from_ndarray(
            np.ascontiguousarray(whole.T.reshape(1, -1)), format="s16", layout=self.layout
        )
        frame.sample_rate = self.sound.rate
        frame.pts = self.at
        frame.time_base = Fraction(1, self.sound.rate)
        self.container.mux(self.stream.encode(frame))
        self.at = end

    def close(self) -> None:
        """Encode what is left."""
        self.until(Fraction(self.sound.samples.shape[1], self.sound.rate))
        self.container.mux(self.stream.encode(None))


def remux(source: Path, target: Path) -> None:
    """The packets of ``source`` in another container, unchanged."""
    with atomic_path(target) as temporary:
        try:
            with (
                av.open(f"file:{source}") as read,
                av.open(f"file:{temporary}", "w", options=_BITEXACT) as write,
            ):
                streams = {s.index: write.add_stream_from_template(s) for s in read.streams}
                for packet in read.demux():
                    if packet.dts is None:
                        continue
                    packet.stream = streams[packet.stream.index]
                    write.mux(packet)
        except av.error.FFmpegError as e:
            raise OutputError(
                f"{printable(str(target))}: cannot be written: {e.strerror or e}"
            ) from e
