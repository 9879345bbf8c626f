"""``inspect eval triptych/vidic``, from the installed package, against a real server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")

from cli.conftest import write_clip
from models.chat_server import ChatServer

from .made_lists import entry, item, write


def test_the_entry_point_finds_the_task(tmp_path: Path) -> None:
    for name in "ab":
        write_clip(tmp_path / f"p/{name}.mp4", seconds=1)
    asked = [item(question="d?")], [item(correct="no", question="s?")]
    write(tmp_path / "checklist.json", [entry("p", *asked)])

    def script(request: dict[str, Any], number: int) -> str:
        shown = not isinstance(request["messages"][-1]["content"], str)
        return "In Video A, x. In Video B, y." if shown else '{"answer": "yes"}'

    program = Path(sys.executable).with_name("inspect")
    with ChatServer(script) as server:
        done = subprocess.run(
            [
                program, "eval", "triptych/vidic", "--model", "openai-api/lab/m", "--display",
                "none", "--log-format", "json", "--log-dir", str(tmp_path / "logs"),
                "-T", f"data={tmp_path}", "-T", f"judge=openai-api/j@{server.url}",
                "-T", f"cache={tmp_path}/cache", "--no-log-images",
            ],
            env=os.environ | {"LAB_BASE_URL": server.url, "LAB_API_KEY": "none"},
            capture_output=True, encoding="utf-8", check=False, cwd=tmp_path,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(server.requests) == 3
    (path,) = (tmp_path / "logs").glob("*.json")
    log = json.loads(path.read_text("utf-8"))
    metrics = log["results"]["scores"][0]["metrics"]
    assert {n: m["value"] for n, m in metrics.items()} == {"Avg": 50, "Diff": 100, "Sim": 0}
    assert "data:image" not in path.read_text("utf-8")
