"""The packet loop: one attempt at decoding a video stream, with recovery packet by packet."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import av
from av.container import InputContainer
from av.packet import Packet
from av.video.stream import VideoStream

from triptych.media.clock import Clock
from triptych.media.damage import DamageLog
from triptych.media.joints import Joined
from triptych.media.one_pass import Decoded

#: How many demuxing errors without a packet between them end a file.
MOST_ERRORS = 50


class DecodeAgainError(Exception):
    """Damage met while several threads decode; internal, never leaves the reader.

    Frame threads report an error late, and what they leave of a damaged picture depends on how
    many they are. One thread gives the same frames every time.
    """


class Decoding:
    """Reads ``container`` once. ``packets_end`` is where the last packet that was there ends.

    ``joints`` know where the file's clock jumped ahead.
    """

    def __init__(self, container: InputContainer, index: int, clock: Clock, threads: int) -> None:
        self.clock = clock
        self.log = DamageLog()
        self.packets_end = Fraction(0)
        self._threads = threads
        stream = container.streams[index]
        assert isinstance(stream, VideoStream)  # noqa: S101
        self._stream = stream
        self.joints = Joined(container, stream)
        stream.thread_type = "AUTO" if threads > 1 else "NONE"
        stream.codec_context.thread_count = threads

    def run(self) -> Iterator[Decoded]:
        """Pictures in presentation order; raises DecodeAgainError at damage, threads allowing."""
        base = self._stream.time_base or self.clock.base
        for packet in self._packets():
            try:
                frames = packet.decode()
            except av.FFmpegError as e:
                self._damaged(self._time_of(packet), "could not be decoded", e)
                continue
            for frame in frames:
                time = self.clock.tell(frame.pts, frame.dts, frame.duration)
                if frame.is_corrupt:
                    self._retry()
                self.log.frame(time, frame.key_frame, frame.is_corrupt)
                yield Decoded(frame, time, frame.duration * base if frame.duration else None)

    def _packets(self) -> Iterator[Packet[VideoStream]]:
        errors = 0
        while True:
            try:
                for packet in self.joints.packets(self._stream):
                    errors = 0
                    self._note_end(packet)
                    yield packet
                return
            except av.FFmpegError as e:
                errors += 1
                self._damaged(self.packets_end, "could not be read", e)
                if errors >= MOST_ERRORS:
                    return

    def _note_end(self, packet: Packet[VideoStream]) -> None:
        if packet.pts is not None and packet.size:
            end = self.clock.at(packet.pts + (packet.duration or 0))
            self.packets_end = max(self.packets_end, end)

    def _time_of(self, packet: Packet[VideoStream]) -> Fraction:
        stamp = packet.pts if packet.pts is not None else packet.dts
        return self.packets_end if stamp is None else self.clock.at(stamp)

    def _damaged(self, time: Fraction, reason: str, error: av.FFmpegError) -> None:
        self._retry()
        what = (error.strerror or "").rstrip(".").lower()
        plain = isinstance(error, av.error.InvalidDataError) or not what
        self.log.hit(time, reason if plain else f"{reason}: {what}")

    def _retry(self) -> None:
        if self._threads > 1:
            raise DecodeAgainError
