"""The real OpenAI client, through Inspect, against a real server that misbehaves in every way."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from models.chat_server import Answer, ChatServer
from models.conftest import run

pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")

from triptych.models import Endpoint, Patience, Reply, Settings, endpoint, system, user
from triptych.record.errors import UsageError


def ask(end: Endpoint, *words: str, **how: Any) -> Reply:
    return run(end, lambda: end.generate([user(*words)], **how))


def at(server: ChatServer, patience: Patience, **how: Any) -> Endpoint:
    return endpoint(f"openai-api/org/m-1@{server.url}", "judge", patience=patience, **how)


def test_what_is_asked_goes_over_the_wire(patience: Patience) -> None:
    settings = Settings(
        temperature=0.1, top_p=0.9, max_tokens=50, repetition_penalty=1.05, seed=7, thinking=False
    )
    with ChatServer(["yes"]) as server:
        end = at(server, patience)
        reply = run(end, lambda: end.generate([system("be brief"), user("is it?")], settings))
    (request,) = server.requests
    assert server.paths == ["/v1/chat/completions"]
    assert request["model"] == "org/m-1"
    assert [m["role"] for m in request["messages"]] == ["system", "user"]
    assert request["messages"][1]["content"] == "is it?"
    assert request["temperature"] == 0.1 and request["top_p"] == 0.9 and request["seed"] == 7
    assert request["max_tokens"] == 50 and request["repetition_penalty"] == 1.05
    assert request["chat_template_kwargs"] == {"enable_thinking": False}
    assert reply.ok and reply.text == "yes" and reply.stop == "stop"
    assert reply.usage is not None and (reply.usage.input, reply.usage.output) == (7, 3)
    assert reply.role == "judge" and reply.model.startswith("openai-api/org/m-1@")
    assert reply.settings == settings.given()


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        (Answer(status=429, retry_after="0"), "rate_limit"),
        (Answer(status=500), "server"),
        (Answer(status=503), "server"),
        (Answer("late", wait=4.0), "timeout"),
        (Answer("cut off", cut=40), "connection"),
        (Answer(body=b"<html>busy</html>"), "malformed"),
        (Answer(body=b'{"choices": []}'), "malformed"),
    ],
)
def test_what_may_pass_is_tried_again_and_counted(
    bad: Answer, kind: str, patience: Patience
) -> None:
    if kind == "timeout":
        patience = replace(patience, timeout_s=2.5)
    with ChatServer([bad, "fine"]) as server:
        reply = ask(at(server, patience), "q")
    assert reply.text == "fine", reply
    assert len(server.requests) == 2  # the client does not try again behind our back
    assert getattr(reply.retries, kind) == 1 and reply.retries.total == 1


def test_it_is_given_up_after_so_many_tries(patience: Patience, tmp_path: Path) -> None:
    with ChatServer([Answer("too busy", status=429)]) as server:
        end = at(server, patience, calls=tmp_path)
        reply = ask(end, "q")
        assert len(server.requests) == 4
        assert not reply.ok and reply.error_kind == "rate limit" and reply.retries.rate_limit == 3
        assert "too busy" in (reply.error or "")
        server.script = ["now"]
        assert ask(end, "q").text == "now"  # a failure is not stored


def test_a_fault_of_the_request_is_not_tried_again(patience: Patience) -> None:
    with ChatServer([Answer("no such model", status=404)]) as server:
        reply = ask(at(server, patience), "q")
    assert len(server.requests) == 1
    assert reply.error_kind == "refused" and "no such model" in (reply.error or "")


def test_nobody_there(patience: Patience) -> None:
    with ChatServer(["x"]) as server:
        url = server.url
    reply = ask(endpoint(f"vllm/m@{url}", "policy", patience=patience), "q")
    assert reply.error_kind == "connection" and reply.retries.connection == 3


def test_a_filtered_answer_is_an_answer(patience: Patience) -> None:
    with ChatServer([Answer("", finish="content_filter")]) as server:
        reply = ask(at(server, patience), "q")
    assert reply.ok and reply.refused


def test_an_answer_cut_short_says_so(patience: Patience) -> None:
    with ChatServer([Answer("half of", finish="length")]) as server:
        assert ask(at(server, patience), "q").stop == "length"


def test_a_finished_call_is_not_made_again(patience: Patience, tmp_path: Path) -> None:
    with ChatServer(lambda request, n: f"answer {n}") as server:
        first = ask(at(server, patience, calls=tmp_path), "q")
        again = ask(at(server, patience, calls=tmp_path), "q")
        assert (again.text, again.stored) == ("answer 0", True)
        assert again.model_dump() == first.model_dump()
        others = [
            ask(at(server, patience, calls=tmp_path), "q", repeat=1),
            ask(at(server, patience, calls=tmp_path), "q?"),
            ask(at(server, patience, calls=tmp_path), "q", settings=Settings(temperature=0)),
        ]
        assert [r.text for r in others] == ["answer 1", "answer 2", "answer 3"]
        (stored,) = [p for p in tmp_path.rglob("*.json") if p.stem == first.key]
        stored.write_text(stored.read_text()[:50])  # as a full disk or an editor leaves it
        assert ask(at(server, patience, calls=tmp_path), "q").text == "answer 4"


def test_equal_calls_at_one_time_are_one_and_others_are_side_by_side(
    patience: Patience, tmp_path: Path
) -> None:
    with ChatServer(lambda request, n: Answer(f"answer {n}", wait=0.1)) as server:
        end = at(server, patience, calls=tmp_path, connections=5)

        async def work() -> None:
            async with anyio.create_task_group() as group:
                for n in range(20):
                    group.start_soon(end.generate, [user(f"q {n // 2}")])

        run(end, work)
        assert len(server.requests) == 10
        assert 1 < server.most_at_once <= 5


def test_a_key_goes_to_its_own_server_only(
    patience: Patience, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with ChatServer(["x"]) as server:
        ask(at(server, patience), "q")
        assert "sk-secret" not in json.dumps(server.headers)
        config = tmp_path / "config.toml"
        config.write_text(
            f'[keys]\nLAB_KEY = "k-lab"\n[servers.lab]\nurl = "{server.url}"\nkey_env = "LAB_KEY"\n'
        )
        monkeypatch.setenv("TRIPTYCH_CONFIG", str(config))
        # Set first, so that what the configuration sets is taken back after the test.
        monkeypatch.setenv("LAB_KEY", "")
        monkeypatch.delenv("LAB_KEY")
        assert ask(endpoint("lab/big/one", "policy", patience=patience), "q").text == "x"
    assert server.requests[-1]["model"] == "big/one"
    assert server.headers[-1]["authorization"] == "Bearer k-lab"


def test_settings_that_a_provider_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    end = endpoint("openai/gpt-5-mini", "policy")
    with pytest.raises(UsageError, match="takes no repetition penalty"):
        ask(end, "q", settings=Settings(repetition_penalty=1.1))


@pytest.mark.parametrize(
    ("name", "prefix"), [("openai/gpt-4o", "OPENAI"), ("openai-api/lab/gpt-4o", "LAB")]
)
def test_providers_of_inspect_try_once_as_well(
    name: str, prefix: str, patience: Patience, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{prefix}_API_KEY", "sk-one")
    with ChatServer([Answer(status=500), "fine"]) as server:
        monkeypatch.setenv(f"{prefix}_BASE_URL", server.url)
        reply = ask(endpoint(name, "policy", patience=patience), "q")
    assert reply.text == "fine" and reply.retries.server == 1 and len(server.requests) == 2
    assert server.requests[1]["model"] == "gpt-4o"


def test_a_model_that_inspect_was_given(patience: Patience) -> None:
    from inspect_ai.model import get_model

    from triptych.models.served import of_inspect

    with ChatServer([Answer(status=429), "fine"]) as server:
        given = get_model("openai-api/lab/m", base_url=server.url, api_key="k", memoize=False)
        end = endpoint(of_inspect(given), "policy", patience=patience)
        reply = ask(end, "q")
    assert reply.text == "fine" and end.id == "openai-api/lab/m"


def test_half_a_character_is_no_reason_to_lose_an_answer(
    patience: Patience, tmp_path: Path
) -> None:
    with ChatServer(["cut \ud83d here"]) as server:  # json.dumps sends it as an escape
        first = ask(at(server, patience, calls=tmp_path), "say it")
        again = ask(at(server, patience, calls=tmp_path), "say it")
    assert (first.text, again.text, again.stored) == ("cut ? here", "cut ? here", True)


def test_what_is_only_counted_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError) as told:
        endpoint("openai/gpt-5-mini", "judge")
    assert "OPENAI_API_KEY" in str(told.value) and "[" not in str(told.value)
    end = endpoint("openai/gpt-5-mini", "judge", only_counted=True)
    found = end.estimate([user("What differs? " * 100)], Settings(max_tokens=50))
    assert found.calls == 1 and found.dollars is not None and found.dollars > 0
    assert ask(end, "q").error is not None
    with pytest.raises(UsageError):  # no provider of this name, key or not
        endpoint("nobody/m", "judge", only_counted=True)
