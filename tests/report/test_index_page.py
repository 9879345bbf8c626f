"""The index of two folders and its summary for CI."""

from __future__ import annotations

import json

from triptych.report.index import IndexRow, summary, write_index


def rows(make_report):
    all_same = dict.fromkeys(make_report().dimensions, "same")
    return [
        IndexRow("b.mp4", make_report(dimensions=all_same, verdict="Same."), "b.mp4.html"),
        IndexRow("a.mp4", make_report(), "a.mp4.html"),
        IndexRow("c.mp4", make_report(dimensions=all_same | {"sound": "unknown"}), "c.html"),
        IndexRow("d.mp4", only_in="A"),
        IndexRow("e.mp4", failure="e.mp4: no video stream"),
    ]


def test_summary_counts_every_file(make_report):
    found = summary(rows(make_report))
    assert found["files"] == 5 == sum(found["counts"].values())
    assert found["counts"] == {
        "different": 1,
        "failed": 1,
        "only in A": 1,
        "only in B": 0,
        "unknown": 1,
        "same": 1,
    }
    assert [r["name"] for r in found["results"]] == [f"{c}.mp4" for c in "abcde"]
    assert found["results"][4]["failure"] == "e.mp4: no video stream"
    assert json.loads(json.dumps(found)) == found


def test_exit_code_is_that_of_diff(make_report):
    all_rows = rows(make_report)
    assert summary(all_rows)["exit_code"] == 2
    assert summary(all_rows[:4])["exit_code"] == 1
    assert summary([all_rows[3]])["exit_code"] == 1
    assert summary([all_rows[0], all_rows[2]])["exit_code"] == 0
    assert summary([])["exit_code"] == 0


def test_what_needs_looking_at_comes_first(make_report, tmp_path):
    write_index(rows(make_report), tmp_path / "index.html", folders=("old", "new"))
    page = (tmp_path / "index.html").read_text("utf-8")
    order = [page.index(f"<bdi>{c}.mp4</bdi>") for c in "aedcb"]
    assert order == sorted(order)
    assert "5 files: 1 different, 1 failed, 1 only in A, 1 unknown, 1 same." in page
    assert "e.mp4: no video stream" in page
