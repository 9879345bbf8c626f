"""Pages and aligned videos of files about which little is known."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from triptych.record.errors import ChangedError
from triptych.record.report import Alignment, Media
from triptych.report.html import write_html
from triptych.report.side_by_side import write_side_by_side
from triptych.report.terminal import to_text


@pytest.fixture
def one_frame(tmp_path):
    from PIL import Image

    path = tmp_path / "one.gif"
    Image.new("RGB", (31, 17), (200, 30, 30)).save(path)
    return path


def test_a_single_frame_of_odd_size(make_report, one_frame, tmp_path):
    bare = [Media(id=i, path=str(one_frame)) for i in "AB"]
    report = make_report(videos=bare, findings=[], alignment=Alignment(matched=False, score=0))
    write_html(report, tmp_path / "r.html")
    assert "size not known" in (tmp_path / "r.html").read_text("utf-8")
    write_side_by_side(report, tmp_path / "s.mp4")
    assert (tmp_path / "s.mp4").stat().st_size > 0
    assert "size not known" in to_text(report)


def test_evidence_outside_of_the_video(make_report, tmp_path):
    report = make_report()
    e = report.findings[2].evidence[0]
    e.start_s = e.end_s = e.frame_s = 99.0
    e.box = [-50, 100, 900, 900]
    write_html(report, tmp_path / "r.html", video=False)
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "left:0.0%;top:83.333%;width:100.0%;height:16.667%" in page
    write_side_by_side(report, tmp_path / "s.mp4")


def test_values_of_any_kind_are_shown(make_report, tmp_path):
    report = make_report()
    values = {"A": None, "B": {"x": [1, 2.5, {"y": True}]}, "C": "é" * 1000}
    report.findings[0].values = values
    assert report.findings[0].measure is not None
    report.findings[0].measure.values = values
    write_html(report, tmp_path / "r.html", video=False)
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "x: 1, 2.5, y: yes" in page
    assert "not known" in page
    assert "é" * 300 not in page


@pytest.mark.parametrize("write", [write_html, write_side_by_side])
def test_a_file_that_changes_while_it_is_shown(make_report, tmp_path, write):
    """Other pictures than the report is about are worse than no page."""
    report = make_report()
    for media in report.videos:
        copy = tmp_path / f"{media.id}.mp4"
        copy.write_bytes(Path(media.path).read_bytes())
        media.path = str(copy)

    def progress(stage, share):
        if stage != "frames of A" and share < 1:
            os.utime(tmp_path / "B.mp4", ns=(0, 0))

    with pytest.raises(ChangedError, match=r"B\.mp4: changed while it was being read"):
        write(report, tmp_path / "page.mp4", progress=progress)
    assert not (tmp_path / "page.mp4").exists()
