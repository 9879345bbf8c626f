"""Items of text at the moments that both videos show, and how far a reading can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from triptych.measure.text_check import NEAR, TextSide
from triptych.measure.text_picture import inverse
from triptych.measure.text_reading import Turn
from triptych.measure.text_sampling import STEP
from triptych.measure.text_tracking import TextItem
from triptych.measure.text_words import digits, fold, pattern, similarity
from triptych.measure.timemap import Piece

#: Seconds by which the moments of a text's coming and going may differ: looks are 0.5 s apart.
SLACK = 0.75
#: Seconds at the ends of a matched stretch that are not judged: cuts are placed no better.
EDGE = 0.3
#: Moments of an item at most that are held against the other side.
MOMENTS = 60


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of one side, the other side's time for it, and the other picture's turn."""

    time: float
    other: float
    turn: Turn


def steady(item: TextItem) -> bool:
    """Whether the reading can be trusted: seen twice or more alike, or long and sure."""
    letters = len(fold(item.text))
    if letters < 2 or not _plausible(item.text):
        return False
    if letters <= 3:
        return item.score >= 0.9 and item.count >= 3 and item.agree >= 0.6
    if item.count >= 2:
        return item.score >= 0.8 and item.agree >= 0.4
    return item.score >= 0.95 and letters >= 6


def plausible(item: TextItem) -> bool:
    """Whether ``item`` may well be text, though perhaps not as it was read."""
    return len(fold(item.text)) >= 3 and item.score >= 0.8 and _plausible(item.text)


def moments_of(item: TextItem, pieces: Sequence[Piece], *, forward: bool) -> list[Moment]:
    """Moments of ``item``, half a second apart or more, that both videos show."""
    length = item.end_s - item.start_s
    steps = max(min(round(length / STEP), MOMENTS), 1)
    times = (
        [item.start_s + length * i / steps for i in range(steps + 1)] if length else [item.start_s]
    )
    found = []
    for t in times:
        for p in pieces:
            low, high = _inside(p, forward=forward)
            if low <= t <= high:
                turn: Turn = (p.mirror, p.quarter_turns)
                mapped = p.to_b(t) if forward else p.to_a(t)
                found.append(Moment(t, mapped, turn if forward else inverse(turn)))
                break
    return found


def _inside(piece: Piece, *, forward: bool) -> tuple[float, float]:
    """The stretch of ``piece`` in the time of A, or of B, without its uncertain edges."""
    b_low, b_high = sorted((piece.b0, piece.b1))
    low, high = (piece.a0, piece.a1) if forward else (b_low, b_high)
    edge = min(EDGE, (high - low) / 4)
    # Where both videos begin there is no cut that could lie elsewhere.
    begins = piece.a0 < EDGE and b_low < EDGE and not piece.reverse
    return (low if begins else low + edge), high - edge


def stands(item: TextItem, time: float, side: TextSide) -> bool:
    """Whether ``item`` of ``side`` stands at ``time``, as far as looks every half second tell."""
    slack = max(SLACK, 1.5 * side.reading.frames.step)
    return item.start_s - slack <= time <= item.end_s + slack


def text_then(item: TextItem, time: float) -> str:
    """What ``item`` was read as nearest to ``time``."""
    return min(item.samples, key=lambda s: abs(s.time - time)).line.text


def alike(a: TextItem, b: TextItem) -> float:
    """Similarity of two texts, 0 to 1; of the letters only where one is a counter."""
    if a.changing or b.changing:
        return similarity(pattern(a.text), pattern(b.text))
    return similarity(fold(a.text), fold(b.text))


def _plausible(text: str) -> bool:
    """Mostly letters and digits: texture is read as a mixture of signs."""
    signs = [c for c in text if not c.isspace()]
    return sum(c.isalnum() for c in signs) >= 0.6 * len(signs)


def counter_verdict(
    item: TextItem, moments: list[Moment], other: TextSide
) -> Literal["same", "unsure"]:
    """Counters and timecodes agree where the other's values around each moment enclose theirs."""
    rivals = [
        o for o in other.items if similarity(pattern(item.text), pattern(o.text)) >= 1 - NEAR
        and any(stands(o, m.other, other) for m in moments)
    ]  # fmt: skip
    if not rivals:
        return "unsure"
    agree = checked = 0
    for s in item.samples:
        moment = min(moments, key=lambda m: abs(m.time - s.time))
        if abs(moment.time - s.time) > STEP:
            continue
        time = moment.other + (s.time - moment.time)
        around = [v for o in rivals for v in _values_around(o, time)]
        value = digits(s.line.text)
        if around and value:
            checked += 1
            agree += min(around) <= int(value) <= max(around)
    return "same" if checked and agree >= 0.5 * checked else "unsure"


def _values_around(item: TextItem, time: float) -> list[int]:
    before = [s for s in item.samples if s.time <= time][-2:]
    after = [s for s in item.samples if s.time >= time][:2]
    return [int(d) for s in before + after if (d := digits(s.line.text))]
