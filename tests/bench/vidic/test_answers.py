"""What counts as a judge's answer."""

from __future__ import annotations

import pytest

from triptych.bench.vidic.answers import read_one, read_several


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"answer": "yes", "explanation": "so"}', "yes"),
        ('{"answer": "No"}', "no"),
        ('Sure:\n```json\n{"answer": "no", "explanation": "yes was asked"}\n```\nyes', "no"),
        ('```\n{"answer": "yes"}\n```', "yes"),
        ('I think {"answer": "yes", "explanation": "{x}"} is right', "yes"),
        ("Answer: yes. No doubt about it.", "yes"),
        ("**answer**: No", "no"),
        ("Yes, it says so.", "yes"),
        ("", None),
        ("   ", None),
        ("It depends.", None),
        ("Yes and no.", None),
        ('{"answer": "yes/no"}', None),
        ('{"answer": "unsure"}', None),
        ('{"explanation": "yes"}', None),
        ('{"answer": ["yes"]}', None),
        ("[" * 5000, None),
        ("nobody knows yesterday", None),
    ],
)
def test_one(text: str, answer: str | None) -> None:
    said, _, failed = read_one(text)
    assert said == answer
    assert (failed is None) == (answer is not None)


def test_several() -> None:
    text = '{"1": {"answer": "yes", "explanation": "a"}, "3": "no", "2": {"answer": "?"}}'
    found = read_several(text, 4)
    assert [a for a, _, _ in found] == ["yes", None, "no", None]
    assert found[3][2] == "no answer to number 4"
    assert [a for a, _, _ in read_several("yes, no", 2)] == [None, None]


def test_what_is_shown_cannot_steer_a_terminal() -> None:
    _, why, failed = read_one("\x1b[31mmaybe")
    assert "\x1b" not in f"{why}{failed}"
