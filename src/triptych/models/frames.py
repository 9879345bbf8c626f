"""Frames for models: cut once a video, kept by its content, shared by all models and runs."""

from __future__ import annotations

import hashlib
import io
import json
import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from triptych import media
from triptych.models.protocols import Clip, Part, Picture, Text
from triptych.record.errors import UnreadableError, UsageError
from triptych.record.files import make_folder, write_bytes, write_text

#: Raise it when a frame is cut otherwise.
VERSION = 1
JPEG_QUALITY = 88
#: The longest side of a frame in pixels, or its exact width and height; ``None`` is as shown.
Size = int | tuple[int, int] | None
#: Files of at most so many bytes are sent whole.
MOST_VIDEO_BYTES = 64_000_000


class Change(Protocol):
    """What is done to a frame before it is scaled; ``name`` tells it from any other change."""

    @property
    def name(self) -> str:
        """See above."""
        ...

    def __call__(self, rgb: media.U8, time_s: Fraction) -> media.U8:
        """``rgb``, uint8 (h, w, 3) at the video's own size, of the frame that begins then."""
        ...


def uniform_times(
    duration_s: float, count: int | None = None, fps: float | None = None, most: int = 256
) -> list[float]:
    """Seconds of ``count`` frames, each in the middle of its share, or of ``fps`` a second.

    At most ``most``: a long video gets fewer a second. Raises UsageError for senseless numbers.
    """
    if count is not None and count < 1:
        raise UsageError(f"--frames: {count} makes no sense here; give 1 or more")
    if fps is not None and not (math.isfinite(fps) and fps > 0):
        raise UsageError(f"--fps: {fps} makes no sense here; give frames a second")
    if fps is not None:
        count = min(most, max(1, math.ceil(duration_s * fps)))
        step = max(1 / fps, duration_s / count)
        return [i * step for i in range(count)]
    count = min(most, count or 16)
    return [(i + 0.5) * duration_s / count for i in range(count)]


def video_digest(path: str | Path) -> str:
    """SHA-256 over a file's bytes, or over the names and bytes of a folder of images."""
    place = Path(path)
    digest = hashlib.sha256()
    try:
        if place.is_dir():
            for file in sorted(p for p in place.iterdir() if p.is_file()):
                digest.update(file.name.encode("utf-8", "surrogateescape") + b"\0")
                digest.update(hashlib.sha256(file.read_bytes()).digest())
            return digest.hexdigest()
        with place.open("rb") as file_:
            return hashlib.file_digest(file_, "sha256").hexdigest()
    except OSError as e:
        raise UnreadableError(str(path), f"cannot be read: {e.strerror or e}") from e


class FrameStore:
    """JPEG files in ``folder``, by the content of the video they are from."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        #: How many videos had to be decoded.
        self.decoded = 0

    def cut(
        self, path: str | Path, video: str, times: Sequence[float], size: Size = None,
        change: Change | None = None,
    ) -> list[Picture]:  # fmt: skip
        """The frames on screen at ``times`` (seconds, rising), each once, with their exact times.

        ``video`` is what it is called in the conversation; each frame goes through ``change``
        where there is one. Raises a
        :class:`~triptych.record.errors.SourceError` where it cannot be read.
        """
        home = self.folder / f"v{VERSION}" / video_digest(path)
        asked = [round(max(0.0, t), 6) for t in times]
        plan = json.dumps([asked, size] if change is None else [asked, size, change.name])
        index = home / f"{hashlib.sha256(plan.encode()).hexdigest()[:32]}.json"
        found = _read(index, home, video)
        if found is None:
            self._decode(path, asked, size, change, home, index)
            found = _read(index, home, video)
        if not found:
            raise UnreadableError(str(path), "not one frame of it can be read")
        return found

    def _decode(
        self, path: str | Path, times: Sequence[float], size: Size, change: Change | None,
        home: Path, index: Path,
    ) -> None:  # fmt: skip
        self.decoded += 1
        make_folder(home)
        rows: dict[int, list[Any]] = {}
        with media.open(path) as source:
            for _, frame in media.frames_at(source, times):
                at = round(float(frame.time) * 1e6)
                if at in rows:
                    continue
                data, width, height = _jpeg(frame, size, change)
                digest = hashlib.sha256(data).hexdigest()
                write_bytes(home / f"{digest}.jpg", data)
                rows[at] = [at / 1e6, digest, width, height]
        write_text(index, json.dumps(list(rows.values())))


def whole(path: str | Path, video: str, fps: float | None = None) -> Clip:
    """The video file at ``path`` to be sent as it is; UnreadableError where it is too big."""
    place = Path(path)
    with media.open(path) as source:
        known = source.media
    if not place.is_file() or place.stat().st_size > MOST_VIDEO_BYTES:
        limit = f"{MOST_VIDEO_BYTES // 1_000_000} MB"
        raise UnreadableError(
            str(path), f"is no file of at most {limit}, and cannot be sent whole", "send frames"
        )
    return Clip(
        place,
        video_digest(path),
        video,
        known.duration_s or 0.0,
        known.display_width or 0,
        known.display_height or 0,
        fps,
    )


def shown(pictures: Sequence[Picture]) -> list[Part]:
    """Each picture behind a line that says which video it is of and when it is on screen."""
    parts: list[Part] = []
    for p in pictures:
        parts += [Text(f"Video {p.video} at {p.time_s:.2f} s:"), p]
    return parts


def _jpeg(frame: media.Frame, size: Size, change: Change | None) -> tuple[bytes, int, int]:
    from PIL import Image

    most = size if isinstance(size, int) else None
    if change is None:
        picture = Image.fromarray(frame.rgb(max_side=most))
    else:
        picture = Image.fromarray(_fitted(change(frame.rgb(), frame.time), most))
    if isinstance(size, tuple):
        picture = picture.resize(size, Image.Resampling.LANCZOS)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=JPEG_QUALITY)
    return out.getvalue(), picture.width, picture.height


def _fitted(rgb: media.U8, most: int | None) -> media.U8:
    """``rgb`` scaled down by area, as frames scale themselves."""
    import cv2

    height, width = rgb.shape[:2]
    if most is None or max(height, width) <= most:
        return rgb
    scale = most / max(height, width)
    shape = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(cv2.resize(rgb, shape, interpolation=cv2.INTER_AREA), np.uint8)


def _read(index: Path, home: Path, video: str) -> list[Picture] | None:
    """The pictures that ``index`` lists, or ``None`` where one is missing."""
    try:
        rows = json.loads(index.read_text(encoding="utf-8"))
        pictures = [
            Picture(home / f"{digest}.jpg", digest, video, time_s, width, height)
            for time_s, digest, width, height in rows
        ]
    except (OSError, ValueError, TypeError):
        return None
    return pictures if all(p.path.is_file() for p in pictures) else None
