"""A judge behind a real server: what it is asked, what goes wrong, and what is not asked twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")

from models.chat_server import Answer, ChatServer
from triptych.bench.vidic.result import Result
from triptych.bench.vidic.run_judged import Judging, bench_judged
from triptych.models import Patience
from triptych.record.errors import SourceError, UsageError

from .conftest import asked, follows_protocol
from .made_lists import entry, item, write

PATIENCE = Patience(timeout_s=60.0, retries=1, first_s=0.01, most_s=0.02)


def judging(server: ChatServer, **how: Any) -> Judging:
    return Judging(f"openai-api/judge@{server.url}", patience=PATIENCE, **how)


def score(found: Result, name: str) -> float | None:
    return found.scores.scores[name].value


@pytest.fixture
def small(tmp_path: Path) -> tuple[Path, Path]:
    """Two pairs with five questions, and their captions."""
    rows = [
        entry(
            "p", [item(question="d0?"), item(question="d1?")], [item(correct="no", question="s0?")]
        ),
        entry("q", [item(question="d2?")], [item(correct="no", question="s1?")]),
    ]
    said = [
        {"video1_path": f"{n}/a.mp4", "video2_path": f"{n}/b.mp4", "response": f"caption of {n}"}
        for n in "pq"
    ]
    return write(tmp_path / "c.json", rows), write(tmp_path / "r.json", said)


def test_one_call_a_question_and_the_caption_alone(small: Any, tmp_path: Path) -> None:
    with ChatServer(['{"answer": "yes", "explanation": "e"}']) as server:
        found = bench_judged(small[0], judging(server), responses=small[1], out=tmp_path / "run")
        again = bench_judged(small[0], judging(server), responses=small[1], out=tmp_path / "run")
    assert sorted(asked(r) for r in server.requests) == [
        ("caption of p", "d0?"), ("caption of p", "d1?"), ("caption of p", "s0?"),
        ("caption of q", "d2?"), ("caption of q", "s1?"),
    ]  # fmt: skip
    assert (score(found, "Avg"), score(found, "Diff"), score(found, "Sim")) == (60, 100, 0)
    assert again.scores.scores == found.scores.scores
    assert again.judged == found.judged
    assert all(j.call and (tmp_path / "run/calls" / j.call[:2] / f"{j.call}.json").is_file()
               for j in found.judged)  # fmt: skip
    assert any("our own wording" in n for n in found.notes)


def test_bad_judges_are_named_and_counted(small: Any, tmp_path: Path) -> None:
    said = {
        "d0?": "It depends.", "d1?": "Yes and no.", "s0?": "", "d2?": Answer(status=400),
        "s1?": '{"answer": "no"}',
    }  # fmt: skip
    with ChatServer(lambda request, number: said[asked(request)[1]]) as server:
        found = bench_judged(small[0], judging(server), responses=small[1], out=tmp_path / "run")
    assert (found.scores.n, found.scores.failed, score(found, "Avg")) == (5, 4, 20)
    told = [j.failed or "" for j in found.failed]
    for part in ("neither yes nor no", "both yes and no", "said nothing", "could not be asked"):
        assert any(part in t for t in told), part


def test_several_a_call_and_how_far_it_agrees(small: Any, tmp_path: Path) -> None:
    def script(request: dict[str, Any], number: int) -> str:
        prompt = request["messages"][-1]["content"]
        if "Questions:" not in prompt:
            return '{"answer": "no"}'
        return json.dumps({str(i): {"answer": "yes" if i == 1 else "no"} for i in (1, 2)})

    with ChatServer(script) as server:
        how = judging(server, per_call=2)
        found = bench_judged(small[0], how, responses=small[1], out=tmp_path / "run")
    assert found.scores.n == 5
    assert [j.answer for j in found.judged] == ["yes", "no", "yes", "yes", "no"]
    assert any("for 2 of 5 (40.0 %) on 2 pairs" in n for n in found.notes)


def test_an_empty_caption_is_all_the_same(vidic_data: Path, tmp_path: Path) -> None:
    path = vidic_data / "checklist_v1_first150.json"
    rows = json.loads(path.read_text("utf-8"))[:20]
    said = [{k: r[k] for k in ("video1_path", "video2_path")} | {"response": ""} for r in rows]
    checklist, responses = write(tmp_path / "c.json", rows), write(tmp_path / "r.json", said)
    with ChatServer(follows_protocol) as server:
        found = bench_judged(checklist, judging(server), responses=responses, out=tmp_path / "run")
    assert (score(found, "Diff"), score(found, "Sim")) == (0, 100)
    assert Counter(p.kind for p in found.problems) == {"empty caption": 20}


def test_published_pairs_and_responses_end_to_end(vidic_data: Path, tmp_path: Path) -> None:
    checklist = vidic_data / "checklist_v1_first150.json"
    responses = vidic_data / "example_response_for_those.json"
    with ChatServer(follows_protocol) as server:
        found = bench_judged(checklist, judging(server), responses=responses, out=tmp_path / "run")
    assert (found.scores.n, found.scores.failed, len(server.requests)) == (613, 0, 613)
    # Counted again from what went over the wire.
    said = [json.loads(follows_protocol(r, 0))["answer"] for r in server.requests]
    assert Counter(j.answer for j in found.judged) == Counter(said)
    diff, sim = score(found, "Diff"), score(found, "Sim")
    assert diff is not None and sim is not None
    assert 0 < diff < 100 and 0 < sim < 100
    assert score(found, "Avg") == pytest.approx((474 * diff + 139 * sim) / 613, abs=1e-4)


def test_a_pair_without_a_response_is_wrong_and_not_asked(small: Any, tmp_path: Path) -> None:
    rows = json.loads(small[1].read_text("utf-8"))[:1]
    with ChatServer(['{"answer": "no"}']) as server:
        found = bench_judged(
            small[0], judging(server), responses=write(small[1], rows), out=tmp_path / "run"
        )
    assert len(server.requests) == 3
    assert (found.scores.n, found.scores.failed) == (5, 2)
    assert [j.failed for j in found.failed] == ["no caption: no response for these videos"] * 2


def test_wrong_names(small: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        bench_judged(small[0], Judging("nothing"), responses=small[1], out=tmp_path / "run")
    with pytest.raises(SourceError):
        bench_judged(small[0], Judging("scripted/blind", tmp_path), responses=small[1])


def test_killed_and_started_again(small: Any, tmp_path: Path) -> None:
    """No finished call is made again, and the figures are those of a run that was let be."""

    def script(request: dict[str, Any], number: int) -> Answer:
        text = '{"answer": "yes"}' if asked(request)[1].startswith("d") else '{"answer": "no"}'
        return Answer(text, wait=30.0 if number == 3 and slow else 0.0)

    slow = True
    run, home = tmp_path / "run", os.environ | {"PYTHONWARNINGS": "ignore"}
    with ChatServer(script) as server:
        command = [
            sys.executable, "-m", "triptych", "bench", "vidic", str(small[0]), "--responses",
            str(small[1]), "--judge", f"openai-api/judge@{server.url}", "--out", str(run),
            "--json", "-", "-q",
        ]  # fmt: skip
        process = subprocess.Popen(command, env=home, stdout=subprocess.PIPE)
        ends = time.monotonic() + 60
        while len(list(run.glob("calls/*/[!.]*.json"))) < 4 and time.monotonic() < ends:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        slow = False
        first = [asked(r) for r in server.requests]
        done = subprocess.run(command, env=home, capture_output=True, check=True)
        second = [asked(r) for r in server.requests][len(first) :]
        alone = subprocess.run(
            [*command, "--out", str(tmp_path / "other")], env=home, capture_output=True, check=True
        )
    assert len(first) == 5
    assert second == [first[3]]
    scores, other = json.loads(done.stdout), json.loads(alone.stdout)
    assert scores["scores"] == other["scores"]
    assert scores["scores"]["Avg"]["value"] == 100


def test_a_run_in_which_all_failed_is_trouble(small: Any, tmp_path: Path) -> None:
    with ChatServer([Answer(status=400)]) as server:
        command = [
            sys.executable, "-m", "triptych", "bench", "vidic", str(small[0]), "--responses",
            str(small[1]), "--judge", f"openai-api/judge@{server.url}", "--out", f"{tmp_path}/r",
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 2
    assert "not one question was answered" in done.stderr
    assert "5 failed and counted as wrong" in done.stdout
