"""Texts drawn into pictures, sampled, read, tracked and compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from text_pictures import ground, sampled, written

from triptych.measure.text_check import SecondLook, TextSide
from triptych.measure.text_compare import TextComparison, compare_text
from triptych.measure.text_models import TextModels
from triptych.measure.text_reading import TextReading, Turn, read_text
from triptych.measure.text_tracking import track_text
from triptych.measure.timemap import Piece, TimeMap
from triptych.media.frame import U8

SALE = ("SALE 20 %", 60, (60, 60))
HOTEL = ("Hotel Post since 1898", 30, (250, 300))


@pytest.fixture(scope="module")
def models() -> TextModels:
    return TextModels()


def side(models: TextModels, pictures: Sequence[U8], turn: Turn = ("none", 0)) -> TextSide:
    reading = read_text(sampled(pictures), models, lambda _: turn)
    height, width = pictures[0].shape[:2]
    return TextSide(reading, track_text(reading), (0.0, 0.0, float(width), float(height)))


def compared(models: TextModels, a: TextSide, b: TextSide, *pieces: Piece) -> TextComparison:
    whole = pieces or (Piece(0.0, 100.0, 0.0, 1.0),)
    return compare_text(a, b, TimeMap(whole), SecondLook(models))


def told(result: TextComparison) -> list[tuple[str, str | None, str | None]]:
    def text(item: object) -> str | None:
        return None if item is None else str(item.text).replace(" ", "")  # type: ignore[attr-defined]

    return [(d.kind, text(d.a), text(d.b)) for d in result.different]


@pytest.fixture(scope="module")
def original(models: TextModels) -> TextSide:
    return side(models, [written(ground(), SALE, HOTEL)] * 12)


def test_a_digit_and_a_word_are_changes(models: TextModels, original: TextSide) -> None:
    other = written(ground(), ("SALE 30 %", *SALE[1:]), ("Hotel Krone since 1898", *HOTEL[1:]))
    assert told(compared(models, original, side(models, [other] * 12))) == [
        ("changed", "HotelPostsince1898", "HotelKronesince1898"),
        ("changed", "SALE20%", "SALE30%"),
    ]


def test_what_is_gone_is_removed_and_the_other_way_round_added(
    models: TextModels, original: TextSide
) -> None:
    less = side(models, [written(ground(), SALE)] * 12)
    assert told(compared(models, original, less)) == [("removed", "HotelPostsince1898", None)]
    (gain,) = compared(models, less, original).different
    assert (gain.kind, gain.when_b) == ("added", (0.0, 2.5))


def test_a_worse_picture_or_another_place_is_no_difference(
    models: TextModels, original: TextSide
) -> None:
    small = cv2.resize(written(ground(), SALE, HOTEL), (320, 180), interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 30])
    coarse = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    moved = written(ground(), (SALE[0], 60, (300, 200)), (HOTEL[0], 30, (20, 20)))
    for pictures in ([coarse] * 12, [moved] * 12):
        result = compared(models, original, side(models, pictures))
        assert not result.different
        assert result.same


def test_a_mirrored_video_has_the_same_text(models: TextModels, original: TextSide) -> None:
    mirrored = np.ascontiguousarray(written(ground(), SALE, HOTEL)[:, ::-1])
    turn: Turn = ("horizontal", 0)
    piece = Piece(0.0, 3.0, 0.0, 1.0, "horizontal")
    result = compared(models, original, side(models, [mirrored] * 12, turn), piece)
    assert not result.different
    assert len(result.same) == 2
    over = written(mirrored, ("NEW SEASON", 40, (60, 170)))
    result = compared(models, original, side(models, [over] * 12, turn), piece)
    assert told(result) == [("added", None, "NEWSEASON")]


def test_a_misreading_of_the_same_picture_is_no_difference(
    models: TextModels, original: TextSide
) -> None:
    """One side's reader slips in every frame, surely and alike: the picture says otherwise."""
    misread = tuple(
        replace(
            frame,
            lines=tuple(replace(x, text=x.text.replace("20", "28")) for x in frame.lines),
        )
        for frame in original.reading.read
    )
    reading = TextReading(original.reading.frames, misread)
    slipped = replace(original, reading=reading, items=track_text(reading))
    assert any("28" in i.text for i in slipped.items)
    assert not compared(models, original, slipped).different


def test_the_same_slip_on_both_sides_does_not_hide_a_change(
    models: TextModels, original: TextSide
) -> None:
    other = side(models, [written(ground(), ("SALE 30 %", *SALE[1:]), HOTEL)] * 12)

    def with_slip(of: TextSide) -> TextSide:
        items = []
        for item in of.items:
            first = item.samples[0]
            slip = replace(first.line, text=item.text.replace("20", "0").replace("30", "0"))
            samples = (replace(first, line=slip), *item.samples)
            items.append(replace(item, samples=samples))
        return replace(of, items=items)

    assert told(compared(models, with_slip(original), with_slip(other))) == [
        ("changed", "SALE20%", "SALE30%")
    ]


def test_text_outside_what_both_show_is_left_to_timing(models: TextModels) -> None:
    plain, titled = ground(), written(ground(), SALE)
    a = side(models, [plain] * 8 + [titled] * 12)
    b = side(models, [plain] * 8)
    cut = compared(models, a, b, Piece(0.0, 2.0, 0.0, 1.0))
    assert not cut.different
    assert [i.text.replace(" ", "") for i in cut.outside] == ["SALE20%"]
    assert told(compared(models, a, side(models, [plain] * 20))) == [("removed", "SALE20%", None)]


def test_a_counter_at_another_speed_is_the_same_counter(models: TextModels) -> None:
    def counter(step: int, n: int) -> list[U8]:
        return [written(ground(), (f"Frame {100 + step * i}", 50, (60, 60))) for i in range(n)]

    a, b = side(models, counter(1, 16)), side(models, counter(2, 8))
    result = compared(models, a, b, Piece(0.0, 4.0, 0.0, 0.5))
    assert not result.different
    assert result.same[0][0].changing


def test_unrelated_videos_are_compared_without_time(models: TextModels, original: TextSide) -> None:
    other = side(models, [written(ground(), HOTEL, ("EXIT NORTH", 50, (60, 60)))] * 8)
    result = compare_text(original, other, TimeMap(), SecondLook(models))
    assert told(result) == [("removed", "SALE20%", None), ("added", None, "EXITNORTH")]


def test_a_text_that_reads_otherwise_is_paired_with_what_stands_in_its_place(
    models: TextModels,
) -> None:
    rest = (("Invoices", 30, (20, 60)), ("Payments", 30, (20, 110)))
    sides = [
        side(models, [written(ground(), *rest, (button, 30, (400, 280)))] * 8)
        for button in ("Send invoice", "Send receipt", "Print")
    ]
    result = compared(models, sides[0], sides[1])
    assert told(result) == [("changed", "Sendinvoice", "Sendreceipt")]
    assert told(compared(models, sides[0], sides[2])) == [("changed", "Sendinvoice", "Print")]


def test_like_texts_of_unrelated_videos_are_not_the_same(
    models: TextModels, original: TextSide
) -> None:
    def against(text: str) -> TextComparison:
        other = side(models, [written(ground(), HOTEL, (text, *SALE[1:]))] * 8)
        return compare_text(original, other, TimeMap(), SecondLook(models))

    assert not against(SALE[0]).different
    assert told(against("SALE 30 %")) == [("changed", "SALE20%", "SALE30%")]
    doubtful = replace(
        original, items=[replace(i, weakest=0.5, text=i.text[:-3] + "7") for i in original.items]
    )
    result = compare_text(original, doubtful, TimeMap(), SecondLook(models))
    assert not result.different and not result.same
    assert len(result.unsure) == 4
