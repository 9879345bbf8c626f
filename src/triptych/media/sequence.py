"""A folder of pictures, or a numbered pattern, as a video of a given rate."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from PIL import Image

from triptych.media.clock import Times
from triptych.media.damage import DamageLog
from triptych.media.one_pass import Decoded, Header, Pass
from triptych.media.orientation import UPRIGHT
from triptych.media.pictures import (
    SUFFIXES,
    PictureError,
    bits_of,
    frame_of,
    open_picture,
)
from triptych.media.pyav_frame import AvFrame
from triptych.media.video import SoundBlock
from triptych.record.errors import (
    ChangedError,
    NoPictureError,
    NotFoundError,
    UnreadableError,
    UsageError,
    printable,
)
from triptych.record.report import Damage, Media

#: The rate of a sequence when none is given.
USUAL_FPS = Fraction(25)
_NUMBER = re.compile(r"%(?:0(\d+))?d")

Stamp = tuple[str, int, int]


def natural(name: str) -> tuple[object, ...]:
    """A sort key under which ``9.png`` comes before ``10.png``."""
    parts = re.split(r"(\d+)", name)
    return (*[int(p) if i % 2 else p.casefold() for i, p in enumerate(parts)], name)


def files_of(path: Path) -> tuple[list[Path], list[str]]:
    """The pictures that a folder or a pattern means, in order, and notes on them.

    A pattern holds one ``%d`` or ``%04d`` in its last part; numbering may start anywhere.
    Hidden files and whatever is not an ordinary file are left out.
    """
    if path.is_dir():
        names = [n for n in _names(path) if Path(n).suffix.lower() in SUFFIXES]
        return [path / n for n in sorted(names, key=natural)], []
    match = _NUMBER.search(path.name)
    if match is None or _NUMBER.search(path.name, match.end()):
        return [], []
    before = path.name[: match.start()].replace("%%", "%")
    after = path.name[match.end() :].replace("%%", "%")
    width = int(match[1] or 0)
    found: dict[int, str] = {}
    for name in _names(path.parent):
        digits = name[len(before) : len(name) - len(after)]
        fits = name == f"{before}{digits}{after}" and digits.isascii() and digits.isdigit()
        if fits and digits == f"{int(digits):0{width}d}":
            found[int(digits)] = name
    order = sorted(found)
    missing = order[-1] - order[0] + 1 - len(order) if order else 0
    notes = [f"missing from the sequence: {missing} numbers"] if missing else []
    return [path.parent / found[n] for n in order], notes


def _names(folder: Path) -> list[str]:
    with os.scandir(folder) as entries:
        return [e.name for e in entries if e.is_file() and not e.name.startswith(".")]


class SequenceVideo:
    """See :class:`~triptych.media.video.Video`; ``path`` is a folder or a pattern."""

    def __init__(
        self,
        name: str,
        path: Path,
        id: str = "A",  # noqa: A002
        fps: float | Fraction | None = None,
    ) -> None:
        self.path = name
        self.times: Times | None = None
        try:
            self._files, notes = files_of(path)
        except OSError as e:
            raise UnreadableError(name, f"cannot be read: {e.strerror}") from e
        if not self._files:
            if path.is_dir():
                raise NoPictureError(name, "is a folder without images")
            raise NotFoundError(name, "no such file, and no numbered images match it")
        self._rate = _rate(fps)
        if fps is None:
            notes.append(f"an image sequence, taken to be {USUAL_FPS} frames a second")
        self._stamps = self._now()
        self._header = Header(1 / self._rate, [self._rate], None, notes)
        self.media = Media(
            id=id,
            path=name,
            container="image sequence",
            fps=float(self._rate),
            frames=len(self._files),
            duration_s=float(len(self._files) / self._rate),
            vfr=False,
            interlaced=False,
            start_s=0.0,
            notes=list(notes),
        )
        self._fill()

    def _fill(self) -> None:
        """What the first picture that can be read says."""
        reason = ""
        for file in self._files:
            try:
                with _open(file) as image:
                    frame = frame_of(image)
                    self.media.codec = (image.format or "").lower()
                    self.media.bit_depth = bits_of(image)
            except PictureError as e:
                reason = reason or f"{printable(file.name)} {e}"
                continue
            self.media.width = self.media.display_width = frame.width
            self.media.height = self.media.display_height = frame.height
            return
        raise UnreadableError(self.path, f"not one image can be read: {reason}")

    def _now(self) -> list[Stamp]:
        stamps = []
        for file in self._files:
            try:
                s = file.stat()
                stamps.append((file.name, s.st_size, s.st_mtime_ns))
            except OSError:
                stamps.append((file.name, -1, -1))
        return stamps

    def check_unchanged(self) -> None:
        """Raise ChangedError where a picture is not what it was when all were looked up."""
        for before, now in zip(self._stamps, self._now(), strict=True):
            if before != now:
                raise ChangedError(
                    self.path, f"{printable(now[0])} changed while it was being read"
                )

    def frames(self) -> Iterator[AvFrame]:
        """All pictures in order; see :class:`~triptych.media.video.Video`."""
        self.check_unchanged()
        log = DamageLog()

        def finish(origin: Fraction, end: Fraction) -> tuple[list[Damage], list[str]]:
            self.check_unchanged()
            return log.records(origin), []

        tour = Pass(self.media, self._header, finish)
        yield from tour.run(self._decoded(log))
        self.times = tour.times

    def _decoded(self, log: DamageLog) -> Iterator[Decoded]:
        lasts = 1 / self._rate
        for number, file in enumerate(self._files):
            time = number * lasts
            try:
                with _open(file) as image:
                    frame = frame_of(image)
            except PictureError as e:
                log.add(time, time + lasts, f"{printable(file.name)} {e}")
                continue
            yield Decoded(frame, time, lasts, UPRIGHT)

    def sound(self, rate: int = 16000) -> Iterator[SoundBlock]:
        """Nothing: pictures have no sound."""
        yield from ()

    def close(self) -> None:
        """Nothing is held open between passes."""

    def __enter__(self) -> SequenceVideo:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _open(file: Path) -> Image.Image:
    """``file`` as a picture; something that is no ordinary file would hang the reader."""
    try:
        found = file.stat()
    except OSError as e:
        raise PictureError(e.strerror or "cannot be read") from e
    if not stat.S_ISREG(found.st_mode):
        raise PictureError("is not an ordinary file")
    if found.st_size == 0:  # to read it could wait for ever, see source.resolve
        raise PictureError("is empty")
    return open_picture(file)


def _rate(fps: float | Fraction | None) -> Fraction:
    if fps is None:
        return USUAL_FPS
    if not 0 < fps <= 1000:
        raise UsageError(f"{fps} frames a second is out of range: give more than 0, at most 1000")
    rate = Fraction(fps).limit_denominator(100000)
    # 29.97 and its kin mean the broadcast rates.
    broadcast = Fraction(round(rate * Fraction(1001, 1000)) * 1000, 1001)
    return broadcast if abs(broadcast - rate) < Fraction(1, 200) and rate % 1 else rate
