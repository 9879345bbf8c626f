"""Models under test answer at once or not at all: nothing waits longer than it must."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from triptych.models import Endpoint, Patience


@pytest.fixture(autouse=True)
def no_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the user's file nor the user's keys; and Inspect stays out of the user's folders."""
    monkeypatch.setenv("TRIPTYCH_CONFIG", str(tmp_path / "none.toml"))
    for name in [n for n in os.environ if n.endswith(("_API_KEY", "_BASE_URL"))]:
        monkeypatch.delenv(name)


@pytest.fixture
def patience() -> Patience:
    # Tries are only given up where a test is about that: on a busy machine two seconds are short.
    return Patience(timeout_s=60.0, retries=3, first_s=0.01, most_s=0.05)


def run(end: Endpoint, work: Callable[[], Awaitable[Any]]) -> Any:
    """What the coroutine function ``work`` returns; ``end`` lets its connections go after it."""

    async def closing() -> Any:
        try:
            return await work()
        finally:
            await end.close()

    return anyio.run(closing)
