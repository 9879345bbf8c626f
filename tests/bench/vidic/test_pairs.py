"""Pairs without questions, in every form that they come in; no path leaves its folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych.bench.vidic.pairs import read_pairs
from triptych.record.errors import NotFoundError, SourceError, UnreadableError, UsageError

from .made_lists import entry, item, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("p/a", "p/b", "q/a", "q/b"):
        path = tmp_path / f"{name}.mp4"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x")
    return tmp_path


def csv(folder: Path, text: str, name: str = "pairs.csv") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_two_videos(folder: Path) -> None:
    a, b = str(folder / "p/a.mp4"), str(folder / "q/b.mp4")
    (pair,) = read_pairs([a, b])
    assert (pair.a, pair.b, pair.wrong) == (a, b, None)
    with pytest.raises(NotFoundError, match="give two video files"):
        read_pairs([a, str(folder)])
    for given in ([], [a, b, a]):
        with pytest.raises(UsageError):
            read_pairs(given)
    with pytest.raises(UsageError, match="--videos"):
        read_pairs([a, b], videos=folder)


@pytest.mark.parametrize("columns", ["video1_path,video2_path", "a,b", "note,b,a"])
def test_lists_of_every_form_say_the_same(folder: Path, columns: str) -> None:
    names = columns.split(",")
    row = {"a": "p/a.mp4", "b": "./p//b.mp4", "video1_path": "p/a.mp4", "note": "x",
           "video2_path": "p/b.mp4"}  # fmt: skip
    table = csv(folder, columns + "\r\n" + ",".join(row[n] for n in names) + "\r\n")
    lists = [table, folder / "l.json", folder / "l.jsonl"]
    lists[1].write_text(json.dumps([{n: row[n] for n in names}]), "utf-8-sig")
    lists[2].write_text(json.dumps({n: row[n] for n in names}) + "\n\n", "utf-8")
    for path in lists:
        (pair,) = read_pairs([str(path)])
        assert pair.wrong is None and pair.id == "entry 0"
        assert (Path(pair.a), Path(pair.b)) == (folder / "p/a.mp4", folder / "p/b.mp4")
    assert read_pairs([str(folder)])[0].a == str(folder / "p/a.mp4")  # the only CSV file


def test_a_checklist_with_or_without_questions(folder: Path) -> None:
    rows = [entry("p", [item()], []), entry("q", [], [])]
    write(folder / "checklist.json", rows)
    csv(folder, "a,b\nq/a.mp4,q/b.mp4\n")
    pairs = read_pairs([str(folder)])
    assert [p.wrong for p in pairs] == [None, None] and len(pairs) == 2
    drawn = {read_pairs([str(folder)], limit=1, seed=s)[0].id for s in range(20)}
    assert drawn == {"entry 0", "entry 1"}
    (folder / "lists").mkdir()
    moved = write(folder / "lists/c.json", rows)
    assert all(p.wrong for p in read_pairs([str(moved)]))
    assert not any(p.wrong for p in read_pairs([str(moved)], videos=folder))


def test_what_is_wrong_with_a_pair_is_told(folder: Path) -> None:
    outside = folder.parent / f"{folder.name}-outside.mp4"
    outside.write_bytes(b"x")
    (folder / "link.mp4").symlink_to(outside)
    rows = [
        {"a": "p/a.mp4", "b": "p/b.mp4"},
        {"a": "../x.mp4", "b": "p/b.mp4"}, {"a": "p/a.mp4", "b": str(outside)},
        {"a": "p/a.mp4", "b": "C:\\x.mp4"}, {"a": "p/a.mp4", "b": "link.mp4"},
        {"a": "p/a.mp4", "b": "gone.mp4"}, {"a": "p/a.mp4", "b": "p"}, {"a": "p/a.mp4"},
        {"a": 7, "b": None}, {"a": "p/a.mp4", "b": "\0"}, {"a": " ", "b": " "}, 7, None, ["p", "q"],
    ]  # fmt: skip
    path = folder / "l.json"
    path.write_text(json.dumps(rows), "utf-8")
    pairs = read_pairs([str(path)])
    assert [p.id for p in pairs] == [f"entry {i}" for i in range(len(rows))]
    assert pairs[0].wrong is None and all(p.wrong for p in pairs[1:])
    for i, said in {1: "leads out", 2: "absolute", 3: "absolute", 4: "leads out", 5: "no such",
                    6: "no such", 7: "is missing"}.items():  # fmt: skip
        assert said in (pairs[i].wrong or ""), i


@pytest.mark.parametrize(
    "text", ["", "a,b\n", "x,y\n1,2\n", "a,b\n\n", "a,b\n../x,../y\n", 'a,b\n"' + "x" * 200_000]
)
def test_a_table_without_pairs_is_none(folder: Path, text: str) -> None:
    with pytest.raises(UnreadableError):
        read_pairs([str(csv(folder, text))])


def test_what_is_no_list_at_all(folder: Path) -> None:
    (folder / "bytes.csv").write_bytes(b"\xff\xfe\x00a")
    (folder / "no.json").write_text("{}")
    for name in ("bytes.csv", "no.json", "gone.csv", "gone", "p"):
        with pytest.raises(SourceError):
            read_pairs([str(folder / name)])
