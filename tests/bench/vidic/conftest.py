"""Judges on loopback: the real client against a real server that answers by rule."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

_PROMPT = re.compile(r"<description>\n(.*)\n</description>\n\nQuestion: (.*?)\n", re.DOTALL)


def asked(request: dict[str, Any]) -> tuple[str, str]:
    """Description and question of a request in our own wording."""
    found = _PROMPT.search(request["messages"][-1]["content"])
    assert found is not None
    return found[1], found[2]


def follows_protocol(request: dict[str, Any], number: int) -> str:
    """Default to same: yes only where a line says that something differs in a word of the question.

    A rule, not a model; but one whose answers hang on the caption and on nothing else.
    """
    description, question = asked(request)
    words = set(re.findall(r"[a-z]{5,}", question.casefold())) - {"video", "videos", "different"}
    lines = [
        ln.casefold() for ln in description.splitlines() if re.search(r"video [ab]\b", ln, re.I)
    ]
    hit = any(len(words & set(re.findall(r"[a-z]{5,}", line))) >= 2 for line in lines)
    return json.dumps({"answer": "yes" if hit else "no", "explanation": "by rule"})


@pytest.fixture(autouse=True)
def no_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the user's file nor the user's keys."""
    monkeypatch.setenv("TRIPTYCH_CONFIG", str(tmp_path / "none.toml"))
    for name in [n for n in os.environ if n.endswith(("_API_KEY", "_BASE_URL"))]:
        monkeypatch.delenv(name)
