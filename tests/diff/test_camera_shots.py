"""Shots of two versions of a film of two scenes, put together by the ffmpeg program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from known_clips import ENCODE, differing, edit, ffmpeg, film, report_of, told

from triptych.record.report import Finding


def listed(f: Finding, name: str) -> list[dict[str, Any]]:
    """The transitions of A or B."""
    value = f.values[name]
    assert isinstance(value, list)
    return value


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("scenes")
    first = film(folder / "1.mp4", seconds=4, seed=1, ground=77)
    return first, film(folder / "2.mp4", seconds=4, start=4, seed=2, ground=5)


def joined(scenes: tuple[Path, Path], out: Path, graph: str) -> Path:
    """Both scenes through a filter graph with inputs 0 and 1."""
    inputs = [x for s in scenes for x in ("-i", s)]
    ffmpeg(*inputs, "-filter_complex", graph, *ENCODE, "-crf", "16", "-r", "25", out)
    return out


@pytest.fixture(scope="module")
def cut(scenes: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cut") / "cut.mp4"
    # Half a second of either scene is left out, where the other version blends them.
    graph = "[0]trim=0:3.5[a];[1]trim=0.5:4,setpts=PTS-STARTPTS[b];[a][b]concat"
    return joined(scenes, out, graph)


@pytest.fixture(scope="module")
def blend(scenes: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("blend") / "blend.mp4"
    return joined(scenes, out, "[0][1]xfade=transition=fade:duration=1:offset=3")


def test_a_copy_has_the_same_shots(cut: Path, tmp_path: Path) -> None:
    report = report_of(cut, edit(cut, tmp_path / "b.mp4", "scale=192:108"))
    (f,) = told(report, "camera", "shots")
    assert f.relation == "same"
    for name in ("A", "B"):
        (found,) = listed(f, name)
        assert found["kind"] == "cut"
        assert found["time_s"] == pytest.approx(3.5, abs=0.05)


@pytest.mark.parametrize("look", ["reverse", "setpts=PTS/2,fps=25", "eq=brightness=-0.3"])
def test_the_same_cut_elsewhere_in_time_is_the_same(cut: Path, tmp_path: Path, look: str) -> None:
    report = report_of(cut, edit(cut, tmp_path / "b.mp4", look))
    assert "camera: shots" not in differing(report)


def test_a_dissolve_in_place_of_a_cut_differs(cut: Path, blend: Path) -> None:
    (f,) = told(report_of(cut, blend), "camera", "shots")
    assert f.relation == "different"
    assert [x["kind"] for x in listed(f, "A")] == ["cut"]
    (found,) = listed(f, "B")
    assert found["kind"] == "dissolve"
    assert [found["start_s"], found["end_s"]] == pytest.approx([3.0, 4.0], abs=0.1)
    assert {e.video for e in f.evidence} == {"A", "B"}


def test_a_stretch_cut_out_is_no_other_shot(clip: Path, tmp_path: Path) -> None:
    look = "select='not(between(t,1.8,3.0))',setpts=N/25/TB"
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", look))
    assert "camera: shots" not in differing(report)


def test_unrelated_videos_have_their_own_shots(scenes: tuple[Path, Path], cut: Path) -> None:
    (f,) = told(report_of(scenes[0].parent / "2.mp4", cut), "camera", "shots")
    assert f.relation != "different"
    assert listed(f, "A") == []
    assert len(listed(f, "B")) == 1
