"""``triptych bench vidic`` as people and scripts run it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run, write_clip


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    asked = [
        {"class": "style", "question": "?", "correct_answer": "yes", "answer": a}
        for a in ("yes", "no", "what")
    ]
    row = {"video1_path": "a.mp4", "video2_path": "../b.mp4"}
    path = tmp_path / "judged.json"
    path.write_text(json.dumps([row | {"structured_analysis": {"Differences": asked}}]), "utf-8")
    return path


def test_judged_json_and_table(triptych: Run, judged: Path, tmp_path: Path) -> None:
    alone = triptych("bench", "vidic", "--judged", judged, "--json", "-", "--out", tmp_path / "r")
    assert alone.returncode == 0, alone.stderr
    scores = json.loads(alone.stdout)
    assert (scores["schema"], scores["bench"]) == ("triptych.scores/1", "vidic")
    assert (scores["n"], scores["failed"]) == (3, 1)
    assert scores["scores"]["Diff"]["value"] == pytest.approx(100 / 3, abs=1e-5)
    assert scores["scores"]["Sim"]["value"] is None
    assert scores["scores"]["Sim"]["reason"]
    assert "path outside: entry 0" in alone.stderr
    assert {p.name for p in (tmp_path / "r").iterdir()} == {
        "run.json", "scores.json", "judgments.jsonl", "problems.txt",
    }  # fmt: skip
    shown = triptych("bench", "vidic", "--judged", judged)
    assert "33.33" in shown.stdout
    assert "published" in shown.stdout


def test_nothing_answered_is_trouble(triptych: Run, judged: Path) -> None:
    judged.write_text(judged.read_text("utf-8").replace('"yes"}', '""}').replace('"no"', '""'))
    done = triptych("bench", "vidic", "--judged", judged)
    assert done.returncode == 2
    assert "not one question was answered" in done.stderr


def test_measured_and_blind_on_made_pairs(triptych: Run, tmp_path: Path) -> None:
    clip, pairs = write_clip(tmp_path / "clip.mp4", seconds=4), tmp_path / "pairs"
    made = triptych("make", "pairs", clip, "-o", pairs, "--edits", "mirror,remux")
    assert made.returncode == 0, made.stderr
    common = ["bench", "vidic", pairs, "--judge", "facts", "--workers", "1", "-q"]
    for model, name in (("measured", "m"), ("scripted/blind", "b")):
        args = [*common, "--skip", "text,speech,people", "--model", model, "--out", tmp_path / name]
        done = triptych(*args, "--json", tmp_path / f"{name}.json")
        assert (done.returncode, done.stderr) == (0, "")
        assert "not comparable" in done.stdout
        assert "published" not in done.stdout
    measured, blind = (json.loads((tmp_path / f"{n}.json").read_text("utf-8")) for n in "mb")
    assert measured["scores"]["Avg"]["value"] == 100
    assert (blind["scores"]["Diff"]["value"], blind["scores"]["Sim"]["value"]) == (0, 100)
    again = triptych(*common, "--responses", tmp_path / "m" / "captions.json", "--json", "-")
    assert json.loads(again.stdout)["scores"] == measured["scores"]
    held = triptych("bench", "compare", tmp_path / "b", tmp_path / "m")
    assert held.returncode == 0
    assert "differs" in held.stdout


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["--judged", "gone.json"],
        ["--judged", "."],
        ["--judged", "x", "--responses", "y"],
        ["x", "--model", "measured", "--responses", "y"],
        ["x", "--model", "measured", "--judge", "facts"],
        ["x", "--model", "measured"],
    ],
)
def test_wrong_use(triptych: Run, tmp_path: Path, args: list[str]) -> None:
    done = triptych("bench", "vidic", *args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
