"""A model under test behind a real server: what it is shown, and what becomes of what it says."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")

from cli.conftest import write_clip
from models.chat_server import Answer, ChatServer
from triptych.bench.vidic.run_judged import Judging, bench_judged
from triptych.bench.vidic.shown import from_preset, presets
from triptych.models import Patience
from triptych.record.errors import UsageError

from .made_lists import entry, item, write

PATIENCE = Patience(timeout_s=60.0, retries=1, first_s=0.01, most_s=0.02)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Two pairs; the second's Video B is no video. A third has none at all."""
    for name in ("p/a", "p/b", "q/a"):
        write_clip(tmp_path / f"{name}.mp4", seconds=1, mirror=name.endswith("b"))
    (tmp_path / "q/b.mp4").write_bytes(b"no video")
    asked = [item(question="d?")], [item(correct="no", question="s?")]
    return write(tmp_path / "c.json", [entry(n, *asked) for n in ("p", "q", "r")])


def pictures(request: dict[str, Any]) -> list[str]:
    """The lines beside the pictures, in order, of a request that has any."""
    content = request["messages"][-1]["content"]
    if isinstance(content, str):
        return []
    assert sum(p["type"] == "image_url" for p in content) == sum(
        p["type"] == "text" and p["text"].startswith("Video ") for p in content
    )
    return [p["text"] for p in content if p["type"] == "text" and p["text"].startswith("Video ")]


def script(request: dict[str, Any], number: int) -> Answer:
    if pictures(request):
        return Answer("In Video A, x. In Video B, y.")
    return Answer('{"answer": "yes"}' if "Question: d?" in request["messages"][-1]["content"]
                  else '{"answer": "no"}')  # fmt: skip


def test_uniform_frames_of_both_and_nothing_else(made: Path, tmp_path: Path) -> None:
    with ChatServer(script) as server:
        name = f"openai-api/m@{server.url}"
        how = from_preset(frames=3, size=64)
        args: dict[str, Any] = {"model": name, "how": how, "out": tmp_path / "run"}
        found = bench_judged(made, Judging(name, patience=PATIENCE), **args)
        (sent,) = [r for r in server.requests if pictures(r)]
        seen = pictures(sent)
        before = len(server.requests)
        again = bench_judged(made, Judging(name, patience=PATIENCE), **args)
        assert len(server.requests) == before
        reverse = from_preset(frames=3, size=64, reverse=True)
        bench_judged(made, Judging(name, patience=PATIENCE), **args | {"how": reverse})
        turned = pictures(next(r for r in server.requests[before:] if pictures(r)))
    assert [s.split()[1] for s in seen] == ["A"] * 3 + ["B"] * 3
    assert turned == seen[3:] + seen[:3]
    assert "measured" not in json.dumps(sent)
    assert (found.scores.n, found.scores.failed) == (6, 4)
    assert found.scores.scores["Avg"].value == pytest.approx(100 / 3, abs=1e-5)
    assert again.scores.scores == found.scores.scores
    whys = {j.pair: j.failed or "" for j in found.failed}
    assert len(whys) == 2 and all(w.startswith("no caption: ") for w in whys.values())
    assert any("the judge is the model under test" in n for n in found.notes)
    assert any("3 frames of each video at 64" in n for n in found.notes)
    rows = json.loads((tmp_path / "run/captions.json").read_text("utf-8"))
    assert [bool(r["response"]) for r in rows] == [True, False, False]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (Answer(""), "empty caption"),
        (Answer("The camera pans over the hills. " * 20), "repetitive caption"),
        (Answer("In Video A, x.", finish="length"), "cut off caption"),
        (Answer("", finish="content_filter"), "no caption"),
        (Answer(status=400), "no caption"),
    ],
)
def test_odd_captions_are_named(made: Path, tmp_path: Path, said: Answer, kind: str) -> None:
    def answers(request: dict[str, Any], number: int) -> Answer:
        return said if pictures(request) else Answer('{"answer": "no"}')

    with ChatServer(answers) as server:
        name = f"openai-api/m@{server.url}"
        found = bench_judged(
            made, Judging(name, patience=PATIENCE), model=name, how=from_preset(frames=1, size=32),
            out=tmp_path / "run",
        )  # fmt: skip
    named = Counter((p.kind, p.where) for p in found.problems)
    assert named[kind, "entry 0"] == 1
    assert found.scores.n == 6


def test_presets() -> None:
    for name in presets():
        shown = from_preset(name)
        assert (shown.frames is None) != (shown.fps is None)
        assert shown.told
    assert from_preset("keye-vl-1.5").settings.top_p == 0.001
    assert from_preset("qwen3-vl", frames=4).fps is None
    with pytest.raises(UsageError, match="none of"):
        from_preset("nothing")
    with pytest.raises(UsageError, match="one of them"):
        from_preset(frames=1, fps=1)
