"""Getting at the pictures behind a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from triptych.media.frame import U8, Frame
from triptych.media.video import Video
from triptych.record.report import Media

#: Where each video's pictures come from, by its id; without an entry, the path in the report.
Sources = Mapping[str, Video | str | Path]
#: Called with what is being done and the share done, 0 to 1.
Progress = Callable[[str, float], None]


@contextmanager
def opened(media: Media, sources: Sources | None) -> Iterator[Video]:
    """The video behind ``media``; one that the caller opened is left open.

    Raises :class:`~triptych.record.errors.SourceError` where it cannot be had any more.
    """
    source = (sources or {}).get(media.id, media.path)
    if isinstance(source, str | Path):
        from triptych import media as reader

        with reader.open(source, id=media.id) as video:
            yield video
    else:
        yield source


def fitted(frame: Frame, width: int, height: int) -> U8:
    """``frame`` as RGB uint8 (height, width, 3): whole, centred on black where the shape differs.

    The shape only differs where a file changes its picture size midway.
    """
    picture = frame.rgb(max_side=max(width, height))
    h, w = picture.shape[:2]
    if (w, h) == (width, height):
        return picture
    scale = min(width / w, height / h)
    # Two pixels are rounding, not another shape.
    inner_w = width if abs(w * scale - width) <= 2 else max(1, round(w * scale))
    inner_h = height if abs(h * scale - height) <= 2 else max(1, round(h * scale))
    small = cv2.resize(picture, (inner_w, inner_h), interpolation=cv2.INTER_AREA)
    if (inner_w, inner_h) == (width, height):
        return np.asarray(small, np.uint8)
    canvas = np.zeros((height, width, 3), np.uint8)
    x, y = (width - inner_w) // 2, (height - inner_h) // 2
    canvas[y : y + inner_h, x : x + inner_w] = small
    return canvas


def even_size(width: int, height: int, area: float) -> tuple[int, int]:
    """The largest even (width, height) of that shape with at most ``area`` pixels, not enlarged."""
    scale = min(1.0, (area / (width * height)) ** 0.5)
    return max(2, 2 * round(width * scale / 2)), max(2, 2 * round(height * scale / 2))
