from __future__ import annotations

import pytest

from triptych.measure.text_words import (
    changed_words,
    distance,
    distance_within,
    fold,
    pattern,
    shortened,
    similarity,
    words,
)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [("kitten", "sitting", 3), ("flaw", "lawn", 2), ("", "abc", 3), ("same", "same", 0)],
)
def test_distance_is_levenshteins(a: str, b: str, expected: int) -> None:
    assert distance(a, b) == distance(b, a) == expected


def test_distance_within_takes_the_best_stretch() -> None:
    assert distance_within("lane", "a long lone road") == 1
    assert distance_within("road", "a long lone road") == 0
    assert distance_within("abc", "") == 3


def test_similarity_is_a_share_of_the_longer() -> None:
    assert similarity("abcd", "abcx") == pytest.approx(0.75)
    assert similarity("", "") == 1.0


def test_folding_drops_what_readings_confuse_and_keeps_digits() -> None:
    assert fold("Café  O1l!") == fold("CAFE 0IL")
    assert fold("SALE 20 %") != fold("SALE 30 %")
    assert fold("ＡＢＣ") == "abc"


def test_words_of_chinese_are_signs() -> None:
    assert words("新品 SALE上市 - 20 %") == ["新", "品", "SALE", "上", "市", "20"]


def test_pattern_forgets_the_numbers() -> None:
    assert pattern("Frame = 9") == pattern("Frame = 10")
    assert pattern("Frame 9") != pattern("Title 9")


def test_changed_words_counts_words() -> None:
    assert changed_words(["Hotel", "Post"], ["hotel", "Krone"]) == 1
    assert changed_words([], ["a", "b"]) == 2


def test_shortened_is_one_line() -> None:
    assert shortened("a\nb  c") == "a b c"
    assert len(shortened("x" * 100, 20)) == 20
