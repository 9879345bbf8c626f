"""Both orders of the videos: names stay with the videos, and what flips is counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")

from cli.conftest import write_clip
from models.chat_server import Answer, ChatServer
from triptych.bench.vidic.caption import Claim
from triptych.bench.vidic.captions import Caption
from triptych.bench.vidic.facts import judge
from triptych.bench.vidic.order import flips, order
from triptych.bench.vidic.records import Judgment, Pair, Question
from triptych.bench.vidic.run_judged import Judging
from triptych.bench.vidic.shown import from_preset
from triptych.models import Patience

from .made_lists import entry, item, write
from .test_model_caption import pictures

PATIENCE = Patience(timeout_s=60.0, retries=1, first_s=0.01, most_s=0.02)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    for name in ("p/a", "p/b", "q/a", "q/b"):
        write_clip(tmp_path / f"{name}.mp4", seconds=1, dim=0.5 if name == "q/b" else None)
    rows = [
        entry("p", [item(question="d?")], [item(correct="no", question="s?")]),
        entry("q", [item(question="d?")], [item(correct="no", question="s?", klass="style")]),
    ]
    return write(tmp_path / "c.json", rows)


def last_first(request: dict[str, Any], number: int) -> Answer:
    """Names the video it was shown first, and is judged right only where that is A."""
    seen = pictures(request)
    if seen:
        return Answer(f"In Video {seen[0].split()[1]}, x. In the other, y.")
    text = request["messages"][-1]["content"]
    asks = "Question: d?" in text
    return Answer(json.dumps({"answer": "yes" if asks and "In Video A" in text else "no"}))


def test_flips_are_counted_and_the_difference_is_paired(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with ChatServer(last_first) as server:
        name = f"openai-api/m@{server.url}"
        args: dict[str, Any] = {"model": name, "how": from_preset(frames=2, size=32), "out": out}
        found = order(made, Judging(name, patience=PATIENCE), **args)
        before = len(server.requests)
        again = order(made, Judging(name, patience=PATIENCE), **args)
        assert len(server.requests) == before
    shown = [[s.split()[1] for s in pictures(r)] for r in server.requests if pictures(r)]
    # Both orders of the two pairs; the first two requests are the run with A first.
    assert shown == [["A", "A", "B", "B"]] * 2 + [["B", "B", "A", "A"]] * 2
    scores = found.scores.scores
    assert [scores[f"{o}/Diff"].value for o in ("forward", "reverse")] == [100, 0]
    assert (scores["Diff"].value, scores["Sim"].value, scores["Avg"].value) == (-100, 0, -50)
    assert (scores["Diff"].lo, scores["Diff"].hi) == (-100, -100)
    assert [scores[f"flips/{n}"].value for n in ("Avg", "Diff", "Sim")] == [50, 100, 0]
    assert found.turned == (2, 0, 0)
    assert again.scores.scores == scores
    assert found.scores.labels == []
    assert found.reverse.scores.labels == ["Video B first"]
    lines = [json.loads(x) for x in (out / "flips.jsonl").read_text("utf-8").splitlines()]
    assert [(x["ident"], x["forward"], x["reverse"]) for x in lines] == [
        ("0/Differences/0", "yes", "no"), ("1/Differences/0", "yes", "no"),
    ]  # fmt: skip
    assert (out / "order.png").read_bytes().startswith(b"\x89PNG")
    # The videos are cut once for both orders: four files of two different contents.
    assert len(list((out / "frames").glob("v*/*"))) == 2


def test_no_answer_is_one_of_its_own() -> None:
    def judged(answer: Any) -> Judgment:
        return Judgment(pair="p", ident="0", side="Differences", klass="style", categories=[],
                        question="q", correct="yes", answer=answer)  # fmt: skip

    one, other = [judged("yes"), judged(None), judged(None)], [judged(None), judged(None)]
    found = flips(one, [*other, judged("no")])
    assert found["Diff"].value == pytest.approx(200 / 3)


@pytest.mark.parametrize(
    ("aspect", "expected", "said", "answer"),
    [
        ("playback technique: speed", {"speed": 2.0},
         "Video A plays the same content at 0.50 times Video B's speed", "yes"),
        ("playback technique: speed", {"speed": 2.0},
         "Video A plays the same content at 2.00 times Video B's speed", "no"),
        ("position: rotation", {"clockwise_deg": 5.0}, "Video A is turned 5° counter-clockwise",
         "yes"),
        ("position: rotation", {"clockwise_deg": 5.0}, "Video A is turned 5° clockwise", "no"),
        ("position: mirroring", {"mirrored": "horizontal"},
         "Video A is mirrored left to right", "yes"),
    ],
)  # fmt: skip
def test_facts_read_what_is_said_of_a(
    aspect: str, expected: dict[str, Any], said: str, answer: str
) -> None:
    from triptych.bench.vidic.caption import write as written

    dimension, name = aspect.split(": ")
    question = Question(ident="0/Differences/0", side="Differences", klass=dimension, text="?",
                        correct="yes", question_id="x#0")  # fmt: skip
    pair = Pair(position=0, index=None, a="a", b="b", questions=(question,))
    facts = {"x#0": {"dimension": dimension, "aspect": name, "expected": expected}}
    caption = written([Claim(dimension, name, "different", said)])
    (found,) = judge(pair, Caption(text=caption), facts)
    assert found.answer == answer
