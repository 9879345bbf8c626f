"""A file to a :class:`~triptych.make.clip.Clip`: a short window, one size, a constant rate.

This reads through PyAV on its own, apart from the reader that comparisons use, so that a fault
there cannot hide in the made pairs as well. Only what may be opened is decided in one place.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import av.container
import av.error
import numpy as np

from triptych.make.clip import U8, Clip, Sound, Stack
from triptych.make.filters import PictureChain
from triptych.media.containers import open_container
from triptych.media.source import Source, resolve
from triptych.record.errors import NoPictureError, UnreadableError

#: A window holds at most this much, so that a large or fast clip cannot fill the memory.
WINDOW_BYTES = 768 * 2**20
#: Sample rates that are kept; any other becomes 48000.
RATES = (8000, 16000, 22050, 24000, 32000, 44100, 48000)


@dataclass(frozen=True)
class Window:
    """Which part of a file to take (seconds from its first frame), and how wide at most."""

    start_s: float
    seconds: float
    max_width: int


def digest(path: str | Path) -> str:
    """SHA-256 of the file's content."""
    source = _local(path)
    try:
        with Path(source.location).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as e:
        raise UnreadableError(str(path), e.strerror or str(e)) from e


def _local(path: str | Path) -> Source:
    """The regular file under that name, and never stdin, a URL, a pipe or a device."""
    name = str(path)
    found = resolve("./-" if name == "-" else name)
    if isinstance(found, Path):
        raise UnreadableError(name, "is a folder or a pattern of images", "give a video file")
    return found


def _open(path: str | Path) -> av.container.InputContainer:
    return open_container(_local(path))


def duration(path: str | Path) -> float:
    """Seconds of picture as the file states them; 0 where it does not."""
    with _open(path) as container:
        stream = container.streams.best("video")
        if stream is None:
            raise NoPictureError(str(path), "holds no moving picture", "give a video file")
        if stream.duration and stream.time_base:
            return float(stream.duration * stream.time_base)
        return (container.duration or 0) / 1e6


def sound_of(path: str | Path, seconds: float) -> Sound | None:
    """The default sound track from the picture's start on, ``seconds`` of it; ``None`` for none.

    At most two channels. Raises a :class:`~triptych.record.errors.SourceError`.
    """
    with _open(path) as container:
        stream = container.streams.best("video")
        zero = stream.start_time if stream is not None else None
        base = stream.time_base if stream is not None else None
    return _sound(path, Fraction(zero or 0) * (base or 1), seconds)


def _frames(container: av.container.InputContainer, stream: av.stream.Stream) -> Iterator[object]:
    """All frames of ``stream``; a packet that cannot be decoded is passed over."""
    try:
        for packet in container.demux(stream):
            try:
                yield from packet.decode()
            except av.error.FFmpegError:
                continue
    except av.error.FFmpegError:
        return


def _rate(stream: av.video.stream.VideoStream) -> Fraction:
    average = stream.average_rate or stream.guessed_rate or Fraction(25)
    guessed = stream.guessed_rate or average
    # The guess is exact where the average is off by a rounding; a far guess means a variable rate.
    rate = guessed if abs(guessed - average) <= average / 50 else average.limit_denominator(1001)
    return min(max(rate, Fraction(5)), Fraction(60))


def load(path: str | Path, window: Window) -> Clip:
    """The clip inside ``window``, upright, square pixels, constant rate, at most ``max_width``.

    Where the rate varied, a frame is shown at the nearest tick and held until the next. Raises a
    :class:`~triptych.record.errors.SourceError` where not one frame can be had.
    """
    with _open(path) as container:
        stream = container.streams.best("video")
        if not isinstance(stream, av.video.stream.VideoStream):
            raise NoPictureError(str(path), "holds no moving picture", "give a video file")
        fps = _rate(stream)
        zero = Fraction(stream.start_time or 0) * (stream.time_base or 1)
        start = zero + Fraction(window.start_s)
        stream.thread_type = "AUTO"
        if window.start_s > 0:
            container.seek(int(start * 1_000_000), backward=True)
        data = _pictures(container, stream, start, window, fps)
    if data is None:
        raise UnreadableError(str(path), "not one frame of it can be decoded")
    clip = Clip(Stack(data), fps)
    sound = _sound(path, start, clip.seconds)
    return Clip(clip.frames, fps, sound)


def _pictures(
    container: av.container.InputContainer,
    stream: av.video.stream.VideoStream,
    start: Fraction,
    window: Window,
    fps: Fraction,
) -> U8 | None:
    chain: PictureChain | None = None
    shape = (0, 0, "")
    size = (0, 0)
    kept: list[U8] = []
    most = math.ceil(window.seconds * fps)
    for frame in _frames(container, stream):
        if not isinstance(frame, av.VideoFrame) or frame.time is None:
            continue
        slot = round((Fraction(frame.pts or 0) * (frame.time_base or 1) - start) * fps)
        if slot < 0:
            continue
        if slot >= most:
            break
        if chain is None or shape != (frame.width, frame.height, frame.format.name):
            shape = (frame.width, frame.height, frame.format.name)
            turn = _turn(frame.rotation)
            size = size if kept else _size(frame, stream.sample_aspect_ratio, window.max_width)
            most = min(most, max(1, WINDOW_BYTES * 2 // (3 * size[0] * size[1])))
            scale = (
                f"scale=w={size[0]}:h={size[1]}:flags=area+accurate_rnd"
                f":in_color_matrix={_matrix(frame)}:out_color_matrix=bt709:out_range=tv"
            )
            chain = PictureChain(turn + scale, frame.width, frame.height, frame.format.name)
        picture = chain.frame(frame)
        if len(kept) > slot:  # two frames for one tick: the later one is shown
            kept[-1] = picture
            continue
        kept.extend([kept[-1]] * (slot - len(kept)) if kept else [])
        kept.append(picture)
    return np.stack(kept) if kept else None


def _matrix(frame: av.VideoFrame) -> str:
    # Unmarked pictures of HD size are BT.709 by custom; libswscale would take them for BT.601.
    unmarked = frame.colorspace in (0, 2)
    return "bt709" if unmarked and max(frame.width, frame.height) >= 1280 else "auto"


def _turn(rotation: int) -> str:
    return {90: "transpose=cclock,", -90: "transpose=clock,", 180: "hflip,vflip,"}.get(
        180 if rotation == -180 else rotation, ""
    )


def _size(frame: av.VideoFrame, aspect: Fraction | None, max_width: int) -> tuple[int, int]:
    width, height = float(frame.width), float(frame.height)
    if aspect and 0.1 < aspect < 10:
        width *= float(aspect)
    if frame.rotation % 180:
        width, height = height, width
    scale = min(1.0, max_width / width, max_width / height)
    return max(16, int(width * scale) // 2 * 2), max(16, int(height * scale) // 2 * 2)


def _sound(path: str | Path, start: Fraction, seconds: float) -> Sound | None:
    """The default sound track on the picture's clock; ``None`` where there is none."""
    with _open(path) as container:
        stream = container.streams.best("audio")
        if not isinstance(stream, av.audio.stream.AudioStream):
            return None
        rate = stream.rate if stream.rate in RATES else 48000
        layout = "mono" if stream.channels == 1 else "stereo"
        resampler = av.AudioResampler(format="fltp", layout=layout, rate=rate)
        out = np.zeros((1 if layout == "mono" else 2, round(seconds * rate)), np.float32)
        if start > 1:
            container.seek(int((start - 1) * 1_000_000), backward=True)
        heard = False
        position: int | None = None
        for frame in _frames(container, stream):
            if not isinstance(frame, av.AudioFrame) or frame.pts is None:
                continue
            at = round((Fraction(frame.pts) * (frame.time_base or 1) - start) * rate)
            # Follow the count of samples; jump only where the clock says there is a gap.
            if position is None or abs(position - at) > rate // 10:
                position = at
            if position >= out.shape[1]:
                break
            for part in resampler.resample(frame):
                block = np.asarray(part.to_ndarray(), np.float32)
                first, last = max(0, position), min(out.shape[1], position + block.shape[1])
                if last > first:
                    out[:, first:last] = block[:, first - position : last - position]
                    heard = True
                position += block.shape[1]
    return Sound(out, rate) if heard else None
