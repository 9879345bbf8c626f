from __future__ import annotations

import time

import pytest

from triptych.diff.caption import parse_caption

GOOD = """[Subject]
Similarities: Both show a man.
Differences:
- In Video A, he wears a red coat. In Video B, he wears a blue coat. (A 1.20 s; B 1.40 s)
- In Video A, one dog; in Video B, two dogs.

### 5. Motion
**Similarities:** none
**Differences:** In Video A, he walks. In Video B, he runs.
Playback Technique
Similarities: Both play at normal speed.
Differences: None.
"""


def test_the_form_that_is_asked_for() -> None:
    caption = parse_caption(GOOD)
    assert caption.fault is None
    assert [(c.dimension, c.different, c.text) for c in caption.claims] == [
        ("subject", False, "Both show a man."),
        ("subject", True, "A: he wears a red coat; B: he wears a blue coat"),
        ("subject", True, "A: one dog; B: two dogs"),
        ("motion", True, "A: he walks; B: he runs"),
        ("playback technique", False, "Both play at normal speed."),
    ]
    assert caption.claims[1].times == (("A", 1.2), ("B", 1.4))


def test_several_differences_on_one_line() -> None:
    text = (
        "Style\nDifferences: In Video A, red. In Video B, blue. In Video A, soft. In Video B, hard."
    )
    assert [c.text for c in parse_caption(text).claims] == ["A: red; B: blue", "A: soft; B: hard"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("I cannot help with that.", "not in the form"),
        ('{"similarities": []}', "not in the form"),
        ("[Style]\nDifferences:\n" + "- In Video A, a. In Video B, b and so on.\n" * 20, "repeats"),
        ("[Style]\nDifferences: " + "the sky is blue and then again " * 50, "repeats"),
    ],
)
def test_what_cannot_be_used_is_said(text: str, fault: str) -> None:
    caption = parse_caption(text)
    assert caption.fault is not None and fault in caption.fault
    assert not caption.claims


def test_nothing_to_tell_is_an_answer() -> None:
    caption = parse_caption("[Style]\nSimilarities: none\nDifferences: none\n")
    assert caption.fault is None and not caption.claims


@pytest.mark.parametrize(
    "line", ["( A 1 " * 15_000, "video A " * 8_000, "*" * 60_000, "no " * 20_000, "[" * 60_000]
)
def test_hostile_lines_take_no_time(line: str) -> None:
    started = time.process_time()
    parse_caption(f"[Style]\nDifferences: {line}")
    assert time.process_time() - started < 3
