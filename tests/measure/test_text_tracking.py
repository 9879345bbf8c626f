from __future__ import annotations

from dataclasses import replace

from triptych.measure.text_reading import FrameText, Line, TextReading
from triptych.measure.text_sampling import TextFrames
from triptych.measure.text_tracking import track_text

BOX = (100.0, 300.0, 200.0, 30.0)


def reading(*texts: str | None, score: float = 0.95) -> TextReading:
    """One reading each half second of one line at one place."""
    times = [0.5 * i for i in range(len(texts))]
    frames = TextFrames(
        times,
        [b""] * len(times),
        list(zip(times, range(len(times)), strict=True)),
        640,
        360,
        1.0,
        0.5,
    )
    read = [
        FrameText(i, t, () if text is None else (Line(text, score, score, BOX),))
        for i, (t, text) in enumerate(zip(times, texts, strict=True))
    ]
    return TextReading(frames, tuple(read))


def test_a_slip_of_the_reader_is_outvoted() -> None:
    (item,) = track_text(reading("Hotel Post", "Hotel Pest", "Hotel Post", "Hotel Post"))
    assert item.text == "Hotel Post"
    assert (item.start_s, item.end_s, item.count) == (0.0, 1.5, 4)
    assert item.agree == 0.75


def test_a_counter_is_one_item() -> None:
    (item,) = track_text(reading("Frame = 1", "Frame = 6", "Frame = 11", "Frame = 16"))
    assert item.changing
    assert [s.line.text for s in item.samples] == [
        "Frame = 1",
        "Frame = 6",
        "Frame = 11",
        "Frame = 16",
    ]


def test_a_text_that_changes_once_is_two_items() -> None:
    items = track_text(reading(*["SALE 20 %"] * 3, *["SALE 30 %"] * 3))
    assert [(i.text, i.start_s, i.end_s) for i in items] == [
        ("SALE 20 %", 0.0, 1.0),
        ("SALE 30 %", 1.5, 2.5),
    ]


def test_subtitles_follow_each_other_at_one_place() -> None:
    items = track_text(
        reading("Where are you?", "Where are you?", "In the garden", "In the garden")
    )
    assert [i.text for i in items] == ["Where are you?", "In the garden"]


def test_a_moment_unread_does_not_end_an_item_but_three_seconds_do() -> None:
    assert len(track_text(reading("EXIT NORTH", None, "EXIT NORTH"))) == 1
    assert len(track_text(reading("EXIT NORTH", *[None] * 6, "EXIT NORTH"))) == 2


def test_pictures_passed_over_between_equal_readings_do_not_end_an_item() -> None:
    whole = reading(*["EXIT NORTH"] * 9)
    sparse = TextReading(whole.frames, (whole.read[0], whole.read[8]))
    (item,) = track_text(sparse)
    assert (item.start_s, item.end_s, item.count) == (0.0, 4.0, 9)


def test_a_stretch_without_any_text_ends_an_item() -> None:
    whole = reading(*["EXIT NORTH"] * 9)
    looks = [(t, i if t < 1 or t > 3.5 else -1) for t, i in whole.frames.looks]
    dark = TextReading(replace(whole.frames, looks=looks), (whole.read[0], whole.read[8]))
    assert [(i.start_s, i.end_s) for i in track_text(dark)] == [(0.0, 0.5), (4.0, 4.0)]


def test_moments_whose_picture_was_thinned_out_do_not_extend_a_text() -> None:
    whole = reading("Hotel Post", "Hotel Post", "Hotel Post")
    looks = [*whole.frames.looks, (1.5, 2), (2.0, -2), (2.5, -2)]
    (item,) = track_text(replace(whole, frames=replace(whole.frames, looks=looks)))
    assert (item.start_s, item.end_s, item.count) == (0.0, 1.5, 4)
