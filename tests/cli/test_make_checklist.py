"""``triptych make checklist`` as typed, and its set under ``bench vidic``."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from models.chat_server import Answer, ChatServer

from .conftest import FAST, Run

DRAFT = (
    "[Position]\nDifferences:\n- In Video A, as filmed. In Video B, mirrored.\n"
    "[Playback technique]\nDifferences:\n- In Video A, forwards. In Video B, in reverse.\n"
    "[Subject]\nDifferences:\n- In Video A, a tile. In Video B, a beautiful tile.\n"
)
MERGED = {
    "Similarities": [],
    "Differences": [
        {"class": "position", "question": "Is Video B mirrored, unlike Video A?",
         "correct_answer": "yes"},
        {"class": "playback technique", "question": "Is Video B in reverse, unlike Video A?",
         "correct_answer": "yes"},
    ],
}  # fmt: skip
JUDGED = {"answer": "yes", "explanation": "it is said"}


def script(path: Path, **rule: Any) -> str:
    rules = [
        {"role": "judge", "answer": JUDGED},
        {"contains": ["<comparison 1>"], "answer": MERGED} | rule,
    ]
    data = {"schema": "triptych.script/1", "rules": rules, "default": DRAFT}
    path.write_text(json.dumps(data), "utf-8")
    return f"scripted/{path}"


def test_two_videos_to_a_set_that_is_scored(
    triptych: Run, base: Path, mirrored: Path, tmp_path: Path
) -> None:
    name = script(tmp_path / "s.json")
    how = ["--model", name, "--cache", tmp_path / "kept", *FAST, "--frames", "2", "--size", "64"]
    place = ["-o", tmp_path / "set"]
    done = triptych("make", "checklist", base, mirrored, *place, *how)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 questions on 1 of 1 pairs: 1 differences, 0 similarities\n"), (
        done.stdout
    )
    assert "which drafted too" in done.stdout
    for line in ("    1  subjective", "    1  contradicts the measurement"):
        assert line in done.stdout
    assert done.stderr.strip().splitlines() == [f"triptych: the set is in {tmp_path / 'set'}"]
    again = triptych("make", "checklist", base, mirrored, *place, *how, "--json", "-", "-q")
    summary = json.loads(again.stdout)
    assert (summary["calls"], summary["stored"], again.stderr) == (2, 2, "")
    assert summary["dropped"]["merge"] == {"contradicts the measurement": 1}

    pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")
    run = ["--model", name, "--judge", name, "--out", tmp_path / "run", "--frames", "1"]
    scored = triptych("bench", "vidic", tmp_path / "set", *run, "--json", "-")
    assert scored.returncode == 0, scored.stderr
    scores = json.loads(scored.stdout)
    assert (scores["n"], scores["failed"]) == (1, 0)
    assert scores["scores"]["Diff"]["value"] == 100


def test_unchecked_keeps_what_is_measured_otherwise(
    triptych: Run, base: Path, mirrored: Path, tmp_path: Path
) -> None:
    name = script(tmp_path / "s.json")
    how = ["--model", name, "--cache", tmp_path / "kept", "--frames", "1", "--unchecked"]
    done = triptych("make", "checklist", base, mirrored, "-o", tmp_path / "set", *how)
    assert done.returncode == 0, done.stderr
    assert "2 questions on 1 of 1 pairs" in done.stdout
    assert "not held against measurements" in done.stdout
    assert not (tmp_path / "kept/measured").exists()


def test_a_dry_run_asks_and_writes_nothing(
    triptych: Run, base: Path, again: Path, tmp_path: Path
) -> None:
    how = ["--model", "scripted/blind", "--model", "scripted/reader", "--cache", tmp_path / "kept"]
    done = triptych("make", "checklist", base, again, "-o", tmp_path / "set", *how, "--dry-run")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("scripted/blind: 2 calls at most, 32 pictures")
    assert lines[1].startswith("scripted/reader: 1 calls at most, 32 pictures")
    assert not (tmp_path / "set").exists() and not (tmp_path / "kept/calls").exists()


def test_nothing_at_all_is_trouble(triptych: Run, base: Path, again: Path, tmp_path: Path) -> None:
    how = ["--model", "scripted/blind", "--cache", tmp_path / "kept", "--frames", "1"]
    done = triptych("make", "checklist", base, again, "-o", tmp_path / "set", *how)
    assert done.returncode == 2
    assert "0 of 1 usable, unusable 1" in done.stdout
    assert "left out  entry 0: no usable draft" in done.stdout
    assert "not one question came out" in done.stderr
    assert not (tmp_path / "set/checklist.json").exists()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--model", "nonsense"], "is not a model's name"),
        (["--model", "scripted/blind", "--merge", "scripted/gone.json"], "no such script"),
        (["--model", "scripted/blind", "--model", "scripted/blind"], "named twice"),
        (["--model", "scripted/blind", "--frames", "0"], "--frames"),
        (["--model", "scripted/blind", "--size", "big"], "--size"),
        (["--model", "scripted/blind", "--budget", "-1"], "--budget"),
        (["--model", "scripted/blind", "--prices", "gone.toml"], "no such table"),
        (["--model", "scripted/blind", "--skip", "nonsense"], "--skip"),
        (["--model", "scripted/blind", "--videos", "x"], "--videos"),
        ([], "--model"),
    ],
)
def test_wrong_use_is_one_line(
    triptych: Run, base: Path, again: Path, args: list[str], said: str, tmp_path: Path
) -> None:
    kept = ["-o", "set", "--cache", "kept"]
    done = triptych("make", "checklist", base, again, *kept, *args, cwd=tmp_path)
    assert done.returncode == 2 and not done.stdout
    assert said in done.stderr and len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "set").exists()


def test_killed_in_the_middle_it_makes_only_what_is_missing(
    triptych: Run, base: Path, mirrored: Path, tmp_path: Path
) -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")
    from .conftest import start

    table = tmp_path / "pairs.csv"
    rows = [f"{base.name},{mirrored.name}", f"{mirrored.name},{base.name}"]
    table.write_text("a,b\n" + "\n".join(rows) + "\n")
    waiting = True

    def answers(request: dict[str, Any], number: int) -> Answer:
        text = json.dumps(request["messages"])
        if "<comparison 1>" in text:
            return Answer(json.dumps(MERGED), wait=60.0 if waiting else 0.0)
        return Answer(DRAFT)

    with ChatServer(answers) as server:
        args = ["make", "checklist", table, "--videos", base.parent, "-o", tmp_path / "set",
                "--cache", tmp_path / "kept", "--model", f"vllm/m@{server.url}", "--frames", "1",
                "--unchecked"]  # fmt: skip
        running = start(*args)
        try:
            for _ in range(600):
                if len(server.requests) == 3:  # two drafts are stored, the one merge under way
                    break
                if running.poll() is not None:
                    break
                time.sleep(0.1)
        finally:
            running.kill()
            running.wait()
        assert len(server.requests) == 3
        waiting = False
        done = triptych(*args)
        assert done.returncode == 0, done.stderr
        assert len(server.requests) == 4  # the drafts were not made again
        uninterrupted = triptych(*args[:6], tmp_path / "other", "--cache", tmp_path / "fresh",
                                 *args[9:])  # fmt: skip
        assert uninterrupted.returncode == 0, uninterrupted.stderr
    lists = [(tmp_path / n / "checklist.json").read_bytes() for n in ("set", "other")]
    assert lists[0] == lists[1]
