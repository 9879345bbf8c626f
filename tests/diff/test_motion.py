"""Timing: what was removed, put in or moved, with its seconds."""

from __future__ import annotations

from pathlib import Path

import pytest
from known_clips import differing, edit, ffmpeg, film, report_of, told


def test_removed_from_the_middle(clip: Path, tmp_path: Path) -> None:
    look = "select='lt(n,50)+gte(n,75)',setpts=N/25/TB"
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", look))
    assert "motion: timing" in differing(report)
    assert "playback technique: speed" not in differing(report)
    (f,) = told(report, "motion", "timing")
    assert f.values["A"] == pytest.approx([2, 3], abs=0.1)
    assert f.values["B"] is None
    assert [e.video for e in f.evidence] == ["A"]
    assert "is not in B" in f.statement


def test_removed_and_inserted_are_each_others_mirror(clip: Path, tmp_path: Path) -> None:
    b = edit(clip, tmp_path / "b.mp4", "select='lt(n,50)+gte(n,75)',setpts=N/25/TB")
    (f,) = told(report_of(b, clip), "motion", "timing")
    assert f.values["B"] == pytest.approx([2, 3], abs=0.15)
    assert "is not in A" in f.statement


def test_other_footage(clip: Path, work: Path, tmp_path: Path) -> None:
    other, b = film(work / "put_in.mp4", seconds=1, seed=8, ground=79), tmp_path / "b.mp4"
    graph = "[0:v]trim=0:2,setpts=PTS-STARTPTS[x];[0:v]trim=2,setpts=PTS-STARTPTS[y];"
    graph += "[x][1:v][y]concat=n=3:v=1:a=0"
    ffmpeg("-i", clip, "-i", other, "-filter_complex", graph, "-c:v", "libx264", "-crf", "18", b)
    (f,) = told(report_of(clip, b, only=("motion: timing",)), "motion", "timing")
    assert f.values["B"] == pytest.approx([2, 3], abs=0.15)
