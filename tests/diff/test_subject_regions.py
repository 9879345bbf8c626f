"""Regions and layout, end to end: clips that ffmpeg made and drew upon."""

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


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three seconds of a zoom into the Mandelbrot set, 384x216."""
    path = tmp_path_factory.mktemp("regions") / "base.mp4"
    source = "mandelbrot=size=384x216:rate=12:start_scale=1.2:end_pts=60"
    ffmpeg("-f", "lavfi", "-i", source, "-t", "3", *ENCODE, "-crf", "16", str(path))
    return path


def found(a: Path, b: Path) -> tuple[list[Finding], Finding]:
    report = compare(a, b, Options(only=("regions", "layout")))
    assert report.alignment.matched
    regions = [f for f in report.findings if f.aspect == "regions"]
    (layout,) = (f for f in report.findings if f.aspect == "layout")
    return regions, layout


def drawn(base: Path, path: Path, look: str) -> Path:
    ffmpeg("-i", str(base), "-vf", look, *ENCODE, "-crf", "20", str(path))
    return path


def _pattern(x: int, y: int) -> str:
    """A sign of four bright and dark fields, 48x40, at (x, y)."""
    fields = [(0, 0, "white"), (24, 0, "red"), (0, 20, "blue"), (24, 20, "white")]
    return ",".join(f"drawbox={x + dx}:{y + dy}:24:20:{colour}:t=fill" for dx, dy, colour in fields)


def test_a_sign_is_told_with_its_box_and_seconds(base: Path, tmp_path: Path) -> None:
    fields = _pattern(300, 20).replace("t=fill", "t=fill:enable='gte(t,1.5)'")
    (region,), layout = found(base, drawn(base, tmp_path / "b.mp4", fields))
    assert region.relation == "different"
    assert layout.relation == "same"
    value = region.values["B"]
    assert isinstance(value, dict)
    assert value["box"] == pytest.approx([300, 20, 48, 40], abs=7)
    ((start, end),) = value["spans"]
    assert (start, end) == (pytest.approx(1.5, abs=0.2), pytest.approx(3.0, abs=0.1))
    boxes = [(e.video, e.box) for e in region.evidence]
    assert {v for v, _ in boxes} == {"A", "B"}
    for _, box in boxes:  # nothing moved, so the place is the same in both
        assert box == pytest.approx([300, 20, 48, 40], abs=7)


def test_a_sign_that_went_elsewhere_is_layout(base: Path, tmp_path: Path) -> None:
    a = drawn(base, tmp_path / "a.mp4", _pattern(300, 20))
    b = drawn(base, tmp_path / "b.mp4", _pattern(30, 150))
    (region,), layout = found(a, b)
    assert layout.relation == "different"
    assert region.relation == "same"
    assert layout.statement == "what A shows at the top right stands at the bottom left in B"


def test_a_grade_is_neither(base: Path, tmp_path: Path) -> None:
    (region,), layout = found(
        base, drawn(base, tmp_path / "b.mp4", "eq=contrast=0.7:saturation=0.5")
    )
    assert (region.relation, layout.relation) == ("same", "same")


def test_a_sign_on_a_turned_picture_is_boxed_in_both(base: Path, tmp_path: Path) -> None:
    b = drawn(base, tmp_path / "b.mp4", f"{_pattern(300, 20)},hflip")
    (region,), _ = found(base, b)
    for e in region.evidence:
        left = 300 if e.video == "A" else 384 - 300 - 48
        assert e.box == pytest.approx([left, 20, 48, 40], abs=7)


def test_a_small_bold_thing_is_found_in_the_seconds_that_match(base: Path, tmp_path: Path) -> None:
    b = tmp_path / "b.mp4"  # a second of something else goes before
    other = "testsrc2=size=384x216:rate=12:duration=1"
    look = "[1]drawbox=320:180:12:14:red:t=fill,format=yuv420p[x];[0]format=yuv420p[o];[o][x]concat"
    ffmpeg(
        "-f", "lavfi", "-i", other, "-i", str(base), "-lavfi", look, *ENCODE, "-crf", "20", str(b)
    )
    (region,), _ = found(base, b)
    assert region.relation == "different"
    assert region.statement.startswith("in B something ")
    assert "at the bottom right (" in region.statement
    value = region.values["B"]
    assert isinstance(value, dict)
    assert value["box"] == pytest.approx([320, 180, 12, 14], abs=7)
    ((start, end),) = value["spans"]
    assert (start, end) == (pytest.approx(1.0, abs=0.1), pytest.approx(4.0, abs=0.1))


def test_what_could_be_seen_is_said(base: Path, tmp_path: Path) -> None:
    (region,), _ = found(base, drawn(base, tmp_path / "b.mp4", "null"))
    assert region.relation == "same"
    assert "larger than about 0.55 % of the picture" in region.statement
    assert region.measure is not None
    assert region.measure.threshold is not None
    value = region.measure.values["B"]
    assert isinstance(value, float)
    assert value < region.measure.threshold
