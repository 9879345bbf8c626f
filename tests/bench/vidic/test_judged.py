"""Scores of judged files, against counts that are made here in another way."""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from triptych.bench.vidic.judged import score_judged
from triptych.bench.vidic.published import DIFFERENCES, SIMILARITIES, table
from triptych.bench.vidic.table import render

from .made_lists import entry, item, write


def answered(rows: Any, seed: int) -> Any:
    """Every answer filled in by chance, some of them with what is no answer."""
    chance = random.Random(seed)
    for row in rows:
        for items in row["structured_analysis"].values():
            for it in items:
                it["answer"] = chance.choice(
                    ["yes", "Yes", "no", " NO ", "", "maybe", "yes and no"]
                )
    return rows


@pytest.mark.parametrize(
    "name", ["checklist_v1_first150.json", "checklist_draft_with_categories_first40.json"]
)
def test_scores_equal_an_independent_count(vidic_data: Path, tmp_path: Path, name: str) -> None:
    rows = answered(json.loads((vidic_data / name).read_text("utf-8")), 3)
    found = score_judged(write(tmp_path / "judged.json", rows)).scores
    hits: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for row in rows:
        for side, items in row["structured_analysis"].items():
            for it in items:
                names = ["Avg", {"Differences": "Diff", "Similarities": "Sim"}[side], it["class"]]
                names += ["category/" + c for c in it.get("category", "").split(", ") if c]
                for n in names:
                    asked[n] += 1
                    hits[n] += it["answer"].strip().lower() == it["correct_answer"].lower()
    assert {n: s.n for n, s in found.scores.items()} == asked
    for n, s in found.scores.items():
        assert s.value == pytest.approx(100 * hits[n] / asked[n], abs=1e-6)
    average = found.scores["Avg"]
    assert average.lo is not None
    assert average.value is not None
    assert average.hi is not None
    assert average.lo < average.value < average.hi


def test_what_is_no_answer_fails_and_stays_in_the_count(tmp_path: Path) -> None:
    rows = [
        entry(
            "p", [item("yes"), item("maybe"), item(""), item(None), item(True)], [item("No", "no")]
        ),
        entry("q", [item("yes", question="")], [item("no", correct="")]),
    ]
    found = score_judged(write(tmp_path / "judged.json", rows))
    assert (found.scores.n, found.scores.failed) == (8, 6)
    assert found.scores.scores["Avg"].value == 25
    assert [j.failed for j in found.failed] == [
        "neither yes nor no: maybe", "no answer", "no answer", "neither yes nor no: true",
        "the checklist has no right answer here", "the checklist asks nothing here",
    ]  # fmt: skip


def test_a_class_called_like_a_total_does_not_hide_it(tmp_path: Path) -> None:
    rows = [entry("p", [item("no", klass="Avg"), item("yes", klass="Pose")], [])]
    found = score_judged(write(tmp_path / "judged.json", rows)).scores.scores
    assert (found["Avg"].value, found["class/Avg"].value, found["Pose"].value) == (50, 0, 100)


def test_published_averages_follow_from_their_sides() -> None:
    rows = table()
    assert len(rows) == 24
    for row in rows:
        s = row.scores
        total = DIFFERENCES + SIMILARITIES
        average = (DIFFERENCES * s["Diff"] + SIMILARITIES * s["Sim"]) / total
        if row.model == "InternVideo2.5":  # computes 34.19, printed 34.18
            assert round(average, 2) == 34.19
        else:
            assert average == pytest.approx(s["Avg"], abs=0.01)


def test_the_table_escapes_and_marks_what_is_published(tmp_path: Path) -> None:
    rows = [entry("p", [item("[red]\x1b[31m", klass="[bold]x\x1b[0m")], [item("no")])]
    console = Console(file=io.StringIO(), width=160)
    render(score_judged(write(tmp_path / "judged.json", rows)), console)
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert "\x1b" not in shown
    assert "[bold]x" in shown
    assert shown.count("†") == 25
    assert "† published" in shown
    assert "1 failed and counted as wrong" in shown
