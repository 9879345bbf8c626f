"""One way in for every kind of source."""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from triptych.media.pyav_reader import THREADS, AvVideo
from triptych.media.source import Stamp, resolve, stamp_of
from triptych.media.video import Video

_STILL_HEADS = (b"GIF87a", b"GIF89a", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"II*\0", b"MM\0*")


def stamps(path: str | Path) -> tuple[Stamp | None, ...]:
    """What stays equal as long as the file under that name, or each of its images, is not changed.

    ``None`` stands for a file that is not to be had.
    """
    place = Path(os.path.abspath(path))  # noqa: PTH100 - as resolve() takes it
    if place.exists() and not place.is_dir():
        return (stamp_of(place),)
    from triptych.media.sequence import files_of

    try:
        return tuple(stamp_of(file) for file in files_of(place)[0])
    except OSError:
        return (None,)


def open(  # noqa: A001
    path: str | Path,
    *,
    stream: int | None = None,
    fps: float | Fraction | None = None,
    allow_url: bool = False,
    id: str = "A",  # noqa: A002
    threads: int = THREADS,
    progress: Callable[[int, int | None], None] | None = None,
) -> Video:
    """Open ``path``: a file, a folder of images, a pattern like ``shot_%04d.png``, ``-``, a URL.

    ``stream`` picks one of several video streams, counted from 0 with cover art left out.
    ``fps`` is the rate of an image sequence, 25 unless given. URLs are only fetched with
    ``allow_url``; ``progress`` is told the bytes so far and the whole size or ``None``. ``id``
    names the video in the report. ``threads`` decode in parallel; results do not depend on it.

    Raises a :class:`~triptych.record.errors.SourceError` with one line when it cannot be used.
    """
    name = os.fspath(path)
    found = resolve(name, allow_url=allow_url, progress=progress)
    # Pillow takes longer to load than many a video takes to open: only where there are pictures.
    if isinstance(found, Path):
        from triptych.media.sequence import SequenceVideo

        return SequenceVideo(name, found, id, fps)
    try:
        if looks_still(found.head(16), Path(found.location).suffix):
            from triptych.media.stills import StillsVideo

            return StillsVideo(found, id)
        return AvVideo(found, id, stream, threads)
    except BaseException:
        found.close()
        raise


def looks_still(head: bytes, suffix: str) -> bool:
    """Whether a file that starts with ``head`` is one for Pillow rather than a video."""
    if suffix.lower() in (".mjpeg", ".mjpg"):
        return False
    if head[:4] == b"RIFF":
        return head[8:12] == b"WEBP"
    if head[:2] == b"BM":
        return suffix.lower() in (".bmp", ".dib")
    return head.startswith(_STILL_HEADS)
