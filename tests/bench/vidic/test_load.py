"""What is read from a checklist, and what is said of a bad one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from triptych.bench.vidic.load import find_checklist, read_checklist, video
from triptych.record.errors import SourceError

from .made_lists import entry, item, write


def kinds(path: Path) -> list[tuple[str, str]]:
    return [(p.kind, p.where) for p in read_checklist(path).problems]


def test_published_versions_are_read_whole(vidic_data: Path) -> None:
    first = read_checklist(vidic_data / "checklist_v1_first150.json")
    asked = [q for p in first.pairs for q in p.questions]
    assert (len(first.pairs), len(asked), first.problems) == (150, 613, ())
    assert sum(q.side == "Differences" for q in asked) == 474
    assert {q.correct for q in asked if q.side == "Similarities"} == {"no"}
    draft = read_checklist(vidic_data / "checklist_draft_with_categories_first40.json")
    several = [q.categories for p in draft.pairs for q in p.questions if len(q.categories) > 1]
    assert ("Subject Quantity", "Clothing and accessories") in several


def test_fields_that_are_missing_or_wrong(tmp_path: Path) -> None:
    rows: list[Any] = [
        entry("p", [item(), {"question": "no class?", "correct_answer": "Yes "}], []),
        "no object",
        {"video1_path": "a.mp4", "structured_analysis": {"Differences": [item(correct="perhaps")]}},
        entry("q", [item(correct="no"), item(question="")], "no list"),
        entry("r", [], [item(correct=None)], index="x"),
        entry("s", [7], []) | {"structured_analysis": None},
    ]
    path = write(tmp_path / "c.json", rows)
    assert kinds(path) == [
        ("missing field", "0/Differences/1"),
        ("missing field", "entry 1"),
        ("missing field", "entry 2"),
        ("wrong answer", "2/Differences/0"),
        ("missing field", "entry 3"),
        ("wrong answer", "3/Differences/0"),
        ("missing field", "3/Differences/1"),
        ("wrong answer", "4/Similarities/0"),
        ("missing field", "entry 5"),
        ("missing field", "entry 5"),
    ]
    read = read_checklist(path)
    assert len(read.pairs) == len(rows)
    assert [len(p.questions) for p in read.pairs] == [2, 0, 1, 2, 1, 0]
    assert read.pairs[2].wrong == "video2_path is missing"
    assert read.pairs[0].questions[1].klass == "no class"


def test_duplicates_are_named_and_stay(tmp_path: Path) -> None:
    rows = [entry("p", [item()], []), entry("q", [item()], []), entry("./p", [item()], [])]
    path = write(tmp_path / "c.json", rows)
    assert kinds(path) == [("duplicate pair", "entry 2")]
    assert len(read_checklist(path).pairs) == 3


@pytest.mark.parametrize("name", ["../x.mp4", "/etc/passwd", "a/../../x.mp4", "..\\x.mp4", "C:\\x"])
def test_no_path_leaves_its_folder(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / "c.json", [entry("p", [item()], [], video1_path=name)])
    (tmp_path.parent / "x.mp4").touch()
    read = read_checklist(path)
    assert [p.kind for p in read.problems] == ["path outside"]
    assert read.pairs[0].wrong
    with pytest.raises(SourceError):
        video(tmp_path, name)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "x.mp4").touch()
    (tmp_path / "set" / "l.mp4").symlink_to("../x.mp4")
    with pytest.raises(SourceError, match="leads out"):
        video(tmp_path / "set", "l.mp4")
    with pytest.raises(SourceError, match="no such file"):
        video(tmp_path / "set", "gone.mp4")
    (tmp_path / "set" / "m.mp4").touch()
    assert video(tmp_path / "set", "m.mp4").name == "m.mp4"


def test_the_checklist_of_a_folder(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no checklist"):
        find_checklist(tmp_path)
    write(tmp_path / "other.json", {"a": 1})
    write(tmp_path / "set.json", [entry("p", [item()], [])])
    assert find_checklist(tmp_path).name == "set.json"
    write(tmp_path / "set2.json", [entry("p", [item()], [])])
    with pytest.raises(SourceError, match="more than one"):
        find_checklist(tmp_path)
    write(tmp_path / "checklist.json", [entry("p", [item()], [])])
    assert find_checklist(tmp_path).name == "checklist.json"


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", "[" * 100_000, "[[]]", '[{"a":1}]'])
def test_what_is_no_checklist(tmp_path: Path, text: str) -> None:
    path = tmp_path / "c.json"
    path.write_text(text, "utf-8")
    with pytest.raises(SourceError):
        read_checklist(path)
