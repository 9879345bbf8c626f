"""Scores as JSON."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from triptych.record.scores import Score, Scores, dumps, loads


def test_there_and_back() -> None:
    scores = Scores(
        bench="edits", model="measured", judge="facts", n=2, failed=1, seconds=1.23456789,
        scores={"recall/all": Score(value=50, lo=0, hi=100, n=2), "speed": Score(reason="none")},
    )  # fmt: skip
    data = json.loads(dumps(scores))
    assert list(data) == [
        "schema", "bench", "model", "judge", "n", "failed", "scores", "cost", "seconds",
        "labels",
    ]  # fmt: skip
    assert data["schema"] == "triptych.scores/1"
    assert data["scores"]["speed"] == {
        "value": None, "lo": None, "hi": None, "n": 0, "reason": "none",
    }  # fmt: skip
    assert (data["cost"], data["seconds"]) == (None, 1.234568)
    assert loads(dumps(scores)) == scores
    assert (scores.labelled, data["labels"]) == ("measured", [])
    assert scores.model_copy(update={"labels": ["assisted"]}).labelled == "measured (assisted)"


def test_a_typo_is_an_error() -> None:
    with pytest.raises(ValidationError):
        Score(valeu=1)  # type: ignore[call-arg]
