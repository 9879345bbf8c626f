from __future__ import annotations

import numpy as np
import pytest

from triptych.measure.sound_compare import Stretch
from triptych.measure.speech import Word
from triptych.measure.speech_words import changes, normalise


def heard(text: str, probability: float = 0.95) -> list[Word]:
    return [Word(w, i * 0.4, i * 0.4 + 0.3, probability) for i, w in enumerate(text.split())]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Ask NOT, what… your “country”", "ask not what your country"),
        ("don’t stop - it's 1,250", "don't stop it's 1250"),
        ("twenty five or 25", "25 or 25"),
        ("in nineteen eighty four", "in 1984"),
        ("two thousand and one hundred six", "2000 and 106"),
        ("three hundred forty two thousand", "342000"),
        ("one two three", "123"),
        ("你好 世界", "你 好 世 界"),
        ("... —", ""),
    ],
)
def test_words_are_normalised(text: str, tokens: str) -> None:
    assert [t.text for t in normalise(heard(text))] == tokens.split()


def test_spelling_case_and_joined_words_are_no_change() -> None:
    a, b = normalise(heard("The rail way, at ten")), normalise(heard("the railway at 10"))
    assert changes(a, b, ()) == ([], 0.0)


def test_words_heard_without_assurance_do_not_count() -> None:
    a, b = normalise(heard("meet on Tuesday")), normalise(heard("meet on holiday", 0.3))
    found, rate = changes(a, b, ())
    assert not found
    assert rate == pytest.approx(1 / 3)


def test_a_change_has_its_words_and_times() -> None:
    a, b = normalise(heard("the red house stands")), normalise(heard("the green house stands"))
    ((change,), rate) = changes(a, b, ())
    assert (change.a, change.b) == ("red", "green")
    assert (change.start_a, change.end_b) == pytest.approx((0.4, 0.7))
    assert rate == 0.25


@pytest.mark.parametrize(
    ("distance", "lost", "listed", "sure"),
    [
        (0.5, 0.2, 0, 0),  # the same sound, heard otherwise
        (12.0, 0.1, 1, 0),  # something was laid over the word
        (7.0, 3.5, 1, 1),  # another word stands in its place
    ],
)
def test_the_sound_decides_about_a_word(
    distance: float, lost: float, listed: int, sure: int
) -> None:
    distances, losses = np.full((2, 60), 0.1, np.float32)
    distances[4:8], losses[4:8] = distance, lost
    stretch = Stretch(0.0, 6.0, 0.0, 1.0, 0.0, 0.9, distances, losses)
    a, b = normalise(heard("the red house stands")), normalise(heard("the green house stands"))
    found, _ = changes(a, b, [stretch])
    assert (len(found), sum(c.sure for c in found)) == (listed, sure)
