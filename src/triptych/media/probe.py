"""What a container's header says: which stream to take, and what is worth a note."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

import av
from av.container import InputContainer
from av.stream import Disposition
from av.video.stream import VideoStream

from triptych.media.colour import colour_of
from triptych.media.one_pass import Header
from triptych.media.orientation import display_size, orientation_of
from triptych.media.sound import about_sound
from triptych.record.errors import NoPictureError, UnreadableError, UsageError, printable
from triptych.record.report import Media

#: How much longer than its video stream a container must be to be worth a note, in seconds.
LONGER_S = 0.06
#: Containers whose duration may be when the last frame ends, on a clock that need not begin at 0:
#: FFmpeg writes it so, and other programs (mkvmerge) the time from the first frame to the last.
_STATE_ENDS = ("matroska,webm", "asf", "asf_o", "nut")
_STILL = Disposition.attached_pic | Disposition.timed_thumbnails


@dataclass
class Probed:
    """The stream that was chosen, by its index in the container, and what its header says.

    ``stated_end`` is when the video ends on the file's clock, ``container_end`` when everything
    does, where there is nothing beside pictures and sound; ``container_s`` how long that lasts.
    """

    index: int
    header: Header
    stated_end: Fraction | None
    container_s: float | None
    container_end: Fraction | None


def choose(
    path: str, container: InputContainer, wanted: int | None
) -> tuple[VideoStream, list[str]]:
    """The video stream to use, and notes on the choice.

    ``wanted`` counts from 0 among the file's video streams, cover art left out; without it, the
    stream with the default flag, and among equals the largest, then the first.
    """
    every = list(container.streams.video)
    streams = [s for s in every if not s.disposition & _STILL]
    notes = ["cover art is left aside"] if len(streams) < len(every) else []
    if not streams:
        what = "only cover art, no video stream" if every else "no video stream"
        if container.streams.audio and not every:
            what = "sound only, no video stream"
        raise NoPictureError(path, what)
    if wanted is not None:
        if not 0 <= wanted < len(streams):
            raise UsageError(
                f"{printable(path)}: no video stream {wanted}: "
                f"there are {len(streams)}, counted from 0"
            )
        number, why = wanted, "as asked"
    else:
        flags = [bool(s.disposition & Disposition.default) for s in streams]
        sizes = [s.codec_context.width * s.codec_context.height for s in streams]
        number = max(range(len(streams)), key=lambda i: (flags[i], sizes[i], -i))
        why = "the default" if sum(flags) == 1 else "the largest"
    if len(streams) > 1:
        listed = ", ".join(f"{s.codec_context.width}x{s.codec_context.height}" for s in streams)
        notes.append(f"{len(streams)} video streams ({listed}): stream {number} is used, {why}")
    return streams[number], notes


def probe(path: str, container: InputContainer, media: Media, wanted: int | None) -> Probed:
    """Fill ``media`` with what the header and the first frame say.

    Raises NoPictureError where there is no video stream, UnreadableError where there is no
    decoder for it.
    """
    stream, notes = choose(path, container, wanted)
    context = stream.codec_context
    if context is None or context.codec is None:
        raise UnreadableError(path, "no decoder for its video")
    base = stream.time_base or Fraction(1, 90000)
    begins = (stream.start_time or 0) * base
    rates = [r for r in (stream.average_rate, stream.guessed_rate, stream.base_rate) if r]
    # Containers without an index state rates like 1000 or 90000: that is a clock, not a rate.
    rates = [r for r in rates if 0 < r <= 480]
    media.container, media.codec = container.format.name, context.name
    media.width, media.height = context.width or None, context.height or None
    shape = stream.sample_aspect_ratio or None
    media.fps = float(rates[0]) if rates else None
    length = _from_start(_length(container, stream), begins, container)
    media.duration_s = float(length) if length is not None else None
    frame = _first_frame(container, stream)
    if frame is not None:
        notes += _picture(media, frame, shape)
        start = frame.pts if frame.pts is not None else frame.dts
        media.start_s = float(start * base) if start is not None else None
    elif media.width and media.height:
        media.display_width, media.display_height = media.width, media.height
    media.audio = about_sound(container, Fraction(media.start_s or 0))
    whole = _whole(container)
    if whole is not None and length is not None and whole - float(length) > LONGER_S:
        notes.append(f"the container lasts {whole:.2f} s, its video {float(length):.2f} s")
    media.notes = list(notes)
    return Probed(
        stream.index,
        Header(base, rates, shape, notes),
        None if length is None else begins + length,
        whole,
        _container_end(container, whole),
    )


def _picture(media: Media, frame: av.VideoFrame, shape: Fraction | None) -> list[str]:
    """Fill in what the first frame tells, and give the notes on it."""
    notes: list[str] = []
    turned, colour = orientation_of(frame), colour_of(frame)
    media.width, media.height = frame.width, frame.height
    media.display_width, media.display_height = display_size(
        frame.width, frame.height, shape, turned
    )
    media.rotation = turned.clockwise
    media.bit_depth = max(c.bits for c in frame.format.components)
    media.hdr = colour.hdr
    media.interlaced = frame.interlaced_frame
    if turned.clockwise or turned.mirrored:
        how = [f"turned {turned.clockwise} degrees clockwise"] if turned.clockwise else []
        how = (["mirrored"] if turned.mirrored else []) + how
        notes.append(f"shown {' and '.join(how)} by a flag in the file")
    if shape is not None and shape != 1:
        notes.append(
            f"pixels are not square ({shape.numerator}:{shape.denominator}): "
            f"shown as {media.display_width}x{media.display_height}"
        )
    if media.bit_depth > 8:
        notes.append(f"{media.bit_depth} bits a sample, measured at 8")
    if colour.hdr:
        notes.append(f"HDR ({colour.hdr}): tone-mapped for measuring, so colours are approximate")
    if colour.range.name == "JPEG" and not colour.rgb:
        notes.append("full-range samples")
    return notes


#: Hours, minutes and seconds as Matroska writers note them.
PLAIN_TIME = re.compile(r"(\d{1,5}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)\d*")


def _length(container: InputContainer, stream: VideoStream) -> Fraction | None:
    """How long the header says the video is: the stream's own word, or a tag on it."""
    if stream.duration and stream.duration > 0 and stream.time_base:
        return stream.duration * stream.time_base
    # Written by whoever made the file: only a plain time is taken for one.
    tag = re.fullmatch(
        r"(\d{1,5}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)\d*", stream.metadata.get("DURATION", "")
    )
    if tag is not None:
        return 3600 * int(tag[1]) + 60 * int(tag[2]) + Fraction(tag[3])
    # Without sound the container can only mean the picture.
    if container.duration and len(container.streams) == 1:
        return Fraction(container.duration, av.time_base)
    return None


def _whole(container: InputContainer) -> float | None:
    """How long the header says that everything in the container lasts, in seconds."""
    if not container.duration:
        return None
    length = Fraction(container.duration, av.time_base)
    begins = Fraction(container.start_time or 0, av.time_base)
    return float(_from_start(length, begins, container) or 0) or None


def _container_end(container: InputContainer, whole: float | None) -> Fraction | None:
    """When the last of the pictures and the sound ends, on the file's clock, in seconds."""
    media = len(container.streams.video) + len(container.streams.audio)
    if whole is None or media < len(container.streams):  # a subtitle may be longer
        return None
    return Fraction(container.start_time or 0, av.time_base) + Fraction(whole)


def _from_start(
    length: Fraction | None, begins: Fraction, container: InputContainer
) -> Fraction | None:
    """A stated length in seconds, counted from where the clock begins.

    Where it may be either, it is taken for the end if it lies behind the beginning: to promise too
    little misses damage, to promise too much makes it up.
    """
    if length is None or container.format.name not in _STATE_ENDS or not 0 < begins < length:
        return length
    return length - begins


def _first_frame(container: InputContainer, stream: VideoStream) -> av.VideoFrame | None:
    """The first picture, if it comes within a few hundred packets."""
    stream.thread_type = "NONE"
    try:
        for n, packet in enumerate(container.demux(stream)):
            try:
                frames = packet.decode()
            except av.FFmpegError:
                continue
            if frames:
                return frames[0]
            if n > 300:
                break
    except av.FFmpegError:
        pass
    return None
