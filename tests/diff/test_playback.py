"""Speed and direction as findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from known_clips import FPS, differing, edit, report_of, told


@pytest.mark.parametrize(
    ("speed", "words"),
    [(2.0, "at twice the speed"), (0.5, "at half the speed"), (1.1, "at 1.1 times the speed")],
)
def test_speed(clip: Path, tmp_path: Path, speed: float, words: str) -> None:
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", f"setpts=PTS/{speed},fps={FPS}"))
    assert "playback technique: speed" in differing(report)
    assert {x.split(":")[0] for x in differing(report)} <= {"playback technique", "motion"}
    assert "motion: timing" not in differing(report)
    assert words in report.verdict
    (f,) = told(report, "playback technique", "speed")
    assert f.values["B"] == pytest.approx(speed, rel=0.02)
    assert f.confidence > 0.8


def test_direction(clip: Path, tmp_path: Path) -> None:
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", "reverse"))
    assert "playback technique: direction" in differing(report)
    allowed = {"playback technique: direction", "motion: direction", "camera: movement"}
    assert differing(report) <= allowed
    assert "played backwards" in report.verdict


def test_a_loop_is_a_loop_and_no_insertion(clip: Path, tmp_path: Path) -> None:
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", "loop=1:125:0"))
    assert "playback technique: looping" in differing(report)
    assert "motion: timing" not in differing(report)
