"""Markers for an editor."""

from __future__ import annotations

import csv

import pytest

from triptych.record.report import Evidence
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
        (1.0, 30000 / 1001, "00:00:01:00"),
        (0.98, 30000 / 1001, "00:00:00:29"),
        (0.019, 25, "00:00:00:00"),
        (0.02, 25, "00:00:00:01"),
        (0.059, 25, "00:00:00:01"),
        (1.499999, 30, "00:00:01:15"),
        (1.500001, 30, "00:00:01:15"),
        (1.001, 30000 / 1001, "00:00:01:00"),
        (3600, 30000 / 1001, "00:59:56:12"),
        (0.9999, 120, "00:00:01:000"),
        (0.9909, 120, "00:00:00:119"),
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


def test_rows_that_are_alike_stand_once(make_report, tmp_path):
    report = make_report()
    report.findings[0].evidence *= 3
    report.videos[1].damage *= 2
    write_markers(report, tmp_path / "m.csv")
    lines = (tmp_path / "m.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(set(lines)) == 5


def test_several_moments_have_a_row_of_their_whole_stretch(make_report, tmp_path):
    report = make_report(findings=make_report().findings[:1])
    report.videos[1].damage = []
    report.findings[0].evidence = [
        Evidence(video="A", start_s=1.0, end_s=1.0),
        Evidence(video="A", start_s=3.0, end_s=3.5),
        Evidence(video="A", start_s=2.0, end_s=2.0),
        Evidence(video="B", start_s=0.5, end_s=1.5),
        Evidence(video="B", start_s=0.7, end_s=0.8),
        Evidence(video="B", start_s=0.7, end_s=0.8),
    ]
    write_markers(report, tmp_path / "m.csv")
    rows = [(r["video"], r["start_s"], r["end_s"], r["shows"]) for r in read(tmp_path / "m.csv")]
    assert rows == [
        ("A", "1.000000", "1.000000", ""),
        ("A", "1.000000", "3.500000", "from the first moment to the last"),
        ("A", "2.000000", "2.000000", ""),
        ("A", "3.000000", "3.500000", ""),
        ("B", "0.500000", "1.500000", ""),
        ("B", "0.700000", "0.800000", ""),
    ]


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
