from __future__ import annotations

import socket

import numpy as np
import pytest
from text_pictures import ground, sampled, written

from triptych.measure import text_reading
from triptych.measure.text_models import LANGUAGES, TextModels
from triptych.measure.text_reading import Turn, overlap, read_text, turned_back


@pytest.fixture(scope="module")
def models() -> TextModels:
    return TextModels()


def test_reads_titles_of_four_percent_without_a_network(
    models: TextModels, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    picture = written(ground(1280, 720), ("Market Street 27", 40, (480, 640)))
    (frame,) = read_text(sampled([picture] * 4), TextModels()).read
    (line,) = frame.lines
    assert line.text == "Market Street 27"
    assert line.score > 0.9
    assert line.weakest > 0.5


def test_boxes_are_display_pixels_of_a_larger_video(models: TextModels) -> None:
    picture = written(ground(1920, 1080), ("VOLUME FOUR", 100, (600, 800)))
    (frame,) = read_text(sampled([picture]), models).read
    text = np.argwhere((picture == 255).all(axis=2))
    (y0, x0), (y1, x1) = text.min(axis=0), text.max(axis=0)
    drawn = (float(x0), float(y0), float(x1 - x0), float(y1 - y0))
    assert frame.lines[0].text.replace(" ", "") == "VOLUMEFOUR"
    assert overlap(frame.lines[0].box, drawn) > 0.6


def test_nothing_is_read_where_nothing_stands(models: TextModels) -> None:
    rng = np.random.default_rng(3)
    texture = rng.normal(128, 40, (360, 640, 3)).clip(0, 255).astype(np.uint8)
    assert all(not f.lines for f in read_text(sampled([texture] * 3), models).read)


@pytest.mark.parametrize("turn", [("horizontal", 0), ("none", 1), ("vertical", 3)])
def test_turned_pictures_are_read_turned_back(models: TextModels, turn: Turn) -> None:
    upright = written(ground(), ("Chapter Two", 50, (60, 40)))
    mirrored = {"horizontal": upright[:, ::-1], "vertical": upright[::-1]}.get(turn[0], upright)
    shown = np.ascontiguousarray(np.rot90(mirrored, -turn[1]))
    assert np.array_equal(turned_back(shown, turn), upright)
    (frame,) = read_text(sampled([shown]), models, lambda _: turn).read
    assert [x.text for x in frame.lines] == ["Chapter Two"]
    text = np.argwhere((shown > 250).all(axis=2))
    x, y, w, h = frame.lines[0].box
    centre = (text.min(axis=0) + text.max(axis=0)) / 2
    assert abs(x + w / 2 - centre[1]) < 12
    assert abs(y + h / 2 - centre[0]) < 12


def test_what_was_put_over_a_mirrored_picture_is_read_as_it_stands(models: TextModels) -> None:
    mirrored = np.ascontiguousarray(written(ground(), ("Chapter Two", 50, (60, 40)))[:, ::-1])
    both = written(mirrored, ("NEW SEASON", 40, (300, 280)))
    (frame,) = read_text(sampled([both]), models, lambda _: ("horizontal", 0)).read
    read = {x.text.replace(" ", ""): x.turn for x in frame.lines}
    assert read == {"ChapterTwo": ("horizontal", 0), "NEWSEASON": ("none", 0)}


def test_two_readings_are_the_same(models: TextModels) -> None:
    picture = written(ground(), ("Sunday 9 pm", 36, (100, 200)), ("exit", 20, (500, 30)))
    frames = sampled([picture])
    first = read_text(frames, models)
    text_reading.forget()  # or it would be told from memory
    assert read_text(frames, TextModels()) == first


def test_a_picture_is_read_once(models: TextModels, monkeypatch: pytest.MonkeyPatch) -> None:
    frames = sampled([written(ground(), ("Sunday 10 pm", 36, (100, 200)))])
    first = read_text(frames, models)
    monkeypatch.delattr(TextModels, "find")
    assert read_text(frames, models) == first
    with pytest.raises(AttributeError):  # turned otherwise it has to be looked at
        read_text(frames, models, lambda _: ("horizontal", 0))


def test_languages_are_those_whose_letters_the_reader_holds(models: TextModels) -> None:
    signs = set(models._signs)
    assert set("äéñøğåčßŵ中文のカΩ") <= signs
    assert not signs & set("жשع한ไ")
    assert {"en", "de", "zh", "ja"} <= LANGUAGES
    assert not {"ru", "ko", "ar", "he", "th", "hi"} & LANGUAGES
