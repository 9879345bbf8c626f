"""Stills and clips of a few frames: what they show is told, what only time shows is not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from triptych.diff.compare import compare
from triptych.diff.options import Options
from triptych.record.report import Report

SKIP = Options(skip=("text", "speech", "sound"))
NEVER = {"direction", "speed", "looping", "frozen frames", "amount", "movement"}


def ffmpeg(*args: str | Path) -> None:
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *args], check=True)


def different(report: Report) -> set[str]:
    for f in report.findings:
        if f.aspect in NEVER:
            assert f.relation == "unknown", f.statement
    return {f.aspect for f in report.findings if f.relation == "different"}


@pytest.fixture
def still(clips: Path, tmp_path: Path) -> Path:
    ffmpeg("-ss", "1", "-i", clips / "skv_bikes.mp4", "-frames:v", "1", tmp_path / "a.png")
    return tmp_path / "a.png"


def test_pictures_are_compared_as_pictures(still: Path, clips: Path) -> None:
    assert different(compare(still, still, SKIP)) == set()
    mirrored, other = still.with_name("m.png"), still.with_name("o.png")
    ffmpeg("-i", still, "-vf", "hflip", mirrored)
    assert different(compare(still, mirrored, SKIP)) == {"mirroring"}
    ffmpeg("-ss", "1", "-i", clips / "skv_carphone_pristine.mp4", "-frames:v", "1", other)
    report = compare(still, other, SKIP)
    assert not report.alignment.matched
    assert "regions" in different(report)


@pytest.mark.parametrize("frames", [2, 5])
@pytest.mark.parametrize("name", ["skv_bikes.mp4", "skv_carphone_pristine.mp4"])
def test_a_few_frames_are_not_told_from_their_reverse(
    clips: Path, tmp_path: Path, name: str, frames: int
) -> None:
    a, b, again = tmp_path / "a.mp4", tmp_path / "b.mp4", tmp_path / "again.mp4"
    x264 = ("-an", "-c:v", "libx264", "-crf", "16", "-pix_fmt", "yuv420p")
    ffmpeg("-ss", "1", "-i", clips / name, "-frames:v", str(frames), *x264, a)
    ffmpeg("-i", a, "-vf", "reverse", *x264, b)
    ffmpeg("-i", a, *x264, again)
    assert different(compare(a, again, SKIP)) == set()
    report = compare(a, b, SKIP)
    assert different(report) == set()
    assert f"{frames} frames" in report.verdict or "unknown" in report.verdict
