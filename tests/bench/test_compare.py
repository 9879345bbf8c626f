"""Paired differences of two runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from triptych.bench.compare import compare
from triptych.bench.compare_table import render
from triptych.bench.vidic.judged import score_judged
from triptych.record.errors import SourceError, UsageError

from .vidic.made_lists import entry, item, write


def run(folder: Path, answers: list[list[str]]) -> Path:
    rows = [
        entry(f"p{i}", [item(a, question=f"q{k}?") for k, a in enumerate(some)], [], index=i)
        for i, some in enumerate(answers)
    ]
    write(folder.with_suffix(".json"), rows)
    score_judged(folder.with_suffix(".json"), out=folder)
    return folder


def test_difference_and_interval(tmp_path: Path) -> None:
    a = run(tmp_path / "a", [["yes", "no"]] * 10)
    b = run(tmp_path / "b", [["yes", "yes"]] * 9 + [["no", "no"]])
    found = compare(a, b)
    score = found.scores["Avg"]
    assert score.value == pytest.approx(40)  # 18 of 20 against 10 of 20
    assert score.lo is not None
    assert score.hi is not None
    assert 5 <= score.lo < 40 < score.hi <= 50
    assert found.before["Avg"] == 50
    same = compare(a, a).scores["Avg"]
    assert (same.value, same.lo, same.hi) == (0, 0, 0)
    assert compare(b, a).scores["Avg"].value == pytest.approx(-40)
    assert found.scores["Sim"].value is None


def test_questions_of_one_run_only_are_counted(tmp_path: Path) -> None:
    a = run(tmp_path / "a", [["yes", "no"], ["no"]])
    b = run(tmp_path / "b", [["yes"]])
    found = compare(a, b)
    assert (found.n, found.alone) == (1, (2, 0))


def test_no_figure_gives_way_to_a_long_name(tmp_path: Path) -> None:
    rows = [entry("p", [item("yes", category="a category with a name that leaves no room")], [])]
    score_judged(write(tmp_path / "a.json", rows), out=tmp_path / "a")
    found = compare(tmp_path / "a", tmp_path / "a")
    with (tmp_path / "told").open("w+", encoding="utf-8") as file:
        render(found, Console(width=60, file=file))
        file.seek(0)
        told = file.read()
    assert "…" not in told
    assert told.count("100.00 100.00    +0.00") == len([s for s in found.scores.values() if s.n])


def test_what_cannot_be_compared(tmp_path: Path) -> None:
    a = run(tmp_path / "a", [["yes"]])
    with pytest.raises(SourceError, match="no finished run"):
        compare(a, tmp_path)
    rows = [entry("other", [item("yes")], [])]
    score_judged(write(tmp_path / "o.json", rows), out=tmp_path / "o")
    with pytest.raises(UsageError, match="no question in common"):
        compare(a, tmp_path / "o")
    (a / "judgments.jsonl").write_text(json.dumps({"x": 1}), "utf-8")
    with pytest.raises(SourceError):
        compare(a, a)
