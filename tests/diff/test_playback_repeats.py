"""Freezes, held frames and loops, end to end: clips that ffmpeg made and changed."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from triptych.diff.compare import compare
from triptych.diff.options import Options
from triptych.record.report import Finding

ENCODE = ["-an", "-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-pix_fmt", "yuv420p"]


def ffmpeg(*args: str) -> None:
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *args], check=True)


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four seconds of a zoom into the Mandelbrot set, 256x144 at 25 fps: it never repeats."""
    path = tmp_path_factory.mktemp("repeats") / "base.mp4"
    source = "mandelbrot=size=256x144:rate=25:start_scale=1.2:end_pts=60:end_scale=0.1"
    ffmpeg("-f", "lavfi", "-i", source, "-t", "4", *ENCODE, "-crf", "16", str(path))
    return path


def found(base: Path, tmp_path: Path, look: str, *before: str) -> dict[str, list[Finding]]:
    path = tmp_path / "b.mp4"
    ffmpeg(*before, "-i", str(base), "-vf", look, *ENCODE, "-crf", "20", str(path))
    report = compare(base, path, Options(only=("playback technique", "motion")))
    assert report.alignment.matched
    out: dict[str, list[Finding]] = {}
    for f in report.findings:
        out.setdefault(f.aspect, []).append(f)
    return out


def values(finding: Finding, video: str) -> list[Any]:
    value = finding.values[video]
    assert isinstance(value, list)
    return value


def different(findings: dict[str, list[Finding]]) -> set[str]:
    return {name for name, fs in findings.items() if any(f.relation == "different" for f in fs)}


def test_a_pause_is_a_freeze_and_nothing_is_repeated(base: Path, tmp_path: Path) -> None:
    got = found(base, tmp_path, "loop=loop=25:size=1:start=40,setpts=N/25/TB")
    assert "frozen frames" in different(got)
    assert not {"looping", "repeated or dropped frames", "timing"} & different(got)
    (finding,) = got["frozen frames"]
    ((start, end),) = values(finding, "B")
    assert (start, end) == (pytest.approx(1.6, abs=0.09), pytest.approx(2.64, abs=0.09))
    assert values(finding, "A") == []
    assert {e.video for e in finding.evidence} == {"A", "B"}


def test_frames_held_at_irregular_moments(base: Path, tmp_path: Path) -> None:
    # Frames 7, 12, 19 ... are left out and the one before is shown again in their place.
    gone = "+".join(f"eq(n,{n})" for n in (7, 12, 19, 33, 36, 52, 60, 77, 85, 86))
    got = found(base, tmp_path, f"select='not({gone})',fps=25:round=near")
    assert different(got) == {"repeated or dropped frames"}
    times = values(got["repeated or dropped frames"][0], "B")
    assert {round(t * 25) for t in times} <= {7, 12, 19, 33, 36, 52, 60, 77, 85, 86}


def test_a_regular_cadence_is_no_difference(base: Path, tmp_path: Path) -> None:
    got = found(base, tmp_path, "fps=20,fps=25")
    assert different(got) == set()


def test_a_loop_is_told_once(base: Path, tmp_path: Path) -> None:
    got = found(base, tmp_path, "null", "-stream_loop", "1")
    assert different(got) == {"looping"}
    assert got["looping"][0].values == {"A": 1, "B": pytest.approx(2.0, abs=0.05)}
    assert not different({"timing": got["timing"]})


def test_one_still_picture_holds_nothing(base: Path, tmp_path: Path) -> None:
    still = tmp_path / "a.mp4"
    ffmpeg("-i", str(base), "-vf", "loop=loop=75:size=1,trim=end_frame=75", *ENCODE, str(still))
    got = found(still, tmp_path, "null")["repeated or dropped frames"]
    assert [f.relation for f in got] == ["same"]
