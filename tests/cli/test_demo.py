"""``triptych demo`` on drawn clips, and what these hold."""

from __future__ import annotations

from pathlib import Path

import av
import pytest

from triptych.cli import demo_clips

from .conftest import Run


def test_the_drawn_pair_is_what_it_says(drawn: tuple[Path, Path]) -> None:
    seconds = []
    for path in drawn:
        with av.open(str(path)) as container:
            frames = sum(1 for _ in container.decode(video=0))
            seconds.append(frames / demo_clips.FPS)
            assert container.streams.video[0].codec_context.name == "h264"
            assert container.streams.audio[0].codec_context.name == "aac"
    assert seconds == [8.0, 6.4]


def test_drawing_gives_the_same_bytes(drawn: tuple[Path, Path], tmp_path: Path) -> None:
    for first, second in zip(drawn, demo_clips.draw(tmp_path), strict=True):
        assert first.read_bytes() == second.read_bytes()


def test_real_clips_are_taken_where_there_are_any(
    clips: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIPTYCH_CLIPS", str(clips))
    assert [p.name for p in demo_clips.clips(tmp_path)] == list(demo_clips.REAL)
    assert list(tmp_path.iterdir()) == []


def test_demo_shows_a_report_and_says_where_the_page_is(triptych: Run, tmp_path: Path) -> None:
    done = triptych("demo", "-q", cwd=tmp_path, env={"TRIPTYCH_CLIPS": str(tmp_path / "none")})
    assert done.returncode == 0, done.stderr
    page = tmp_path / "demo" / "report.html"
    assert page.is_file()
    assert done.stdout.splitlines()[-1] == f"The page to look at: {page.as_uri()}"
    assert "mirrored" in done.stdout
    assert sorted(p.name for p in page.parent.iterdir()) == [
        "a.mp4",
        "b.mp4",
        "report.html",
        "report.json",
    ]
