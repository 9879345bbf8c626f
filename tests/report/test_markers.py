"""Markers for an editor."""

from __future__ import annotations

import csv

import pytest

from triptych.report.markers import HEADER, timecode, write_markers


def read(path):
    with path.open(encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def test_values(make_report, tmp_path):
    write_markers(make_report(), tmp_path / "m.csv")
    rows = read(tmp_path / "m.csv")
    assert tuple(rows[0]) == HEADER
    assert [(r["video"], r["aspect"], r["relation"]) for r in rows] == [
        ("A", "speed", "different"),
        ("B", "on-screen text", "different"),
        ("B", "speed", "different"),
        ("B", "damage", "unknown"),
    ]
    text = rows[1]
    assert (text["start_s"], text["end_s"]) == ("0.500000", "1.000000")
    assert (text["start_timecode"], text["end_timecode"]) == ("00:00:00:10", "00:00:01:00")
    assert text["shows"] == "SALE"
    assert text["confidence"] == "0.9"


@pytest.mark.parametrize(
    ("seconds", "fps", "shown"),
    [
        (0, 25, "00:00:00:00"),
        (1.52, 25, "00:00:01:13"),
        (3661.04, 25, "01:01:01:01"),
        (1.0, 30000 / 1001, "00:00:00:29"),
        (1.001, 30000 / 1001, "00:00:01:00"),
        (3600, 30000 / 1001, "00:59:56:12"),
        (0.9999, 120, "00:00:00:119"),
        (1.0, None, "00:00:01.000"),
        (3725.4567, None, "01:02:05.457"),
    ],
)
def test_timecode(seconds, fps, shown):
    # 3600 s at 29.97 fps are frame 107892 = 59 min 56 s and 12 frames of 30.
    assert timecode(seconds, fps) == shown


def test_variable_rates_get_milliseconds(make_report, tmp_path):
    report = make_report()
    report.videos[1].vfr = True
    write_markers(report, tmp_path / "m.csv")
    assert read(tmp_path / "m.csv")[1]["start_timecode"] == "00:00:00.500"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "|", "%", " ="])
def test_no_cell_is_a_formula(make_report, tmp_path, start):
    report = make_report()
    for f in report.findings:
        f.statement = f.aspect = f.id = f"{start}cmd|' /C calc'!A0"
        for e in f.evidence:
            e.shows = f'{start}HYPERLINK("http://e")'
    write_markers(report, tmp_path / "m.csv")
    for row in read(tmp_path / "m.csv"):
        for cell in row.values():
            assert not cell.lstrip().startswith(("=", "+", "-", "@", "|", "%"))


def test_one_line_a_row(make_report, tmp_path):
    report = make_report()
    report.findings[0].statement = 'two\nlines, "quoted"'
    write_markers(report, tmp_path / "m.csv")
    lines = (tmp_path / "m.csv").read_bytes().split(b"\r\n")
    assert len(lines) == 6
    assert read(tmp_path / "m.csv")[0]["statement"] == 'two lines, "quoted"'
