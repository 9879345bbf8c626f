"""What is said of two transcripts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from triptych.diff.sound_speech import speech_finding
from triptych.measure.sound_compare import Stretch
from triptych.measure.speech import Transcript, Word


def heard(text: str, probability: float = 0.9) -> tuple[Word, ...]:
    return tuple(Word(w, 0.4 * i, 0.4 * i + 0.3, probability) for i, w in enumerate(text.split()))


def said(text: str, doubtful: str = "") -> Transcript:
    return Transcript(
        words=heard(text),
        language="en",
        language_probability=0.9,
        doubtful=heard(doubtful),
        doubt="the same words over and over" if doubtful else None,
    )


SPEECH = "we will meet on Tuesday at the railway station in the town"


def along(slope: float, distance: float) -> Stretch:
    d = np.full(80, distance, np.float32)
    return Stretch(0.0, 8.0, 0.0 if slope > 0 else 8.0, slope, 0.0, 0.9, d, 0 * d)


@pytest.mark.parametrize("other", [said(""), said(SPEECH), said("", "Thank you. Thank you.")])
def test_made_up_words_are_no_difference(other: Transcript) -> None:
    loop = said("", "1 2 3" + " 4" * 30)
    for pair in ((other, loop), (loop, other)):
        found = speech_finding(*pair, (), follows=False)
        assert found.relation == "unknown"
        assert "over and over" in found.statement and len(found.statement) < 300


def test_words_are_quoted_and_shortened() -> None:
    alone = speech_finding(said(""), said(SPEECH), (), follows=False)
    assert alone.relation == "different"
    assert alone.statement == (
        "B has speech (“we will meet on Tuesday at the railway station in the town”), A has none"
    )
    other = said("horses and sheep graze far away behind a hill " * 5)
    found = speech_finding(said(SPEECH), other, (), follows=False)
    assert found.relation == "different"
    assert "“we will meet on" in found.statement and "“horses and sheep" in found.statement
    assert "…" in found.statement


def test_an_uncertain_language_is_no_difference() -> None:
    foreign = replace(said("så er det nu vi ser det her igen"), language_probability=0.3)
    assert speech_finding(said(SPEECH), foreign, (), follows=False).relation == "unknown"


def test_sound_played_backwards_was_not_compared() -> None:
    found = speech_finding(said(SPEECH), said(""), [along(-1.0, 0.5)], follows=True)
    assert (found.relation, "backwards" in found.statement) == ("unknown", True)


def test_identical_sound_holds_the_same_words_whatever_was_read() -> None:
    found = speech_finding(said(SPEECH), said("we will"), [along(1.0, 0.5)], follows=True)
    assert found.relation == "same"


def test_what_cannot_be_heard_is_not_identical() -> None:
    assert along(1.0, 0.5).identical
    assert not along(1.0, float("nan")).identical


def test_one_word_is_not_words() -> None:
    one, more = said("hello"), said("hello there")
    assert speech_finding(one, one, (), follows=False).statement == "the same words (1 word heard)"
    copied = speech_finding(one, replace(one, same_as="A"), (), follows=True)
    assert copied.statement.startswith("the same 1 word:")
    copied = speech_finding(more, replace(more, same_as="A"), (), follows=True)
    assert copied.statement.startswith("the same 2 words:")
