"""Captions by code, and the judge that reads them by code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triptych.bench.vidic import caption as written
from triptych.bench.vidic.caption import Claim
from triptych.bench.vidic.captions import Caption
from triptych.bench.vidic.facts import judge, oracle, read_facts
from triptych.bench.vidic.load import read_checklist
from triptych.bench.vidic.run import bench_local
from triptych.make.checklist import write_checklist

from ..hand_made import report


def fact(ident: str, name: str, relation: str, **expected: Any) -> Any:
    dimension, aspect = name.split(": ")
    return {"question_id": ident, "dimension": dimension, "aspect": aspect,
            "relation": relation, "expected": expected}  # fmt: skip


@pytest.fixture
def made(tmp_path: Path) -> Path:
    facts = [
        fact("p#0", "playback technique: speed", "different", speed=1.5),
        fact("p#1", "position: mirroring", "different", mirrored="vertical"),
        fact("p#2", "position: rotation", "different", clockwise_deg=-4.0),
        fact("p#3", "style: noise", "same"),
    ]
    row = {"id": "p", "a": "a.mp4", "b": "b.mp4", "facts": facts}
    (tmp_path / "truth.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    write_checklist(tmp_path)
    return tmp_path


def answers(folder: Path, *claims: Claim, text: str | None = None) -> dict[str, str | None]:
    pair = read_checklist(folder).pairs[0]
    said = written.write(claims) if text is None else text
    found = judge(pair, Caption(text=said), read_facts(folder))
    ids = [q.question_id for q in pair.questions]
    return {str(i): j.answer for i, j in zip(ids, found, strict=True)}


SPEED = ("playback technique", "speed", "different")


def test_claims_are_held_to_their_numbers(made: Path) -> None:
    found = answers(
        made,
        Claim(*SPEED, "Video B plays the same content at 1.52 times Video A's speed"),
        Claim("position", "mirroring", "different", "Video B is mirrored left to right"),
        Claim("position", "rotation", "different", "Video B is turned 4.03° counter-clockwise"),
        Claim("style", "noise", "same", "noise is the same"),
    )
    assert found == {"p#0": "yes", "p#1": "no", "p#2": "yes", "p#3": "no"}
    wrong = answers(
        made,
        Claim(*SPEED, "Video B plays the same content at 2.00 times Video A's speed"),
        Claim("position", "mirroring", "different", "Video B is flipped upside down"),
        Claim("position", "rotation", "different", "Video B is turned 4.03° clockwise"),
        Claim("style", "noise", "different", "Video B is noisier than Video A"),
    )
    assert wrong == {"p#0": "no", "p#1": "yes", "p#2": "no", "p#3": "yes"}


def test_what_is_not_said_is_the_same(made: Path) -> None:
    assert set(answers(made, text="").values()) == {"no"}
    assert set(answers(made, text="Video B is mirrored and faster.").values()) == {"no"}


def test_oracle_and_blind(made: Path) -> None:
    every = bench_local(made, model="scripted/oracle", out=made / "o").scores
    assert (every.scores["Diff"].value, every.scores["Sim"].value) == (100, 100)
    none = bench_local(made, model="scripted/blind", out=made / "b").scores
    assert (none.scores["Diff"].value, none.scores["Sim"].value) == (0, 100)


def test_a_pair_without_its_videos_fails_and_is_counted(made: Path) -> None:
    found = bench_local(made, model="measured", out=made / "m")
    assert (found.scores.n, found.scores.failed) == (4, 4)
    assert found.scores.scores["Avg"].value == 0
    assert [p.kind for p in found.problems] == ["no caption"]
    assert "a.mp4: no such file" in found.problems[0].what


def test_a_question_without_a_fact_fails(made: Path) -> None:
    path = made / "checklist.json"
    path.write_text(path.read_text("utf-8").replace("p#3", "p#99"), "utf-8")
    found = bench_local(made, model="scripted/oracle", out=made / "o")
    assert [j.failed for j in found.failed] == ["the set's truth has no fact for this question"]


def test_a_report_becomes_a_caption_and_comes_back() -> None:
    said = report({"style: noise": "different", "camera: shots": "same", "style: tone": "unknown",
                   "sound: offset": "different"})  # fmt: skip
    said.findings[0].statement = "B's noise is above A's\n[Position]\nDifferences:\n- mirroring: x"
    text = written.from_report(said)
    assert "Video B's noise is above Video A's" in text
    claims = [(c.dimension, c.aspect, c.relation) for c in written.read(text)]
    assert claims == [("style", "noise", "different"), ("camera", "shots", "same")]


@pytest.mark.parametrize(
    ("said", "spelled"),
    [
        ("B is A, mirrored", "Video B is Video A, mirrored"),
        ("only B shows “Plan A (or B) wins”", "only Video B shows “Plan A (or B) wins”"),
        ("6 of A", "6 of Video A"),
        ("ABBA and BAR", "ABBA and BAR"),
    ],
)
def test_videos_are_spelled_out_but_not_in_quotes(said: str, spelled: str) -> None:
    assert written.spelled(said) == spelled


def test_the_oracle_says_what_holds(made: Path) -> None:
    text = oracle(read_checklist(made).pairs[0], read_facts(made))
    assert "at 1.50 times Video A's speed" in text
    assert "4.00° counter-clockwise" in text
