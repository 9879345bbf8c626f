"""Wrong answers sorted into kinds, by a model behind a real server."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")

from models.chat_server import Answer, ChatServer
from triptych.bench.run_folder import RunFolder
from triptych.bench.vidic.errors import KINDS, analyse, figures, folder_for, read_kind
from triptych.bench.vidic.finished import read_judged, read_run
from triptych.bench.vidic.run_judged import Judging, bench_judged
from triptych.models import Patience, endpoint
from triptych.record.errors import SourceError

from .conftest import asked
from .made_lists import entry, item, write

PATIENCE = Patience(timeout_s=60.0, retries=1, first_s=0.01, most_s=0.02)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Three pairs, the last without a caption; six of seven answers are wrong."""
    rows = [
        entry("p", [item(question="d0?"), item(question="d1?", klass="motion")],
              [item(correct="no", question="s0?", klass="style")]),
        entry("q", [item(question="d2?")], [item(correct="no", question="s1?")]),
        entry("r", [item(question="d3?")], [item(correct="no", question="s2?")]),
    ]  # fmt: skip
    said = [
        {"video1_path": f"{n}/a.mp4", "video2_path": f"{n}/b.mp4"} | {"response": "x</description>"}
        for n in "pq"
    ]  # fmt: skip
    answers = {"d0?": "no", "d1?": "no", "s0?": "yes", "d2?": "what", "s1?": "no"}
    with ChatServer(lambda r, n: json.dumps({"answer": answers[asked(r)[1]]})) as server:
        bench_judged(
            write(tmp_path / "c.json", rows),
            Judging(f"openai-api/j@{server.url}", patience=PATIENCE),
            responses=write(tmp_path / "r.json", said), out=tmp_path / "run",
        )  # fmt: skip
    return tmp_path / "run"


def prompts(server: ChatServer) -> list[str]:
    return [r["messages"][-1]["content"] for r in server.requests]


def test_each_wrong_answer_is_sorted_and_nothing_is_lost(run: Path) -> None:
    said = {
        "d0?": '{"error_type": "Missed Detection (Incomplete)", "explanation": "e"}',
        "d1?": "I would call this one vague.",
        "s0?": Answer(status=400),
    }

    def script(request: dict[str, Any], number: int) -> Answer | str:
        text = request["messages"][-1]["content"]
        return next(answer for q, answer in said.items() if f"Question: {q}" in text)

    with ChatServer(script) as server:
        name = f"openai-api/j@{server.url}"

        def again() -> Any:
            end = endpoint(name, "judge", calls=run / "calls", patience=PATIENCE)
            return analyse(read_run(run), end, folder_for(read_run(run), None, ""))

        found = again()
        first = prompts(server)
        second = again()
        repeated = prompts(server)[len(first) :]
    # The answered ones alone are asked about: two of the six have no caption, one no answer.
    assert len(first) == 3
    told = next(p for p in first if "Question: d0?" in p)
    assert "Right answer: yes\nAnswer that was given: no" in told
    assert all(p.count("</description>") == 1 for p in first)
    assert Counter(e.kind for e in found.errors) == {
        "missed detection": 1, "vague": 1, "unparsable": 1, "not answered": 3,
    }  # fmt: skip
    assert (found.scores.n, found.scores.failed) == (6, 4)
    assert sum(found.scores.scores[k].value or 0 for k in KINDS) == pytest.approx(100)
    assert found.scores.scores["class/style/unparsable"].value == 100
    # Finished calls are not made again; the failed one is.
    assert len(repeated) == 1
    assert "Question: s0?" in repeated[0]
    assert second.scores.scores == found.scores.scores
    lines = (run / "errors.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 6
    assert (run / "errors.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((run / "errors.json").read_text("utf-8"))["bench"] == "vidic errors"


def test_a_judged_file_with_its_captions(tmp_path: Path) -> None:
    rows = [entry("p", [item("no", question="d?")], [item("no", correct="no", question="s?")])]
    said = [{"video1_path": "p/a.mp4", "video2_path": "p/b.mp4", "response": "said of p"}]
    judged, responses = write(tmp_path / "j.json", rows), write(tmp_path / "r.json", said)
    with ChatServer(['{"error_type": "hallucination"}']) as server:
        end = endpoint(f"openai-api/j@{server.url}", "judge", patience=PATIENCE)
        out = RunFolder(tmp_path / "out", "vidic errors")
        found = analyse(read_judged(judged, responses), end, out)
    assert [(e.ident, e.kind) for e in found.errors] == [("0/Differences/0", "hallucination")]
    assert "said of p" in prompts(server)[0]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('```json\n{"error_type": "Self-Contradiction"}\n```', "self-contradiction"),
        ('{"error_type": "Vague / Imprecise"}', "vague"),
        ('{"error_type": "reasoning_error"}', "reasoning error"),
        ("Clearly a hallucination.", "hallucination"),
        ('{"error_type": "hallucination or missed detection"}', None),
        ('{"error_type": "other"}', None),
        ('{"error_type": ["vague", 1]}', "vague"),
        ("", None),
    ],
)
def test_what_is_read(text: str, kind: str | None) -> None:
    assert read_kind(text)[0] == kind


def test_without_an_error_and_without_a_run(tmp_path: Path) -> None:
    assert all(s.value is None and s.reason for s in figures([]).values())
    with pytest.raises(SourceError):
        read_run(tmp_path)
