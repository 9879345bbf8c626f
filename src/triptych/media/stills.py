"""GIF, APNG and animated WebP with their own delays, and single pictures, by Pillow."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from PIL import Image

from triptych.media.clock import Times
from triptych.media.damage import DamageLog
from triptych.media.one_pass import Decoded, Header, Pass
from triptych.media.orientation import UPRIGHT
from triptych.media.pictures import DAMAGE, PictureError, bits_of, frame_of, open_picture
from triptych.media.pyav_frame import AvFrame
from triptych.media.source import Source
from triptych.media.video import SoundBlock
from triptych.record.errors import UnreadableError
from triptych.record.report import Damage, Media

#: Delays up to this are shown as ``USUAL_MS``, as browsers do; 0 is what careless tools write.
LEAST_MS = 10
USUAL_MS = 100
#: A still picture is shown this long.
STILL_S = Fraction(1, 25)
#: Formats whose further pictures are frames in time, not pages or views.
_MOVING = ("GIF", "PNG", "WEBP")


class StillsVideo:
    """See :class:`~triptych.media.video.Video`; one file that Pillow reads."""

    def __init__(self, source: Source, id: str = "A") -> None:  # noqa: A002
        self.path = source.name
        self.times: Times | None = None
        self._source = source
        with self._open() as image:
            kind = (image.format or "").lower()
            try:
                first = frame_of(image)
            except PictureError as e:
                raise UnreadableError(self.path, str(e)) from e
            notes = [] if _numbers(image) else ["a still picture"]
            self.media = Media(
                id=id,
                path=source.name,
                container=kind,
                codec=kind,
                width=first.width,
                height=first.height,
                display_width=first.width,
                display_height=first.height,
                start_s=0.0,
                bit_depth=bits_of(image),
                interlaced=False,
                notes=notes,
            )
        self._header = Header(Fraction(1, 1000), [], None, list(notes))

    def _open(self) -> Image.Image:
        try:
            return open_picture(Path(self._source.location))
        except PictureError as e:
            raise UnreadableError(self.path, str(e)) from e

    def frames(self) -> Iterator[AvFrame]:
        """All frames in order; see :class:`~triptych.media.video.Video`."""
        self._source.check_unchanged()
        log = DamageLog()

        def finish(origin: Fraction, end: Fraction) -> tuple[list[Damage], list[str]]:
            self._source.check_unchanged()
            log.finish(end)
            return log.records(origin), []

        tour = Pass(self.media, self._header, finish)
        with self._open() as image:
            yield from tour.run(self._decoded(image, log))
        self.times = tour.times

    def _decoded(self, image: Image.Image, log: DamageLog) -> Iterator[Decoded]:
        numbers = _numbers(image)
        time = Fraction(0)
        for number in numbers or [0]:
            try:
                _go_to(image, number)
                frame = frame_of(image)
            except PictureError as e:
                log.hit(time, str(e))
                return
            lasts = _delay(image) if numbers else STILL_S
            yield Decoded(frame, time, lasts, UPRIGHT)
            time += lasts

    def sound(self, rate: int = 16000) -> Iterator[SoundBlock]:
        """Nothing: these files have no sound."""
        yield from ()

    def check_unchanged(self) -> None:
        """Raise ChangedError where the file is not what it was when it was opened."""
        self._source.check_unchanged()

    def close(self) -> None:
        """Remove a temporary copy."""
        self._source.close()

    def __enter__(self) -> StillsVideo:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _numbers(image: Image.Image) -> list[int]:
    """Which of the file's pictures are frames of its animation; none for a still picture."""
    count = int(getattr(image, "n_frames", 1))
    if image.format not in _MOVING or count < 2:
        return []
    # An APNG may carry a picture for programs that cannot play it, outside the animation.
    return list(range(1 if image.info.get("default_image") else 0, count))


def _go_to(image: Image.Image, number: int) -> None:
    try:
        image.seek(number)
    except DAMAGE as e:
        raise PictureError("ends early or is damaged") from e


def _delay(image: Image.Image) -> Fraction:
    """How long the current picture is shown, in seconds."""
    stated = image.info.get("duration") or 0
    try:
        ms = Fraction(stated).limit_denominator(1000)
    except (TypeError, ValueError, OverflowError):
        ms = Fraction(0)
    return (ms if ms > LEAST_MS else Fraction(USUAL_MS)) / 1000
