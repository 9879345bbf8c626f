"""``triptych bench edits`` as people and scripts run it."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from .conftest import Run, start, write_clip

SKIP = ["--skip", "text,speech,people"]


@pytest.fixture(scope="module")
def pairs(triptych: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    clip = write_clip(folder / "clip.mp4", seconds=4)
    made = triptych("make", "pairs", clip, "-o", folder / "pairs", "--edits", "mirror,remux")
    assert made.returncode == 0, made.stderr
    return folder / "pairs"


def test_table_json_and_misses(triptych: Run, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    args = ["bench", "edits", pairs, "-n", "2", "--workers", "1", "--out", out, *SKIP]
    alone = triptych(*args, "--json", "-", "-q")
    assert (alone.returncode, alone.stderr) == (0, "")
    scores = json.loads(alone.stdout)
    assert (scores["schema"], scores["model"], scores["judge"]) == (
        "triptych.scores/1", "measured", "facts",
    )  # fmt: skip
    assert (scores["n"], scores["failed"], scores["cost"]) == (2, 0, None)
    assert {p.name for p in out.iterdir()} == {
        "run.json", "reports", "scores.json", "pairs.jsonl", "misses.txt", "recall.png",
    }  # fmt: skip
    assert (out / "scores.json").read_text(encoding="utf-8") == alone.stdout
    # Again, from what was kept.
    shown = triptych(*args, "--misses", "--json", tmp_path / "s.json")
    assert shown.returncode == 0
    assert "recall, all" in shown.stdout
    assert shown.stderr == f"triptych: the run is in {out}\n"
    again = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))
    assert again["scores"] == scores["scores"]


def test_no_pair_that_could_be_compared_is_trouble(triptych: Run, pairs: Path) -> None:
    name = "videos/gone.mp4"
    rows = [json.loads(r) for r in (pairs / "truth.jsonl").read_text("utf-8").splitlines()]
    other = pairs.parent / "broken"
    other.mkdir()
    (other / "truth.jsonl").write_text(json.dumps(rows[0] | {"b": name}), "utf-8")
    done = triptych("bench", "edits", other, "-q")
    assert done.returncode == 2
    assert "1 pairs, 1 failed" in done.stdout
    assert done.stderr.count("\n") == 1
    assert "no such file" in done.stderr


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--model", "gpt"], "--model measured"),
        (["--judge", "gpt"], "--judge facts"),
        (["--skip", "txet"], "is not a dimension"),
        (["--limit", "0"], "--limit"),
        (["--out", "."], "holds something else"),
    ],
)
def test_wrong_use(triptych: Run, pairs: Path, args: list[str], told: str) -> None:
    done = triptych("bench", "edits", pairs, *args, cwd=pairs)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_no_set_and_no_verb(triptych: Run, tmp_path: Path) -> None:
    done = triptych("bench", "edits", tmp_path / "none")
    assert done.returncode == 2
    assert "make pairs writes it" in done.stderr
    assert triptych("bench").returncode == 2


def test_an_interrupt_keeps_what_is_done(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = start(
        *("bench", "edits", pairs, "--workers", "1", "--out", out, *SKIP),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    ends = time.monotonic() + 60
    while not list(out.glob("reports/[!.]*.json")) and time.monotonic() < ends:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert (process.returncode, told) == (130, b"triptych: interrupted\n")
    assert list(out.glob("reports/[!.]*.json"))
    assert not (out / "scores.json").exists()
