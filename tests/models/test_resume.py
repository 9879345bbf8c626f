"""Killed in the middle, and started again: no finished call is made twice."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from models.chat_server import Answer, ChatServer

pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")

RUN = """
import json, sys
import anyio
from triptych import models

async def main(url, folder):
    end = models.endpoint(f"vllm/m@{url}", "judge", calls=folder, connections=4)
    answers = {}
    async def one(n):
        reply = await end.generate([models.user(f"q {n}")])
        answers[n] = reply.text
    async with anyio.create_task_group() as group:
        for n in range(24):
            group.start_soon(one, n)
    await end.close()
    print(json.dumps([answers[n] for n in range(24)]))

anyio.run(main, *sys.argv[1:])
"""


def _stored(folder: Path) -> list[Path]:
    """Finished calls; those being written have a dot in front."""
    return [p for p in folder.rglob("*.json") if not p.name.startswith(".")]


def test_killed_and_started_again(tmp_path: Path) -> None:
    def script(request: dict[str, Any], n: int) -> Answer:
        return Answer(f"to {request['messages'][0]['content']}", wait=0.1)

    with ChatServer(script) as server:
        command = [sys.executable, "-c", RUN, server.url, str(tmp_path)]
        killed = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        waited = time.monotonic() + 60
        while len(_stored(tmp_path)) < 8 and time.monotonic() < waited:
            time.sleep(0.01)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        finished = {
            json.loads(p.read_text())["text"].removeprefix("to ") for p in _stored(tmp_path)
        }
        assert 8 <= len(finished) < 24
        before = len(server.requests)
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        asked = Counter(r["messages"][0]["content"] for r in server.requests[before:])
    assert json.loads(done.stdout) == [f"to q {n}" for n in range(24)]
    assert not finished & set(asked)
    assert set(asked) | finished == {f"q {n}" for n in range(24)} and set(asked.values()) == {1}
