"""One pass over a video: what is learned about the whole while each frame goes by once."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import av
from av.video.reformatter import VideoReformatter

from triptych.media.bars import Bars
from triptych.media.clock import Times
from triptych.media.colour import colour_of
from triptych.media.frame import U8
from triptych.media.interlace import FieldVotes
from triptych.media.orientation import Orientation, Orientations
from triptych.media.pyav_frame import AvFrame, Scalers, raw_luma
from triptych.record.errors import UnreadableError
from triptych.record.report import Damage, Media

#: Pictures a second that bars and fields are looked for in.
LOOKS = 2
#: The first frames are all looked at, so that a clip of a second is known as well.
FIRST_LOOKS = 8
#: Votes on interlacing after which no more are taken.
ENOUGH_VOTES = 60
#: Looks after which, as long as none said anything but progressive, only every so many ask again:
#: the usual case, and the vote is slow.
SURE_LOOKS, SURE_EVERY = 10, 5


@dataclass(frozen=True, slots=True)
class Decoded:
    """A picture, when it is shown on the stream's own clock, and how long it says it lasts."""

    frame: av.VideoFrame
    time: Fraction
    lasts: Fraction | None = None
    orientation: Orientation | None = None


@dataclass
class Header:
    """What the file states before a frame is decoded.

    ``tick`` is the smallest step of its clock, ``rates`` the frame rates it states, most
    trusted first, ``shape`` the width of a pixel over its height.
    """

    tick: Fraction
    rates: list[Fraction] = field(default_factory=list)
    shape: Fraction | None = None
    notes: list[str] = field(default_factory=list)


class Pass:
    """Turns decoded pictures into frames and fills ``media`` when they have run out."""

    def __init__(
        self,
        media: Media,
        header: Header,
        finish: Callable[[Fraction, Fraction], tuple[list[Damage], list[str]]],
        combed: bool = False,
    ) -> None:
        """``finish(first, end)``, called with the stream's clock at both ends, gives the damage
        and further notes. ``combed``: an earlier pass found interlaced pictures.
        """
        self.media = media
        self.header = header
        self.combed = combed
        self.origin = Fraction(0)
        self.times = Times(header.tick)
        self.keys = array("d")
        self.bars = Bars()
        self.fields = FieldVotes()
        self._finish = finish
        self._scalers = Scalers()
        self._looker = VideoReformatter()
        self._notes: list[str] = []
        self._size: tuple[int, int] | None = None
        self._row: list[U8] = []
        self._next_look = Fraction(0)
        self._looks = 0
        self._orientation = Orientation()
        self._turns = Orientations()

    def run(self, decoded: Iterator[Decoded]) -> Iterator[AvFrame]:
        """The frames, each with its time from the first and how long until the next."""
        origin: Fraction | None = None
        held: Decoded | None = None
        for d in decoded:
            if origin is None:
                origin = self.origin = d.time
                self.media.start_s = float(origin)
            if held is not None:
                yield self._shown(held, origin, d.time - held.time)
            held = d
            self._look(d, d.time - origin)
        if held is None or origin is None:
            raise UnreadableError(self.media.path, "not one frame can be decoded")
        last = held.lasts or self.times.usual_gap
        if not last:
            last = 1 / self.header.rates[0] if self.header.rates else Fraction(1, 25)
        end = held.time + last
        frame = self._shown(held, origin, last)
        self._complete(origin, end)
        yield frame

    def _shown(self, d: Decoded, origin: Fraction, duration: Fraction) -> AvFrame:
        combed = self.combed or d.frame.interlaced_frame or self.fields.measured is True
        return AvFrame(
            d.frame,
            d.time - origin,
            duration,
            d.orientation or self._turns.of(d.frame),
            self.header.shape,
            self._scalers,
            combed and self.fields.measured is not False,
        )

    def _look(self, d: Decoded, time: Fraction) -> None:
        self.times.add(time)
        if d.frame.key_frame:
            self.keys.append(float(time))
        self.fields.frames += 1
        self.fields.flagged += d.frame.interlaced_frame
        self._orientation = d.orientation or self._turns.of(d.frame)
        size = (d.frame.width, d.frame.height)
        if self._size is not None and size != self._size:
            self._notes.append(
                f"picture size changes at {float(time):.3f} s: "
                f"{self._size[0]}x{self._size[1]} to {size[0]}x{size[1]}"
            )
            self._row = []
        self._size = size
        due = time >= self._next_look or len(self.times) <= FIRST_LOOKS
        self._looks += due
        fields = bool(self._row) or (due and self._asks_fields())
        if not due and not fields:
            return
        luma, black = raw_luma(d.frame, colour_of(d.frame), self._looker)
        if due:
            self.bars.see(luma, black)
            self._next_look = time + Fraction(1, LOOKS)
        if fields:
            self._row.append(luma)
            if len(self._row) == 3:
                self.fields.see(*self._row)
                self._row = self._row[1:] if len(self.times) <= FIRST_LOOKS else []

    def _asks_fields(self) -> bool:
        plain = self.fields.progressive == self.fields.votes and self.fields.seen >= SURE_LOOKS
        if plain and self._looks % SURE_EVERY:
            return False
        return self.fields.votes < ENOUGH_VOTES

    def _complete(self, origin: Fraction, end: Fraction) -> None:
        media, times = self.media, self.times
        media.damage, more = self._finish(origin, end)
        notes = [*self.header.notes, *self._notes, *more]
        media.frames = len(times)
        media.duration_s = float(end - origin)
        media.vfr = times.variable(forgiven=len(media.damage))
        media.fps = times.rate(self.header.rates, end - origin)
        media.interlaced = self.fields.interlaced
        shown = (media.display_width or 0, media.display_height or 0)
        media.bars = self.bars.shown(shown, self._orientation)
        if media.vfr and times.alternates():
            notes.append("film in a video rate: frames last two and three fields in turn")
        elif media.vfr:
            short, long = times.gaps
            notes.append(f"variable frame rate: frames last {short:.3f} to {long:.3f} s")
        notes += _field_notes(self.fields)
        media.notes = list(dict.fromkeys(notes))


def _field_notes(fields: FieldVotes) -> list[str]:
    if fields.interlaced:
        how = "" if fields.mostly_flagged else ", though not flagged so"
        return [f"interlaced{how}: combed parts are deinterlaced before measuring"]
    if fields.mostly_flagged:
        return ["flagged interlaced, but the pictures are progressive"]
    return []
