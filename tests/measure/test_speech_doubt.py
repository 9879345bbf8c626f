"""Readings of nobody's speech, as recorded from the recogniser on music and kitchen noise."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from triptych.measure.speech_doubt import doubt, loops, most_tokens, windows


@dataclass
class Read:
    text: str
    avg_logprob: float = -0.3
    compression_ratio: float = 1.3
    no_speech_prob: float = 0.1
    seek: int = 0
    tokens: list[int] = field(default_factory=lambda: [1] * 10)


@pytest.mark.parametrize(
    ("window", "why"),
    [
        ([Read(" 1-2-3-4-4-4-4-4-4-4-4", -0.08, 13.1, 0.64)], "over and over"),
        ([Read(" na na na na", -0.2)], "over and over"),
        ([Read(" I see it. I see it. I see it. I see it.", -0.2)], "over and over"),
        ([Read(" Thank you.", -0.55), Read(" Thank you.", -0.55)], "same sentence"),
        ([Read(" Mm-hmm.", -0.93, 0.47, 0.62)], "nobody speaks"),
        ([Read(" it was said", -1.2)], "likely"),
        ([Read(" word", tokens=[1] * 40)], "more words"),
    ],
)
def test_made_up_words_are_doubted(window: list[Read], why: str) -> None:
    found = doubt(window, 40)
    assert found is not None and why in found


@pytest.mark.parametrize(
    "texts",
    [
        [" And so, my fellow Americans ask not what", " ask what you can do for your country."],
        [" Ever tried. Ever failed. No matter. Try again. Fail again. Fail better."],
        [" No. No. It was very, very good."],
    ],
)
def test_speech_is_not(texts: list[str]) -> None:
    assert doubt([Read(t, -0.37, 1.34, 0.2) for t in texts], 200) is None


def test_a_loop_is_four_in_a_row() -> None:
    assert loops(["again again", "again again"])
    assert not loops(["again again again"])
    assert loops(["one two three four " * 4])
    assert not loops(["one two three four " * 3])


def test_windows_are_told_apart_and_bounded() -> None:
    parts = [Read("a"), Read("b"), Read("c", seek=3000)]
    assert [[s.text for s in w] for w in windows(parts)] == [["a", "b"], ["c"]]
    assert most_tokens(5.6) == 91
    assert most_tokens(500) == most_tokens(30) == 224
