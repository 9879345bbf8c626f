"""Camera movement and stability against edits by the ffmpeg program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from known_clips import SECONDS, differing, edit, report_of, told

from triptych.record.report import Finding, Report

ASPECTS = {"camera: movement", "camera: stability", "camera: shots"}


def camera(report: Report) -> set[str]:
    return differing(report) & ASPECTS


@pytest.mark.parametrize("look", ["scale=192:108", "crop=208:118:20:8,scale=256:144", "hflip"])
def test_a_constant_framing_is_no_movement(clip: Path, tmp_path: Path, look: str) -> None:
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", look))
    assert camera(report) == set()
    for aspect in ("movement", "stability", "shots"):
        assert [f.relation for f in told(report, "camera", aspect)] == ["same"]


def moving(x: str, y: str) -> str:
    """A window of 236x132 at (x, y), pixels of the clip, in steps of a quarter of a pixel."""
    return f"scale=1024:576,crop=944:528:'4*({x})':'4*({y})',scale=256:144:flags=bicubic"


def of_whole(f: Finding, seconds: float = SECONDS) -> tuple[dict[str, Any], float]:
    """What B does, and the share of the clip over which it was measured."""
    assert f.relation == "different"
    value = f.values["B"]
    assert isinstance(value, dict)
    return value, (value["end_s"] - value["start_s"]) / seconds


@pytest.mark.parametrize(
    ("x", "y", "kind", "direction"),
    [
        ("20*t/5", "6", "pan", "right"),
        ("20-20*t/5", "6", "pan", "left"),
        ("10", "12*t/5", "tilt", "down"),
        ("10", "12-12*t/5", "tilt", "up"),
    ],
)
def test_a_moving_window_is_a_pan_or_tilt(
    clip: Path, tmp_path: Path, x: str, y: str, kind: str, direction: str
) -> None:
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", moving(x, y)))
    value, share = of_whole(told(report, "camera", "movement")[0])
    assert (value["kind"], value["direction"]) == (kind, direction)
    wanted = 100 * (20 / 236 if kind == "pan" else 12 / 132)
    assert share > 0.5
    assert value["percent"] == pytest.approx(wanted * share, abs=0.8)
    assert told(report, "camera", "stability")[0].relation != "different"


def test_a_turning_picture_is_a_roll(clip: Path, tmp_path: Path) -> None:
    b = edit(clip, tmp_path / "b.mp4", "rotate=8*PI/180*t/5:bilinear=1")
    value, share = of_whole(told(report_of(clip, b), "camera", "movement")[0])
    assert value["kind"] == "roll"
    assert value["picture_clockwise_deg"] == pytest.approx(8 * share, abs=0.5)


def test_a_growing_picture_is_a_zoom_in(clip: Path, tmp_path: Path) -> None:
    grow = "scale=w='2*round(128*(1+0.12*t/5))':h='2*round(72*(1+0.12*t/5))':eval=frame"
    b = edit(clip, tmp_path / "b.mp4", f"{grow},crop=256:144")
    value, share = of_whole(told(report_of(clip, b), "camera", "movement")[0])
    assert (value["kind"], value["direction"]) == ("zoom", "in")
    assert value["factor"] == pytest.approx(1.12**share, abs=0.015)


def test_who_moves_is_said_the_right_way_round(clip: Path, tmp_path: Path) -> None:
    a = edit(clip, tmp_path / "a.mp4", moving("20*t/5", "6"))
    (f,) = told(report_of(a, clip), "camera", "movement")
    assert f.relation == "different"
    assert f.values["B"] == {"kind": "static"}
    assert isinstance(f.values["A"], dict)
    assert (f.values["A"]["kind"], f.values["A"]["direction"]) == ("pan", "right")


@pytest.mark.parametrize("other_way", [False, True])
def test_a_jittering_window_is_shake(clip: Path, tmp_path: Path, *, other_way: bool) -> None:
    # Sines that no two samples repeat: sigma 2.1 and 1.4 pixels of 236, RMS of both axes 0.76 %.
    jitter = moving("10+3*sin(n*2.1)", "6+2*sin(n*2.7+1)")
    b = edit(clip, tmp_path / "b.mp4", jitter)
    report = report_of(b, clip) if other_way else report_of(clip, b)
    (f,) = told(report, "camera", "stability")
    assert f.relation == "different"
    shaky = "A" if other_way else "B"
    assert f.statement.startswith(f"{shaky}'s picture shakes")
    value = f.values[shaky]
    assert isinstance(value, dict)
    assert value["sigma_percent"] == pytest.approx(0.76, abs=0.3)
    assert told(report, "camera", "movement")[0].relation != "different"


@pytest.mark.parametrize("look", ["setpts=PTS/1.5,fps=25", "fps=20", "reverse"])
def test_another_pace_is_no_other_camera(clip: Path, tmp_path: Path, look: str) -> None:
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", look))
    assert camera(report) == set()
