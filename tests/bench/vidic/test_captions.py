"""Response files: joined on paths, whatever their index says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triptych.bench.vidic.captions import name_videos, read_responses, write_responses
from triptych.bench.vidic.load import read_checklist
from triptych.record.errors import SourceError

from .made_lists import entry, item, write


def response(name: str, index: Any = 0, text: Any = "said") -> Any:
    paths = {"video1_path": f"{name}/a.mp4", "video2_path": f"{name}/b.mp4"}
    return {"index": index, **paths, "response": text}


@pytest.fixture
def three(tmp_path: Path) -> Any:
    rows = [entry(n, [item()], [], index=i) for i, n in enumerate("pqr")]
    return read_checklist(write(tmp_path / "c.json", rows))


def test_published_responses_are_joined(vidic_data: Path) -> None:
    checklist = read_checklist(vidic_data / "checklist_v1_first150.json")
    path = vidic_data / "example_response_for_those.json"
    captions, problems, notes = read_responses(path, checklist)
    rows = json.loads(path.read_text("utf-8"))
    by_path = {(r["video1_path"], r["video2_path"]): r["response"] for r in rows}
    assert len(captions) == 150
    for pair, caption in zip(checklist.pairs, captions, strict=True):
        assert caption.failed is None
        assert len(caption.text) <= len(by_path[pair.a, pair.b])
    assert "In Video A, there is one person" in captions[0].text
    assert problems == []
    assert any("+1" in n for n in notes)


def test_order_and_index_do_not_matter_but_are_told(tmp_path: Path, three: Any) -> None:
    rows = [response("r", 3, "R"), response("p", 1, "P"), response("./q", 7, "Q")]
    captions, problems, notes = read_responses(write(tmp_path / "r.json", rows), three)
    assert [c.text for c in captions] == ["P", "Q", "R"]
    assert [(p.kind, p.where) for p in problems] == [("wrong index", "response 2")]
    assert len(notes) == 1


def test_what_is_wrong_with_responses(tmp_path: Path, three: Any) -> None:
    turned = response("q") | {"video1_path": "q/b.mp4", "video2_path": "q/a.mp4"}
    rows = [
        response("p", 0, ""), turned, response("x"), {"index": 1, "response": "by index"}, "text",
        response("p", 0, "again"), response("r", 0, None),
    ]  # fmt: skip
    captions, problems, _ = read_responses(write(tmp_path / "r.json", rows), three)
    assert [(c.text, bool(c.failed)) for c in captions] == [("", False), ("", True), ("", True)]
    assert sorted((p.kind, p.where) for p in problems) == [
        ("bad response", "response 3"), ("bad response", "response 4"),
        ("bad response", "response 6"), ("duplicate response", "response 5"),
        ("empty caption", "entry 0"), ("response without a pair", "response 1"),
        ("response without a pair", "response 2"),
    ]  # fmt: skip
    assert any("other way round" in p.what for p in problems)


def test_responses_that_are_none(tmp_path: Path, three: Any) -> None:
    with pytest.raises(SourceError, match="not a response file"):
        read_responses(write(tmp_path / "r.json", {"a": 1}), three)


def test_written_responses_are_read_back(tmp_path: Path, three: Any) -> None:
    rows = [response(n, i, n * 3) for i, n in enumerate("pqr")]
    captions, _, _ = read_responses(write(tmp_path / "r.json", rows), three)
    write_responses(tmp_path / "w.json", three.pairs, captions)
    assert read_responses(tmp_path / "w.json", three) == (captions, [], [])


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("In the Source video, x. In the Destination video, y.", "In Video A, x. In Video B, y."),
        ("Source: x. Destination: y.", "Video A: x. Video B: y."),
        ("A light source, a destination.", "A light source, a destination."),
        ("The Source of light is left.", "The Source of light is left."),
    ],
)
def test_other_words_for_the_videos(text: str, plain: str) -> None:
    assert name_videos(text) == plain
