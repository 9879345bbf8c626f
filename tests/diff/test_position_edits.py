"""Mirroring and rotation by ffmpeg's filters."""

from __future__ import annotations

from pathlib import Path

import pytest
from known_clips import differing, edit, report_of, told


@pytest.mark.parametrize(
    ("look", "mirrored", "word"),
    [("hflip", "horizontal", "mirrored"), ("vflip", "vertical", "upside down")],
)
def test_mirroring(clip: Path, tmp_path: Path, look: str, mirrored: str, word: str) -> None:
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", look))
    assert differing(report) == {"position: mirroring"}
    assert report.alignment.mirrored == mirrored
    assert word in report.verdict
    (f,) = told(report, "position", "mirroring")
    assert f.values == {"A": "none", "B": mirrored}
    assert {e.video for e in f.evidence} == {"A", "B"}


@pytest.mark.parametrize(
    ("look", "degrees"),
    [
        ("transpose=1", 90.0),
        ("transpose=2", -90.0),
        ("hflip,vflip", 180.0),
        ("rotate=8*PI/180", 8.0),
        ("rotate=-20*PI/180", -20.0),
    ],
)
def test_rotation(clip: Path, tmp_path: Path, look: str, degrees: float) -> None:
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", look))
    # Half a turn is the same either way round.
    off = ((report.alignment.rotation_deg or 0.0) - degrees + 180) % 360 - 180
    assert off == pytest.approx(0, abs=0.3)
    assert report.alignment.mirrored == "none"
    assert "position: rotation" in differing(report)
    allowed = {"position: rotation", "style: sharpness", "style: bars", "camera: framing"}
    assert differing(report) <= allowed
