"""Mirroring and rotation: of pictures as numbers, and of clips that ffmpeg made and turned."""

from __future__ import annotations

import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest

from triptych.diff.compare import compare
from triptych.diff.options import Options
from triptych.diff.position import both_ways
from triptych.diff.thresholds import MIRROR_MARGIN
from triptych.measure.pairs import Pair
from triptych.media.frame import I420, U8
from triptych.record.report import Finding

ENCODE = ["-an", "-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-pix_fmt", "yuv420p"]


def ffmpeg(*args: str) -> None:
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *args], check=True)


def _pair(a: U8, b: U8) -> Pair:
    grey = np.full((a.shape[0] // 2, a.shape[1] // 2), 128, np.uint8)
    return Pair(0.0, 0.0, I420(a, grey, grey), I420(b, grey, grey), np.ones(a.shape, np.bool_))


def _title() -> U8:
    black = np.full((120, 200), 16, np.uint8)
    cv2.putText(black, "RED 7", (40, 70), cv2.FONT_HERSHEY_SIMPLEX, 1.0, 235, 2)
    return black


def test_a_title_on_black_tells_mirrored_from_not() -> None:
    title = _title()
    as_found, otherwise = both_ways([_pair(title, title)])
    assert as_found == pytest.approx(1.0)
    assert otherwise < 1 - 3 * MIRROR_MARGIN


@pytest.mark.parametrize("axis", [0, 1])
def test_a_symmetric_picture_does_not(axis: int) -> None:
    title = _title()
    both = np.maximum(title, np.flip(title, axis))
    as_found, otherwise = both_ways([_pair(both, both)])
    assert as_found - otherwise < MIRROR_MARGIN


def test_a_plain_picture_does_not() -> None:
    plain = np.full((120, 200), 90, np.uint8)
    assert both_ways([_pair(plain, plain)]) == (0.0, 0.0)
    assert both_ways([]) == (0.0, 0.0)


def told(a: Path, b: Path) -> dict[str, Finding]:
    report = compare(a, b, Options(only=("mirroring", "rotation", "direction", "speed")))
    assert report.alignment.matched
    return {f.aspect: f for f in report.findings if f.dimension != "motion"}


def test_a_mirrored_still_is_mirrored_and_has_no_direction(tmp_path: Path) -> None:
    a, b = tmp_path / "a.mp4", tmp_path / "b.mp4"
    still = "mandelbrot=size=256x144:start_scale=0.8,trim=end_frame=1,loop=60:1,setpts=N/25/TB"
    ffmpeg("-f", "lavfi", "-i", still, "-r", "25", *ENCODE, "-crf", "16", str(a))
    ffmpeg("-i", str(a), "-vf", "hflip", *ENCODE, "-crf", "26", str(b))
    found = told(a, b)
    assert found["mirroring"].relation == "different"
    assert found["direction"].relation == "unknown"
    assert found["speed"].relation == "unknown"
    assert found["direction"].values == {}


def test_a_symmetric_clip_is_not_said_to_be_unmirrored(tmp_path: Path) -> None:
    a, b = tmp_path / "a.mp4", tmp_path / "b.mp4"
    half = "mandelbrot=size=128x144:rate=12:start_scale=1.2:end_pts=60,split[l][r];[r]hflip[m]"
    ffmpeg("-f", "lavfi", "-i", f"{half};[l][m]hstack", "-t", "3", *ENCODE, "-crf", "16", str(a))
    ffmpeg("-i", str(a), *ENCODE, "-crf", "20", str(b))
    found = told(a, b)
    assert found["mirroring"].relation == "unknown"
    assert "symmetric" in found["mirroring"].statement
    assert found["direction"].relation == "same"
    assert found["speed"].relation == "same"
