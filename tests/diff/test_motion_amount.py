"""How much moves, and which way, end to end: clips that ffmpeg made and changed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from triptych.diff.compare import compare
from triptych.diff.options import Options
from triptych.record.report import Finding

ENCODE = ["-an", "-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-pix_fmt", "yuv420p"]


def ffmpeg(*args: str) -> None:
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *args], check=True)


def make(path: Path, x: str) -> Path:
    """Three seconds in which a patterned square goes over a patterned ground to ``x``."""
    ground = "mandelbrot=size=320x180:rate=1:start_scale=1.2:end_pts=60:inner=convergence"
    thing = "mandelbrot=size=64x64:rate=1:start_scale=0.4:end_pts=60:inner=convergence"
    look = (
        "[0]loop=loop=50:size=1,setpts=N/15/TB,fps=15[g];[1]loop=loop=50:size=1,setpts=N/15/TB,"
        f"fps=15[t];[g][t]overlay=x={x}:y=60:eval=frame"
    )
    ffmpeg(
        *("-f", "lavfi", "-t", "1", "-i", ground, "-f", "lavfi", "-t", "1", "-i", thing),
        *("-filter_complex", look, "-t", "3", *ENCODE, "-crf", "18", str(path)),
    )
    return path


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("motion") / "base.mp4", "20+70*t")


def found(a: Path, b: Path) -> dict[str, Finding]:
    report = compare(a, b, Options(only=("amount", "direction", "timing")))
    assert report.alignment.matched
    return {f.aspect: f for f in report.findings if f.dimension == "motion"}


def test_the_same_motion_darker_and_softer(base: Path, tmp_path: Path) -> None:
    path = tmp_path / "b.mp4"
    ffmpeg("-i", str(base), "-vf", "eq=brightness=-0.1,gblur=1.5", *ENCODE, str(path))
    got = found(base, path)
    assert {name: f.relation for name, f in got.items() if name != "timing"} == {
        "amount": "same",
        "direction": "same",
    }


def test_a_mirrored_picture_moves_the_other_way(base: Path, tmp_path: Path) -> None:
    path = tmp_path / "b.mp4"
    ffmpeg("-i", str(base), "-vf", "hflip", *ENCODE, str(path))
    got = found(base, path)
    assert got["amount"].relation == "same"
    assert got["direction"].relation == "different"
    assert got["direction"].values == {"A": "right", "B": "left"}
