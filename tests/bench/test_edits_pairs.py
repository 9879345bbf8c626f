"""Reading the truth of a set, hostile ones included."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from triptych.bench.edits_pairs import read_pairs, sample
from triptych.record.errors import NotFoundError, UnreadableError

from .hand_made import pair


def write(folder: Path, *rows: dict[str, Any] | str) -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (folder / "truth.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def line(ident: str, **changes: Any) -> dict[str, Any]:
    return pair(ident).model_dump(mode="json") | {"facts": []} | changes


def test_reads_what_was_written(tmp_path: Path) -> None:
    write(tmp_path, line("one", must=["style: noise"], alignment={"speed": 2.0}), line("two"))
    first, second = read_pairs(tmp_path)
    assert (first.id, first.must, first.alignment.speed) == ("one", ("style: noise",), 2.0)
    assert second.alignment.direction == "forward"


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([], "holds no pairs"),
        (["{torn"], "is not a truth"),
        (['["a"]'], "is not a truth"),
        ([{"id": "x", "a": "a", "b": "b", "facts": []}], "pair 1 is not one of a made set"),
        ([line("x", alignment={"direction": "up"})], "alignment.direction"),
        ([line("x", b="../../etc/passwd")], "outside the set"),
        ([line("x", a="/etc/passwd")], "outside the set"),
        ([line("x"), line("x")], "id of another"),
    ],
)
def test_what_is_no_truth(tmp_path: Path, rows: list[Any], told: str) -> None:
    with pytest.raises(UnreadableError, match=told):
        read_pairs(write(tmp_path, *rows))


def test_no_set(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="make pairs writes it"):
        read_pairs(tmp_path)


def test_a_sample_is_spread_over_edits_and_strengths() -> None:
    cells = [("blur", "light", 20), ("blur", "heavy", 5), ("crf", "control", 1)]
    pairs = [pair(f"{e}-{s}-{i}", edit=e, strength=s) for e, s, n in cells for i in range(n)]
    taken = sample(pairs, 9, seed=1)
    assert Counter((p.edit, p.strength) for p in taken) == {
        ("blur", "light"): 4, ("blur", "heavy"): 4, ("crf", "control"): 1,
    }  # fmt: skip
    assert [pairs.index(p) for p in taken] == sorted(pairs.index(p) for p in taken)
    assert taken == sample(pairs, 9, seed=1) != sample(pairs, 9, seed=2)
    assert sample(pairs, 100, seed=1) == sample(pairs, None, seed=1) == pairs
