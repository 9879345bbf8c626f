"""A video written anew with every picture changed: times and sound stay what they are."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

from av.video.reformatter import ColorRange

from triptych import media
from triptych.make.clip import U8, from_planes
from triptych.make.encode import LOSSLESS, write_pictures
from triptych.make.load import duration, sound_of
from triptych.make.pixels import to_i420, to_rgb
from triptych.record.errors import SourceError, UnreadableError

#: Ticks of a second: frames of all usual rates, those over 1.001 included, begin on one.
_CLOCK = Fraction(1, 720_000)


def rewrite(source: Path, target: Path, change: Callable[[U8, Fraction], U8]) -> None:
    """Write ``source`` to ``target`` (MP4), each picture through ``change(rgb, time_s)``.

    Pictures are those that are shown: upright, square pixels, 8 bit, frames that cannot be decoded
    left out, all of the first one's size made even. They are stored without loss but for chroma,
    which is at half size as in most videos. Sound becomes FLAC of at most two channels. ``target``
    is there whole or not at all.

    Raises a :class:`~triptych.record.errors.SourceError` or
    :class:`~triptych.record.errors.OutputError`.
    """
    with media.open(source) as video:
        frames = video.frames()
        first = next(frames)
        width, height = first.width // 2 * 2, first.height // 2 * 2
        if not width or not height:
            raise UnreadableError(str(source), "is less than two pixels wide or high")
        seconds = video.media.duration_s or duration(source)

        def pictures() -> Iterator[tuple[Fraction, U8]]:
            for frame in itertools.chain([first], frames):
                # Not frame.rgb(), whose rounding is a level or two darker: a change of its own.
                small = frame.i420(width, height)
                rgb = to_rgb(from_planes(small.y, small.u, small.v), ColorRange.JPEG)
                yield frame.time, to_i420(change(rgb, frame.time))

        try:
            sound = sound_of(source, seconds)
        except SourceError:  # a picture file, which is read in another way
            sound = None
        fps = Fraction(video.media.fps or 25).limit_denominator(1001)
        write_pictures(
            pictures(), (width, height), fps, target, LOSSLESS, sound=sound, clock=_CLOCK
        )
