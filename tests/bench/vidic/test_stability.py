"""The same captions judged again and again, by a judge that wavers."""

from __future__ import annotations

import json
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")

from models.chat_server import Answer, ChatServer
from triptych.bench.vidic.finished import read_run
from triptych.bench.vidic.run_judged import Judging, bench_judged
from triptych.bench.vidic.stability import fleiss, stability
from triptych.models import Patience
from triptych.record.errors import UsageError

from .conftest import asked
from .made_lists import entry, item, write

PATIENCE = Patience(timeout_s=60.0, retries=0)
#: What each question is answered, round by round.
SAID = {
    "d0?": ("yes", "yes", "yes"), "d1?": ("yes", "no", "yes"), "s0?": ("no", "no", "no"),
    "d2?": ("no", "no", "maybe"), "s1?": ("no", "yes", "no"),
}  # fmt: skip


class Wavering:
    """Answers a question by how often it was asked before."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.lock = threading.Lock()

    def __call__(self, request: dict[str, Any], number: int) -> Answer:
        question = asked(request)[1]
        with self.lock:
            turn = self.asked[question]
            self.asked[question] += 1
        return Answer(json.dumps({"answer": SAID[question][turn]}))


@pytest.fixture
def rows() -> list[Any]:
    return [
        entry("p", [item(question="d0?"), item(question="d1?")],
              [item(correct="no", question="s0?")]),
        entry("q", [item(question="d2?")], [item(correct="no", question="s1?")]),
        entry("r", [item(question="d3?")], []),
    ]  # fmt: skip


def test_agreement_of_three_rounds(rows: list[Any], tmp_path: Path) -> None:
    said = [{"video1_path": f"{n}/a.mp4", "video2_path": f"{n}/b.mp4", "response": f"of {n}"}
            for n in "pq"]  # fmt: skip
    checklist, captions = write(tmp_path / "c.json", rows), write(tmp_path / "r.json", said)
    judge, run = Wavering(), tmp_path / "run"
    with ChatServer(judge) as server:
        judging = Judging(f"openai-api/j@{server.url}", patience=PATIENCE)
        bench_judged(checklist, judging, responses=captions, out=run)
        found = stability(read_run(run), judging, times=3)
        # The run's own judgments are the first round; nothing is asked a fourth time.
        assert set(judge.asked.values()) == {3}
        again = stability(read_run(run), judging, times=3)
    assert set(judge.asked.values()) == {3}
    assert again.scores.scores == found.scores.scores
    assert {r.question: tuple(r.answers) for r in found.rounds} == {
        q: tuple(a if a != "maybe" else None for a in rounds) for q, rounds in SAID.items()
    }
    scores = found.scores.scores
    # Alike: d0 and s0. Pairs of rounds that agree: 3, 1, 3, 1, 1 of 3 each.
    assert scores["alike/Avg"].value == pytest.approx(40)
    assert scores["pairwise/Avg"].value == pytest.approx(100 * 9 / 15)
    assert (scores["pairwise/Avg"].n, found.scores.n, found.unasked) == (5, 5, 1)
    # p(yes) = 6/15, p(no) = 8/15.
    chance = (36 + 64) / 225
    assert scores["kappa/Avg"].value == pytest.approx((0.6 - chance) / (1 - chance))
    # The pair without a caption stays in the scores: right are 4, 2 and 4 of 6.
    assert scores["lowest/Avg"].value == pytest.approx(100 * 2 / 6)
    assert scores["highest/Avg"].value == pytest.approx(100 * 4 / 6)
    assert scores["mean/Avg"].value == pytest.approx(100 * 10 / 18)
    assert scores["sd/Sim"].value == pytest.approx(50 / 3**0.5)
    assert len((run / "stability.jsonl").read_text("utf-8").splitlines()) == 5
    assert (run / "stability.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(UsageError):
        stability(read_run(run), judging, times=1)


def test_fleiss_by_hand() -> None:
    """Small tables, counted by hand."""
    answers: list[Any] = [["yes"] * 4, ["yes", "yes", "no", "no"], ["no"] * 4]
    # P_i = 1, 1/3, 1; p = 1/2 each.
    assert fleiss(answers).value == pytest.approx((7 / 9 - 0.5) / 0.5)
    assert fleiss([["yes", "yes"]]).value is None
    assert fleiss([]).value is None
    assert fleiss([[None, None], ["yes", "yes"]]).value == pytest.approx((0.5 - 0.25) / 0.75)
