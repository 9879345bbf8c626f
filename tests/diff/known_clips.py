"""Clips of a made scene, and edits of them by the ffmpeg program: truth that is not our own."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from triptych.diff.compare import compare
from triptych.diff.options import Options
from triptych.record.report import Finding, Report

SIZE, FPS, SECONDS = (256, 144), 25, 5

#: Everything but what takes seconds: text, speech and people have tests of their own.
QUICK = ("text", "speech", "people")
ENCODE = ("-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-pix_fmt", "yuv420p")


def ffmpeg(*args: str | Path) -> None:
    """Run the ffmpeg program; an error is the test's."""
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, args)], check=True)


@cache
def _texture(seed: int, width: int, height: int, grain: float) -> npt.NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    noise = cv2.GaussianBlur(rng.standard_normal((height, width, 3)), (0, 0), grain)
    return np.asarray(np.clip(125 + 50 * noise / noise.std(), 10, 245), np.float32)


def scene(t: float, seed: int, ground: int) -> npt.NDArray[np.uint8]:
    """RGB (h, w, 3): three things move before the ground; ``seed`` sets how, ``ground`` where."""
    out = _texture(ground, *SIZE, 3.0).copy()
    rng = np.random.default_rng(seed)
    for k, side in enumerate((52, 42, 34)):
        fx, fy, px, py = rng.uniform([0.8, 0.8, 0, 0], [1.6, 1.6, 6.28, 6.28])
        x = (SIZE[0] - side) * (0.5 + 0.47 * np.sin(fx * t + px))
        y = (SIZE[1] - side) * (0.5 + 0.47 * np.sin(fy * t + py))
        thing = _texture(10 * seed + k + 1, side, side, 2.0)
        move = np.array([[1, 0, x], [0, 1, y]], np.float32)
        cover = cv2.warpAffine(np.ones((side, side), np.float32), move, SIZE)[..., None]
        out = out * (1 - cover) + cv2.warpAffine(thing, move, SIZE) * cover
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def film(
    path: Path, seconds: float = SECONDS, start: float = 0.0, seed: int = 1, ground: int = 77
) -> Path:
    """Encode the scene nearly without loss."""
    frames = [scene(start + i / FPS, seed, ground) for i in range(round(seconds * FPS))]
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{SIZE[0]}x{SIZE[1]}", "-r", str(FPS)]
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", *raw, "-i", "-", *ENCODE, "-crf", "14", path],
        input=np.stack(frames).tobytes(),
        check=True,
    )
    return path


def edit(source: Path, out: Path, look: str, *args: str) -> Path:
    """``source`` through a filter chain, encoded anew at CRF 20."""
    ffmpeg("-i", source, "-vf", look, *ENCODE, "-crf", "20", *args, out)
    return out


def report_of(a: Path, b: Path, **options: object) -> Report:
    """The report without the slow measurers."""
    return compare(a, b, Options(**{"skip": QUICK, **options}))  # type: ignore[arg-type]


def differing(report: Report) -> set[str]:
    """The aspects that are said to differ, as ``dimension: aspect``."""
    return {f"{f.dimension}: {f.aspect}" for f in report.findings if f.relation == "different"}


def told(report: Report, dimension: str, aspect: str) -> list[Finding]:
    """The findings on one aspect."""
    return [f for f in report.findings if (f.dimension, f.aspect) == (dimension, aspect)]
