from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from models.conftest import run
from triptych.models import Patience, Reply, Role, endpoint, user
from triptych.record.errors import TriptychError


def ask(name: str, text: str, role: Role = "policy", **how: Any) -> Reply:
    end = endpoint(f"scripted/{name}", role, patience=Patience(first_s=0.01, retries=2))
    return run(end, lambda: end.generate([user(text)], **how))


def script(folder: Path, **fields: Any) -> str:
    path = folder / "script.json"
    path.write_text(json.dumps({"schema": "triptych.script/1", **fields}))
    return str(path)


def test_those_that_ship() -> None:
    asked = "Here:\n<measured>\nB is mirrored\n</measured>\nGo."
    assert "not looked" in ask("blind", asked).text
    assert ask("reader", asked).text == "B is mirrored"
    assert "not looked" in ask("reader", "nothing measured").text
    assert ask("oracle", asked, truth="B is older").text == "B is older"
    assert json.loads(ask("blind", asked, role="judge").text)["answer"] == "no"


def test_only_the_oracle_sees_the_truth() -> None:
    assert "secret" not in ask("reader", "q", truth="secret").text
    assert "secret" not in ask("blind", "q", truth="secret").text


def test_the_first_rule_that_applies_answers(tmp_path: Path) -> None:
    name = script(
        tmp_path,
        rules=[
            {"role": "judge", "answer": {"answer": "yes"}},
            {"contains": ["red", "car"], "without": ["blue"], "answer": "a red car"},
            {"contains": ["turn"], "answer": ["one", "two"], "in_turn": True},
            {"contains": ["cut"], "answer": "ha", "stop": "length"},
        ],
        default="nothing",
    )
    assert json.loads(ask(name, "red car", "judge").text) == {"answer": "yes"}
    assert ask(name, "a car that is red").text == "a red car"
    assert ask(name, "red car, blue sky").text == "nothing"
    assert ask(name, "cut").stop == "length"
    end = endpoint(f"scripted/{name}", "policy")
    assert [run(end, lambda: end.generate([user("turn")])).text for _ in range(3)] == [
        "one",
        "two",
        "two",
    ]


def test_failures_by_script_are_tried_again(tmp_path: Path) -> None:
    name = script(tmp_path, rules=[{"fail": "server", "times": 2}, {"answer": "there"}])
    reply = ask(name, "q")
    assert reply.text == "there" and reply.retries.server == 2
    failed = ask(script(tmp_path, rules=[{"fail": "refused"}]), "q")
    assert failed.error_kind == "refused" and failed.retries.total == 0


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"schema": "triptych.script/1", "rules": [{"answr": 1}]}', "\xff", None],
)
def test_a_bad_script_is_one_line(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "bad.json"
    if content is not None:
        path.write_bytes(content.encode("latin-1"))
    with pytest.raises(TriptychError) as told:
        endpoint(f"scripted/{path}", "policy")
    assert "\n" not in str(told.value) and "bad.json" in str(told.value)
