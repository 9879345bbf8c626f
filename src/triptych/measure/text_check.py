"""Look again: is a text that one side reads really not in the other side's picture?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from triptych.measure.text_models import Spot, TextModels
from triptych.measure.text_picture import Likeness, likeness, mapped_box
from triptych.measure.text_reading import (
    UPRIGHT,
    Box,
    Line,
    TextReading,
    Turn,
    read_picture,
    turned_back,
)
from triptych.measure.text_tracking import TextItem
from triptych.measure.text_words import distance_within, fold
from triptych.media.frame import U8

#: Second looks are sharper: more pixels and fainter boxes than the first reading.
SECOND_SIDE, SECOND_THRESHOLD = 960, 0.3
#: Pictures of a line at least so alike show the same text, whatever was read. skv_bikes with three
#: overlays: the same text re-encoded or mirrored 0.89 to 0.98 and 0.84 to 0.96 (small text and
#: half size down to 0.6); with one digit changed 0.92 and at most 0.74.
SAME_WHOLE, SAME_LEAST = 0.85, 0.8
#: After blurring, so alike pictures hold something like the text: it may only be unreadable. Same
#: clips: 0.86 and above under CRF 33, half size, blur and noise; without the text at most 0.68.
SAME_COARSE = 0.85
#: Share of signs that may differ where two readings may be of one text.
NEAR = 0.34


@dataclass(frozen=True, slots=True)
class TextSide:
    """One video's text. ``content``: x, y, w, h of its picture without bars, display pixels."""

    reading: TextReading
    items: list[TextItem]
    content: Box


@dataclass(frozen=True, slots=True)
class Sighting:
    """What a second look found: the text, something like it, nothing, or nothing to look at."""

    kind: Literal["same", "alike", "absent", "unseen"]
    alike: Likeness | None = None


@dataclass(slots=True)
class SecondLook:
    """Second looks at kept pictures, each read once. Not for several threads."""

    models: TextModels
    _lines: dict[tuple[int, int, Turn], tuple[Line, ...]] = field(default_factory=dict)

    def at(
        self, item: TextItem, own: TextSide, own_index: int, other: TextSide, index: int, turn: Turn
    ) -> Sighting:
        """Whether ``item``, seen in ``own``'s picture, is in ``other``'s picture ``index``.

        ``turn`` is how the other picture is turned against its own; indices as of
        :meth:`TextFrames.shown_at`.
        """
        if index == -1:
            return Sighting("absent")
        if index < 0 or own_index < 0:
            return Sighting("unseen")
        mine, theirs = own.reading.frames, other.reading.frames
        picture = theirs.picture(index)
        place = mapped_box(item.box, own.content, other.content, turn)
        found = likeness(
            mine.picture(own_index),
            _scaled(item.box, mine.scale),
            picture,
            _scaled(place, theirs.scale),
            turn,
        )
        if found.whole >= SAME_WHOLE and found.least >= SAME_LEAST:
            return Sighting("same", found)
        wanted = fold(item.text)
        read = [self._read_at(picture, place, theirs.scale, t) for t in {turn, UPRIGHT}]
        for turned in sorted({turn, UPRIGHT}):
            lines = self._read(other, index, turned)
            read += [fold(x.text) for x in lines]
            read.append("".join(fold(x.text) for x in lines))
        error = min((distance_within(wanted, r) for r in read if r), default=len(wanted))
        if error == 0:
            return Sighting("same", found)
        if error <= NEAR * len(wanted) or found.coarse >= SAME_COARSE:
            return Sighting("alike", found)
        return Sighting("absent", found)

    def pictures(
        self,
        item: TextItem,
        own: TextSide,
        own_index: int,
        other: TextSide,
        index: int,
        turn: Turn,
        place: Box,
    ) -> Likeness | None:
        """How alike the two pictures of the text are, with the other's own place of it."""
        if index < 0 or own_index < 0:
            return None
        mine, theirs = own.reading.frames, other.reading.frames
        return likeness(
            mine.picture(own_index),
            _scaled(item.box, mine.scale),
            theirs.picture(index),
            _scaled(place, theirs.scale),
            turn,
        )

    def _read(self, side: TextSide, index: int, turn: Turn) -> tuple[Line, ...]:
        key = (id(side), index, turn)
        if key not in self._lines:
            frames = side.reading.frames
            picture = frames.picture(index)
            self._lines[key] = read_picture(
                picture, self.models, frames.scale, turn, SECOND_SIDE, SECOND_THRESHOLD
            )
        return self._lines[key]

    def _read_at(self, picture: U8, place: Box, scale: float, turn: Turn) -> str:
        """What stands at ``place`` without looking for where text begins and ends."""
        height, width = picture.shape[:2]
        x, y, w, h = _scaled(place, scale)
        x0, y0 = max(x, 0.0), max(y, 0.0)
        x1, y1 = min(x + w, width - 1.0), min(y + h, height - 1.0)
        if x1 - x0 < 8 or y1 - y0 < 6:
            return ""
        part = turned_back(picture[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1], turn)
        h2, w2 = part.shape[:2]
        corners = np.array([[0, 0], [w2, 0], [w2, h2], [0, h2]], np.float32)
        text, score, _ = self.models.read(part, Spot(corners, 1.0))
        return fold(text) if score >= 0.6 else ""


def _scaled(box: Box, scale: float) -> Box:
    return box[0] * scale, box[1] * scale, box[2] * scale, box[3] * scale
