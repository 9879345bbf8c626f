"""Read the text of the frames that a :class:`TextSampler` kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from triptych.measure.remembered import Remembered
from triptych.measure.text_models import F32, Spot, TextModels
from triptych.measure.text_sampling import TextFrames
from triptych.measure.text_words import distance_within, fold
from triptych.measure.timemap import Mirror
from triptych.media.frame import U8

Box = tuple[float, float, float, float]
#: How a picture is turned (first mirrored, then quarter turns clockwise) at a moment.
Turn = tuple[Mirror, int]
UPRIGHT: Turn = ("none", 0)

#: Longest side of the picture in which text is looked for, pixels. At 640, titles of 4 % of the
#: height are found in 720p and 360p alike and one frame takes 0.12 s on one core; 960 takes 0.3 s.
FIND_SIDE = 640
#: A reading below this is noise.
LEAST_SCORE = 0.5
#: Mean probability of a line's signs, and the least of a letter, from which it stands upright. Of
#: 65 lines in 45 frames of five clips 95 % have 0.95 and 0.93 or more; mirrored, 1 % of 68 have
#: more than 0.94 and 0.84.
EASY_SCORE, EASY_LETTER = 0.97, 0.9
#: Seconds between frames that are read in any case; those between are read where the text differs.
COARSE_STEP = 1.0

#: Readings kept for when a video is compared again: an hour's, a few megabytes.
_MOST_READ = 4000


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text in one frame; ``box`` is x, y, w, h in display pixels.

    ``score`` is the mean probability of its signs, ``weakest`` the least of its letters.
    ``turn`` is how it stands in the frame: lines of a mirrored picture are read un-mirrored.
    """

    text: str
    score: float
    weakest: float
    box: Box
    turn: Turn = UPRIGHT


@dataclass(frozen=True, slots=True)
class FrameText:
    """What was read in kept picture ``index``, which shows the moment ``time``."""

    index: int
    time: float
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class TextReading:
    """All that was read, in order of time, and the frames it was read from."""

    frames: TextFrames
    read: tuple[FrameText, ...] = field(default=())


def read_text(
    frames: TextFrames,
    models: TextModels,
    turn_at: Callable[[float], Turn] | None = None,
    progress: Callable[[float], None] | None = None,
) -> TextReading:
    """Read ``frames``: about one a second, and every one where the text is not the same.

    ``turn_at`` says how the picture is turned at a time; there, text is read both turned back
    and as it stands (it may have been put over a mirrored picture). ``progress`` gets 0 to 1.
    """
    found: dict[int, FrameText] = {}
    coarse = _coarse(frames)

    def read(index: int) -> FrameText:
        if index not in found:
            time = frames.times[index]
            turn = turn_at(time) if turn_at is not None else UPRIGHT
            found[index] = FrameText(index, time, _read_frame(frames, index, models, turn))
            if progress is not None:
                progress(len(found) / max(len(frames.times), 1))
        return found[index]

    for index in coarse:
        read(index)
    for left, right in pairwise(coarse):
        _refine(left, right, read)
    return TextReading(frames, tuple(found[i] for i in sorted(found)))


@dataclass(frozen=True, slots=True)
class _Look:
    """Lines read in a picture. ``plain``: nothing stands there that was not read with ease."""

    lines: tuple[Line, ...]
    plain: bool


#: What was read in pictures lately.
_READ: Remembered[_Look] = Remembered(_MOST_READ)


def forget() -> None:
    """Read every picture anew from now on."""
    _READ.clear()


def read_picture(
    picture: U8, models: TextModels, scale: float, turn: Turn, side: int, threshold: float
) -> tuple[Line, ...]:
    """Lines in one picture whose pixels are ``scale`` display pixels apart.

    Of a picture that was read before, with the same arguments, what was read then.
    """
    return _look(picture, models, scale, turn, side, threshold).lines


def _look(
    picture: U8, models: TextModels, scale: float, turn: Turn, side: int, threshold: float
) -> _Look:
    settings = (scale, turn, side, threshold)
    return _READ.get(picture, settings, lambda: _read(picture, models, *settings))


def _read(
    picture: U8, models: TextModels, scale: float, turn: Turn, side: int, threshold: float
) -> _Look:
    straight = turned_back(picture, turn)
    lines = []
    plain = True
    for spot in models.find(straight, side, threshold):
        text, score, weakest = models.read(straight, spot)
        plain = plain and score >= EASY_SCORE and weakest >= EASY_LETTER
        if score >= LEAST_SCORE and fold(text):
            corners = _turned(spot.corners, straight.shape[1], straight.shape[0], turn)
            x, y, w, h = Spot(corners, spot.score).box
            box = (x / scale, y / scale, w / scale, h / scale)
            lines.append(Line(text, score, weakest, box, turn))
    return _Look(tuple(lines), plain)


def turned_back(picture: U8, turn: Turn) -> U8:
    """``picture`` as it was before it was mirrored and turned."""
    mirror, quarters = turn
    straight = np.rot90(picture, quarters % 4)  # rot90 turns anticlockwise
    if mirror == "horizontal":
        straight = straight[:, ::-1]
    elif mirror == "vertical":
        straight = straight[::-1]
    return np.ascontiguousarray(straight)


def _turned(corners: F32, width: int, height: int, turn: Turn) -> F32:
    """Points of a ``width`` x ``height`` picture after it is mirrored, then turned clockwise."""
    mirror, quarters = turn
    x, y = corners[:, 0], corners[:, 1]
    if mirror == "horizontal":
        x = width - 1 - x
    elif mirror == "vertical":
        y = height - 1 - y
    for _ in range(quarters % 4):
        x, y = height - 1 - y, x
        width, height = height, width
    return np.stack([x, y], axis=1).astype(np.float32)


def _read_frame(frames: TextFrames, index: int, models: TextModels, turn: Turn) -> tuple[Line, ...]:
    picture = frames.picture(index)
    seen = _look(picture, models, frames.scale, turn, FIND_SIDE, 0.5)
    # A word that stands the wrong way round is found all the same, but not read with ease. On its
    # side it may not be found.
    if turn == UPRIGHT or (seen.plain and (seen.lines or turn[1] % 2 == 0)):
        return seen.lines
    return _better(seen.lines, read_picture(picture, models, frames.scale, UPRIGHT, FIND_SIDE, 0.5))


def _better(one: tuple[Line, ...], other: tuple[Line, ...]) -> tuple[Line, ...]:
    """Of lines at the same place the one that reads better, all others as they are."""

    def weight(line: Line) -> float:
        return line.score**4 * len(fold(line.text))

    kept = []
    for line, rivals, least in [(x, other, 0.0) for x in one] + [(x, one, 1e-9) for x in other]:
        near = [r for r in rivals if overlap(line.box, r.box) > 0]
        if all(weight(line) >= weight(r) + least for r in near):
            kept.append(line)
    return tuple(kept)


def overlap(a: Box, b: Box) -> float:
    """Intersection over union of two boxes."""
    w = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    h = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    return w * h / (a[2] * a[3] + b[2] * b[3] - w * h)


def _coarse(frames: TextFrames) -> list[int]:
    chosen: list[int] = []
    for i, time in enumerate(frames.times):
        if not chosen or time - frames.times[chosen[-1]] >= COARSE_STEP * 0.999:
            chosen.append(i)
    if chosen and chosen[-1] != len(frames.times) - 1:
        chosen.append(len(frames.times) - 1)
    return chosen


def _refine(left: int, right: int, read: Callable[[int], FrameText]) -> None:
    """Read what lies between two frames, halving, until neighbours agree."""
    if right - left < 2 or _agree(read(left).lines, read(right).lines):
        return
    middle = (left + right) // 2
    read(middle)
    _refine(left, middle, read)
    _refine(middle, right, read)


def _agree(a: tuple[Line, ...], b: tuple[Line, ...]) -> bool:
    """Whether each line of one, short noise aside, is also read in the other."""
    for lines, others in ((a, b), (b, a)):
        whole = "".join(fold(x.text) for x in others)
        for line in lines:
            text = fold(line.text)
            if len(text) >= 3 and distance_within(text, whole) > 0.25 * len(text):
                return False
    return True
