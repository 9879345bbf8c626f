"""Files to frames, sound and time."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from triptych.media.frame import I420, U8, Frame
from triptych.media.video import SoundBlock, Video
from triptych.record.errors import NotFoundError

__all__ = ["I420", "U8", "Frame", "SoundBlock", "Video", "open"]


def open(  # noqa: A001
    path: str | Path,
    *,
    stream: int | None = None,
    fps: float | Fraction | None = None,
    allow_url: bool = False,
    id: str = "A",  # noqa: A002
) -> Video:
    """Open a video."""
    from triptych.media.pyav_reader import AvVideo

    location = Path(path).absolute()
    if not location.exists():
        raise NotFoundError(str(path), "no such file")
    return AvVideo(str(path), str(location), id, stream)
