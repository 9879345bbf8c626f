"""Light over time and its words."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from triptych.diff.background import level_needed, shade
from triptych.diff.compare import compare
from triptych.diff.options import Options


def test_a_fade_is_placed_in_time(tmp_path: Path) -> None:
    a, b = tmp_path / "a.mp4", tmp_path / "b.mp4"
    source = ["-f", "lavfi", "-i", "mandelbrot=size=320x180:rate=15:start_scale=1.2:end_pts=90"]
    encode = ["-t", "4", "-an", "-c:v", "libx264", "-threads", "1", "-pix_fmt", "yuv420p"]
    for path, look in ((a, "eq=contrast=0.7"), (b, "eq=contrast=0.7,fade=out:st=2.8:d=1.6")):
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", *source, "-vf", look, *encode, str(path)],
            check=True,
        )
    report = compare(a, b, Options(only=("background: lighting",)))
    found = report.findings[0]
    assert found.relation == "different"
    assert "for a time" in found.statement
    assert min(e.start_s for e in found.evidence) >= 2.7


@pytest.mark.parametrize(
    ("tint", "word"),
    [
        (complex(-5, 4), "warmer by about"),
        (complex(5, -3), "cooler by about"),
        (complex(-4, -4), "greener"),
        (complex(4, 3), "more magenta"),
    ],
)
def test_tints_have_names(tint: complex, word: str) -> None:
    assert shade(tint).startswith(word)


def test_dark_pictures_need_less() -> None:
    assert level_needed(20) < level_needed(120)
