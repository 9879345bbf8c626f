"""``triptych diff --model`` as typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from models.chat_server import Answer, ChatServer

from .conftest import FAST, Run


def test_a_model_beside_what_was_measured(
    triptych: Run, base: Path, mirrored: Path, tmp_path: Path
) -> None:
    keep = ["--cache", tmp_path / "kept", "--model", "scripted/reader"]
    page = tmp_path / "page.html"
    first = triptych("diff", base, mirrored, *FAST, *keep, "--json", "-", "--html", page)
    assert first.returncode == 1, first.stderr
    report = json.loads(first.stdout)
    told = [f for f in report["findings"] if f["source"] == "model"]
    assert any("mirrored" in f["statement"] for f in told)
    assert {f["model"]["id"] for f in told} == {"scripted/reader"}
    assert "1 calls (0 of them made before)" in first.stderr
    assert "written by scripted/reader (policy)" in page.read_text()
    assert "as described by a model, not measured" in page.read_text()
    again = triptych("diff", base, mirrored, *FAST, *keep)
    assert "1 calls (1 of them made before)" in again.stderr
    assert "Described by scripted/reader" in again.stdout


def test_a_dry_run_asks_nothing(triptych: Run, base: Path, again: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    done = triptych(
        *("diff", base, again, *FAST, "--cache", kept, "--model", "scripted/blind", "--dry-run")
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("scripted/blind: 1 calls at most, 32 pictures")
    assert not (kept / "calls").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--model", "nonsense"], "is not a model's name"),
        (["--model", "scripted/absent.json"], "no such script"),
        (["--model", "scripted/blind", "--frames", "0"], "--frames: 0"),
        (["--model", "scripted/blind", "--size", "huge"], "--size"),
        (["--model", "scripted/blind", "--budget", "-1"], "--budget"),
        (["--model", "scripted/blind", "--prices", "absent.toml"], "no such table"),
        (["--dry-run"], "need a --model"),
    ],
)
def test_wrong_use_is_one_line(
    triptych: Run, base: Path, again: Path, options: list[str], said: str, tmp_path: Path
) -> None:
    done = triptych("diff", base, again, *FAST, *options, cwd=tmp_path)
    assert done.returncode == 2 and not done.stdout
    assert said in done.stderr and len(done.stderr.strip().splitlines()) == 1


SAID = (
    "[Position]\nDifferences:\n- In Video A, as filmed. In Video B, mirrored. (A 0.50 s; B 0.50 s)"
)


def test_a_server_is_asked_with_frames_and_facts(
    triptych: Run, base: Path, mirrored: Path, tmp_path: Path
) -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")
    with ChatServer([Answer("busy", status=429, retry_after="0"), SAID]) as server:
        name = f"vllm/org/m@{server.url}"
        how = ["--model", name, "--cache", tmp_path / "kept", "--frames", "3", "--size", "64x48"]
        done = triptych("diff", base, mirrored, *FAST, *how, "--json", "-", "--budget", "0.01")
        assert done.returncode == 1, done.stderr
        assert len(server.requests) == 2
    assert len(done.stderr.strip().splitlines()) == 1 and "1 retries" in done.stderr
    told = [f for f in json.loads(done.stdout)["findings"] if f["source"] == "model"]
    assert [c["outcome"] for c in told[0]["checks"]] == ["agrees with the measurement"]
    content = server.requests[1]["messages"][0]["content"]
    assert [p["type"] for p in content].count("image_url") == 6
    words = "\n".join(p["text"] for p in content if p["type"] == "text")
    assert "mirrored left to right" in words and "Video B at " in words


def test_nobody_answers(triptych: Run, base: Path, again: Path, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")
    with ChatServer([Answer("no such model", status=404)]) as server:
        how = ["--model", f"vllm/m@{server.url}", "--cache", tmp_path, "--whole-video"]
        done = triptych("diff", base, again, *FAST, *how, "--json", "-")
    assert done.returncode == 0, done.stderr  # what was measured stands
    (told,) = [f for f in json.loads(done.stdout)["findings"] if f["source"] == "model"]
    assert told["relation"] == "unknown" and "no such model" in told["statement"]
    content = server.requests[0]["messages"][0]["content"]
    assert [p["type"] for p in content].count("video_url") == 2
