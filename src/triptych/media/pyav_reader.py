"""Ordinary video files, read by PyAV."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from av.video.stream import VideoStream

from triptych.media.clock import Clock, Times
from triptych.media.containers import open_container
from triptych.media.decoding import DecodeAgainError, Decoding
from triptych.media.joints import Joined
from triptych.media.one_pass import Decoded, Pass
from triptych.media.probe import LONGER_S, probe
from triptych.media.pyav_frame import AvFrame
from triptych.media.seeking import INDEXED, Landmarks, frames_from
from triptych.media.sound import blocks
from triptych.media.source import Source
from triptych.media.video import SoundBlock
from triptych.record.report import Damage, Media

#: Two threads a video: on two cores one clip decodes 1.6 times as fast (640x272 and 720p H.264).
#: Two clips at once take a quarter more processor time with two threads each than with one.
THREADS = 2
#: The header may promise this much more than there is before it counts as truncated, seconds.
PROMISE_S = 0.25


class AvVideo:
    """See :class:`~triptych.media.video.Video`.

    ``times`` are those of the last complete pass, ``None`` before it.
    """

    def __init__(
        self,
        source: Source,
        id: str = "A",  # noqa: A002
        stream: int | None = None,
        threads: int = THREADS,
    ) -> None:
        self.path = source.name
        self.times: Times | None = None
        self.media = Media(id=id, path=source.name)
        self._source = source
        self._threads = threads
        self._combed = False
        self._trusted: Landmarks | None = None
        with open_container(source) as container:
            self._probed = probe(source.name, container, self.media, stream)

    def frames(self) -> Iterator[AvFrame]:
        """All frames in presentation order; see :class:`~triptych.media.video.Video`."""
        self._source.check_unchanged()
        attempts: list[Decoding] = []

        def finish(origin: Fraction, end: Fraction) -> tuple[list[Damage], list[str]]:
            self._source.check_unchanged()
            return self._endings(attempts[-1], origin, end)

        tour = Pass(self.media, self._probed.header, finish, self._combed)
        yield from tour.run(self._decoded(attempts))
        self.times = tour.times
        self._combed = tour.fields.interlaced
        done = attempts[-1]
        sound = done.clock.stamped and not done.clock.restarts and not self.media.damage
        if sound and self.media.container in INDEXED:
            self._trusted = Landmarks(
                self._source,
                self._probed.index,
                self._probed.header,
                tour.origin,
                tour.times.seconds,
                tour.keys,
                self._combed,
            )

    def _decoded(self, attempts: list[Decoding]) -> Iterator[Decoded]:
        """The pictures of one pass; the attempt that gave them is the last of ``attempts``."""
        given = 0
        for threads in (self._threads, 1):
            with open_container(self._source) as container:
                header = self._probed.header
                step = 1 / header.rates[0] if header.rates else Fraction(1, 25)
                clock = Clock(header.tick, step)
                attempts.append(Decoding(container, self._probed.index, clock, threads))
                try:
                    for n, decoded in enumerate(attempts[-1].run()):
                        if n >= given:
                            given += 1
                            yield decoded
                    return
                except DecodeAgainError:
                    # A file that is being written looks damaged at its end.
                    self._source.check_unchanged()

    def _endings(
        self, done: Decoding, origin: Fraction, end: Fraction
    ) -> tuple[list[Damage], list[str]]:
        """Damage and notes that need the whole pass."""
        restarts, jumps, log = done.clock.restarts, done.joints.jumps, done.log
        notes = [f"the file's clock begins again at {float(t - origin):.3f} s" for t in restarts]
        notes += [
            f"the file's clock jumps ahead by {float(by):.3f} s at {float(t - origin):.3f} s: "
            "what follows is taken to go on at once"
            for t, by in jumps
        ]
        # What a header says of a clock that jumped is how far it went, not how long the video is.
        steady = not restarts and not jumps
        promised = self._probed.stated_end if steady else None
        whole = self._probed.container_s if steady else None
        if not steady and self.media.audio is not None:
            self.media.audio.duration_s = None
        seen = end - origin
        log.finish(end)
        there = max(end, done.packets_end)
        if steady and promised is None:  # then the sound may be what lasts so long
            promised, there = self._probed.container_end, max(there, done.joints.sound_end)
        if promised is not None and promised - there > PROMISE_S:
            what = f"{float(seen):.2f} s of the declared {float(promised - origin):.2f} s"
            log.add(end, promised, f"truncated at {what}")
            whole = None
        if whole is not None and self._probed.stated_end is None and whole - seen > LONGER_S:
            notes.append(f"the container lasts {whole:.2f} s, its video {float(seen):.2f} s")
        return log.records(origin), notes

    def frames_from(self, time: Fraction, after: Fraction) -> Iterator[AvFrame] | None:
        """Frames from one at or before ``time`` on, by a seek; ``None`` where that is unreliable,
        or where no key frame lies between ``after`` and ``time``.

        A seek is only trusted after a complete and undamaged pass over a container with an
        index, and is held against the times of that pass frame by frame.
        """
        if self._trusted is None or not self._trusted.key_between(after, time):
            return None
        return frames_from(self._trusted, time, self.frames)

    def sound(self, rate: int = 16000) -> Iterator[SoundBlock]:
        """The default sound track; see :class:`~triptych.media.video.Video`."""
        with open_container(self._source) as container:
            stream = container.streams[self._probed.index]
            assert isinstance(stream, VideoStream)  # noqa: S101
            clock = Joined(container, stream)
            yield from blocks(container, rate, Fraction(self.media.start_s or 0), clock.packets)

    def check_unchanged(self) -> None:
        """Raise ChangedError where the file is not what it was when it was opened."""
        self._source.check_unchanged()

    def close(self) -> None:
        """Release the file; a temporary copy is removed."""
        self._source.close()

    def __enter__(self) -> AvVideo:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
