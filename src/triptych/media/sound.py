"""The sound track of a file, as mono blocks on the picture's clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import av
import numpy as np
import numpy.typing as npt
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.packet import Packet
from av.stream import Disposition

from triptych.media.video import SoundBlock
from triptych.record.errors import printable
from triptych.record.report import Audio

#: Gives the packets of a stream in file order.
Packets = Callable[[AudioStream], "Iterator[Packet[AudioStream]]"]
F32 = npt.NDArray[np.float32]

#: Stamps may differ from the samples counted by this much before it is taken for a gap.
SLACK_S = 0.04
#: How many errors in a row end the track.
MOST_ERRORS = 200
#: Samples are kept up to this many times full scale: mixing down loud channels goes beyond it, and
#: clipping there would change the sound of one encode and not of another.
LOUDEST = 4.0


def default_sound(container: InputContainer) -> AudioStream | None:
    """The sound track that a player would choose: the default one, else the first."""
    streams = [s for s in container.streams.audio if s.codec_context is not None]
    flagged = [s for s in streams if s.disposition & Disposition.default]
    return next(iter(flagged or streams), None)


def about_sound(container: InputContainer, start: Fraction) -> Audio | None:
    """What the header says of the sound; ``start`` is the clock at the first picture."""
    stream = default_sound(container)
    if stream is None or stream.time_base is None:
        return None
    begin, length = stream.start_time, stream.duration
    return Audio(
        codec=stream.codec_context.name,
        sample_rate=stream.rate,
        channels=stream.channels,
        start_s=None if begin is None else float(begin * stream.time_base - start),
        duration_s=None if not length or length < 0 else float(length * stream.time_base),
        language=printable(stream.language)[:35] if stream.language else None,
    )


def blocks(
    container: InputContainer, rate: int, start: Fraction, packets: Packets
) -> Iterator[SoundBlock]:
    """Mono blocks of about a second at ``rate`` Hz; ``start`` is the clock at the first picture.

    ``packets`` gives those of a stream, and goes on when it is called again after an error.

    A packet that cannot be decoded leaves a gap. Times come from the file's stamps, and within
    a run of samples from counting them.
    """
    stream = default_sound(container)
    if stream is None:
        return
    begun: Fraction | None = None
    held: list[F32] = []
    size = 0
    for time, samples in _runs(packets, stream, rate):
        at = None if time is None else time - start
        if begun is None:
            begun = at if at is not None else Fraction(0)
        elif at is not None and abs(float(at - begun) - size / rate) > SLACK_S:
            if size:
                yield SoundBlock(begun, np.concatenate(held))
            # A stamp that goes back overlaps what was given: the clock began again.
            begun = max(at, begun + Fraction(size, rate))
            held, size = [], 0
        held.append(samples)
        size += len(samples)
        if size >= rate:
            yield SoundBlock(begun, np.concatenate(held))
            begun += Fraction(size, rate)
            held, size = [], 0
    if size and begun is not None:
        yield SoundBlock(begun, np.concatenate(held))


def _runs(
    packets: Packets, stream: AudioStream, rate: int
) -> Iterator[tuple[Fraction | None, F32]]:
    """Resampled pieces with their times on the stream's clock."""
    resampler: av.AudioResampler | None = None
    layout: tuple[str, int, str] | None = None
    for frame in _frames(packets, stream):
        kind = (frame.layout.name, frame.sample_rate, frame.format.name)
        if resampler is None or kind != layout:
            if resampler is not None:
                yield from _pieces(resampler.resample(None))
            resampler, layout = av.AudioResampler("flt", "mono", rate), kind
        yield from _pieces(resampler.resample(frame))
    if resampler is not None:
        yield from _pieces(resampler.resample(None))


def _pieces(frames: list[AudioFrame]) -> Iterator[tuple[Fraction | None, F32]]:
    for frame in frames:
        if frame.samples:
            time = None
            if frame.pts is not None and frame.time_base is not None:
                time = frame.pts * frame.time_base
            samples = np.clip(frame.to_ndarray().reshape(-1), -LOUDEST, LOUDEST)
            yield time, np.nan_to_num(samples).astype(np.float32, copy=False)


def _frames(packets: Packets, stream: AudioStream) -> Iterator[AudioFrame]:
    errors = 0
    while errors < MOST_ERRORS:
        try:
            for packet in packets(stream):
                try:
                    yield from packet.decode()
                    errors = 0
                except av.FFmpegError:
                    errors += 1
                    if errors >= MOST_ERRORS:
                        return
            return
        except av.FFmpegError:
            errors += 1
