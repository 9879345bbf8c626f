"""Packets on one clock that runs on, where the file's own clock jumps ahead.

The clock of a broadcast is that of the sender, not of the recording: where recordings are joined,
or a recorder paused, it jumps by seconds or by hours, with nothing to be shown in between. Players
go on at once, and so does ffmpeg from 10 s on (its ``dts_delta_threshold``). In other containers
the stamps are the file's own, and a gap means that a picture is held.

A clock that jumps takes all streams along. So a gap in the picture is a jump where the sound stops
and goes on with it, and a held picture (a slide show) where the sound runs on. Without sound the
two look alike, and only a gap that no slide would be held for is taken for a jump.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias, TypeVar, cast

from av.audio.stream import AudioStream
from av.container import InputContainer
from av.format import Flags
from av.packet import Packet
from av.stream import Stream
from av.video.stream import VideoStream

from triptych.media.sound import default_sound

#: A gap from here on may be a jump, in seconds: ffmpeg's threshold for the same formats.
JUMP_S = 10
#: A gap that is a jump even where no sound tells, in seconds. Clocks of two recordings that have
#: nothing to do with each other are nearer than this in 1 of 80 cases (MPEG's clock takes 26.5 h
#: around, half of it ahead); slides are held for a minute.
SURE_S = 600
#: Sound is held back for the picture to jump as well for so many packets: half a minute.
MOST_HELD = 1500

S = TypeVar("S", VideoStream, AudioStream)
AnyPacket: TypeAlias = "Packet[Stream]"
_CLOCKS_JUMP = cast(int, Flags.ts_discont.value)


@dataclass
class Joined:
    """The packets of one container, on a clock without jumps.

    Only those containers are changed that FFmpeg says have such clocks: the stamps of what follows
    a jump of the picture are moved by ``shift``, those of the sound too. ``jumps`` are the times on
    the resulting clock at which one was, and by how many seconds. ``sound_end`` is where the last
    packet of any sound that went by beside the picture ends, on the file's own clock.
    """

    container: InputContainer
    video: VideoStream
    shift: Fraction = Fraction(0)
    jumps: list[tuple[Fraction, Fraction]] = field(default_factory=list)
    sound_end: Fraction = Fraction(0)
    _next: dict[int, Fraction] = field(default_factory=dict)
    _held: list[AnyPacket] = field(default_factory=list)

    def packets(self, of: S) -> Iterator[Packet[S]]:
        """Those of one stream, the picture or its sound, in file order.

        May be called again after an error that it let through, to go on behind it.
        """
        if not self.container.format.flags & _CLOCKS_JUMP:
            packets = self._plain(of)
        else:
            packets = self._both()
        for packet in packets:
            if packet.stream.index == of.index:
                yield cast("Packet[S]", packet)

    def _plain(self, of: VideoStream | AudioStream) -> Iterator[AnyPacket]:
        sounds = self.container.streams.audio if of.index == self.video.index else ()
        for packet in self.container.demux([of, *sounds]):
            base = packet.time_base
            if packet.stream.index != of.index and packet.pts is not None and base and packet.size:
                end = (packet.pts + (packet.duration or 0)) * base
                self.sound_end = max(self.sound_end, end)
            yield packet

    def _both(self) -> Iterator[AnyPacket]:
        sound = default_sound(self.container)
        for packet in self.container.demux([s for s in (self.video, sound) if s is not None]):
            if packet.stream.index == self.video.index:
                self._follow(packet)
                moved = self._moved(packet)
                if not self._sound_waits():
                    yield from self._release()
                yield moved
            else:
                self._held.append(packet)
                if not self._sound_waits() or len(self._held) > MOST_HELD or not packet.size:
                    yield from self._release()

    def _follow(self, packet: AnyPacket) -> None:
        """Move the clock if this packet of the picture jumps."""
        start, expected = self._start(packet), self._next.get(self.video.index)
        if start is None or expected is None or not self._jumped(expected, start):
            return
        shown = 0 if packet.pts is None or packet.dts is None else packet.pts - packet.dts
        self.jumps.append((expected + shown * (packet.time_base or 0), start - expected))
        self.shift += expected - start

    def _jumped(self, expected: Fraction, start: Fraction) -> bool:
        """Whether the gap of the picture from ``expected`` to ``start`` is one of the clock."""
        gap = start - expected
        if gap <= JUMP_S:
            return False
        heard = [n for i, n in self._next.items() if i != self.video.index]
        if not heard or heard[0] < expected - JUMP_S:  # none, or it had ended before
            return gap > SURE_S
        return heard[0] < expected + gap / 2

    def _sound_waits(self) -> bool:
        """Whether the sound held back has jumped, and the picture has yet to jump or run on."""
        if not self._held:
            return False
        packet = self._held[0]
        start, expected = self._start(packet), self._next.get(packet.stream.index)
        seen = self._next.get(self.video.index)
        if start is None or expected is None or seen is None or start - expected <= JUMP_S:
            return False
        return seen < expected + (start - expected) / 2

    def _release(self) -> Iterator[AnyPacket]:
        held, self._held = self._held, []
        for packet in held:
            yield self._moved(packet)

    def _start(self, packet: AnyPacket) -> Fraction | None:
        """When ``packet`` is due, on the clock as it is moved now."""
        stamp = packet.dts if packet.dts is not None else packet.pts
        if stamp is None or not packet.size or packet.time_base is None:
            return None
        return stamp * packet.time_base + self.shift

    def _moved(self, packet: AnyPacket) -> AnyPacket:
        start, base = self._start(packet), packet.time_base
        if start is None or base is None:
            return packet
        self._next[packet.stream.index] = start + (packet.duration or 0) * base
        if ticks := round(self.shift / base):
            packet.pts = None if packet.pts is None else packet.pts + ticks
            packet.dts = None if packet.dts is None else packet.dts + ticks
        return packet
