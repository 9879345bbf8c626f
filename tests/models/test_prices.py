"""Published examples of the providers, and budgets that hold with many calls under way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

from models.chat_server import Answer, ChatServer
from models.conftest import run
from triptych.models import Budget, Patience, Prices, Settings, Usage, endpoint, user
from triptych.models.counting import picture_tokens
from triptych.record.errors import TriptychError, UsageError


@pytest.mark.parametrize(
    ("width", "height", "formula", "tokens"),
    [
        (1024, 1024, "openai tiles 85 170", 765),
        (2048, 4096, "openai tiles 85 170", 1105),
        (1024, 1024, "openai patches 1.0", 1024),
        (384, 384, "google", 258),
        (960, 540, "google", 6 * 258),
        (1000, 1000, "anthropic", 1334),
        (448, 448, "qwen 28", 258),
        (9000, 9000, "openai patches 1.62", 2489),
        (640, 360, "none", 0),
    ],
)
def test_pictures_are_counted_as_published(
    width: int, height: int, formula: str, tokens: int
) -> None:
    assert picture_tokens(width, height, formula) == tokens


def test_the_table_that_ships_and_one_of_the_user(tmp_path: Path) -> None:
    mini = Prices().of("openai/gpt-5-mini-2025-08-07")
    assert mini is not None
    million = Usage(input=1_000_000, output=1_000_000, cached=500_000)
    assert mini.cost(million) == pytest.approx(0.125 + 0.0125 + 2.0)
    assert Prices().of("openai/gpt-9") is None
    assert Prices().of("vllm/Qwen/Qwen3-VL-8B@http://127.0.0.1:1/v1") is not None
    own = tmp_path / "prices.toml"
    own.write_text('[[model]]\nname = "openai/gpt-9"\ninput = 1\noutput = 2\n')
    price = Prices(own).of("openai/gpt-9")
    assert price is not None and price.output == 2


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "model = 1",
        '[[model]]\nname = "a"\ninput = -1\noutput = 1',
        '[[model]]\nname = "a"\ninput = nan\noutput = 1',
        '[[model]]\nname = "a"\ninput = 1\noutput = 1\npictures = "qwen 0"',
        None,
    ],
)
def test_a_bad_table_is_one_line(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "prices.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(TriptychError) as told:
        Prices(path)
    assert "\n" not in str(told.value)


def test_a_capped_run_without_a_price_does_not_start() -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")
    with pytest.raises(UsageError, match="no price is known"):
        endpoint("openai-api/m@http://127.0.0.1:1/v1", "policy", budget=Budget(1))


def _priced(tmp_path: Path) -> Prices:
    path = tmp_path / "prices.toml"
    path.write_text('[[model]]\nname = "openai-api/*"\ninput = 1000\noutput = 1000\n')
    return Prices(path)


@pytest.mark.parametrize("used", [3, 20])
def test_the_budget_is_never_passed_with_16_calls_under_way(
    tmp_path: Path, patience: Patience, used: int
) -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")
    usage = {"prompt_tokens": 5, "completion_tokens": used, "total_tokens": 5 + used}

    tried: set[str] = set()

    def script(request: dict[str, Any], n: int) -> Answer:
        # Every seventh call is turned away, once: by its number a request could always be.
        text = str(request["messages"][0]["content"])
        bad = text not in tried and int(text.split()[1]) % 7 == 3
        tried.add(text)
        return Answer("x", status=429 if bad else 200, wait=0.02, usage=usage)

    budget = Budget(0.5)
    with ChatServer(script) as server:
        end = endpoint(
            f"openai-api/m@{server.url}",
            "policy",
            calls=tmp_path / "calls",
            prices=_priced(tmp_path),
            budget=budget,
            patience=patience,
        )
        replies = []

        async def one(n: int) -> None:
            replies.append(await end.generate([user(f"q {n}")], Settings(max_tokens=20)))
            assert budget.spent + budget.reserved <= budget.limit + 1e-9

        async def work() -> None:
            async with anyio.create_task_group() as group:
                for n in range(100):
                    group.start_soon(one, n)

        run(end, work)
        answered = [r for r in replies if r.ok]
        assert len(replies) == 100
        # What the server itself counted is what bounds us.
        billed = sum(r.usage.input + r.usage.output for r in answered if r.usage) / 1000
        assert billed == pytest.approx(budget.spent) and billed <= 0.5
        refused = [r for r in replies if r.error_kind == "budget"]
        assert len(refused) == 100 - len(answered) > 0
        assert server.most_at_once > 1
        # As much as fits is used: no further call's worst case would have fitted.
        assert (
            budget.limit - budget.spent
            < end.price.worst(  # type: ignore[union-attr]
                end._request([user("q 1")], Settings(max_tokens=20), None)
            )
            + 1e-3
        )
    # Another run with the same budget takes up what was paid, and pays nothing more.
    again = Budget(0.5)
    end = endpoint(
        f"openai-api/m@{server.url}",
        "policy",
        calls=tmp_path / "calls",
        prices=_priced(tmp_path),
        budget=again,
    )
    key = {r.key for r in answered}
    for n in range(100):
        call = user(f"q {n}")
        reply = run(end, lambda call=call: end.generate([call], Settings(max_tokens=20)))
        if reply.key in key:
            assert reply.stored
            break
    assert 0 < again.spent <= budget.spent


def test_what_may_have_been_made_is_paid_for(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")
    budget = Budget(10.0)
    with ChatServer([Answer("late", wait=4.0), "x"]) as server:
        end = endpoint(
            f"openai-api/m@{server.url}",
            "policy",
            prices=_priced(tmp_path),
            budget=budget,
            patience=Patience(timeout_s=2.5, retries=1, first_s=0.01),
        )
        reply = run(end, lambda: end.generate([user("q")], Settings(max_tokens=50)))
    assert reply.ok and reply.retries.timeout == 1
    assert budget.spent > 0.05  # the worst case of the try that was given up


def test_an_estimate_is_near_what_is_then_sent() -> None:
    end = endpoint("scripted/blind", "policy")
    messages = [user("What differs between these two videos? " * 20)]
    told = end.estimate(messages, Settings(max_tokens=300))
    assert told.calls == 1 and told.output == 300 and told.dollars == 0.0
    assert (told + told).input == 2 * told.input
    assert told.input == pytest.approx(len(messages[0].text) / 4, abs=10)
