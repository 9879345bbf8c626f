"""The real program, and small clips made without ffmpeg."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

PROGRAM = [sys.executable, "-m", "triptych"]
#: Leaves out what takes seconds to load; what it measures is tested elsewhere.
FAST = ["--skip", "text,speech,people"]


def environment(**changes: str) -> dict[str, str]:
    """As in a plain shell: no colour wishes, no debugging, whoever runs the tests."""
    plain = {
        k: v
        for k, v in os.environ.items()
        if k not in ("NO_COLOR", "FORCE_COLOR", "TRIPTYCH_DEBUG", "COLUMNS", "PYTHONWARNINGS")
    }
    return plain | changes


def start(*args: str | Path, **options: Any) -> subprocess.Popen[bytes]:
    """Start the program; Ctrl-C reaches it even where the tests themselves ignore it."""
    return subprocess.Popen(
        [*PROGRAM, *map(os.fspath, args)],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
        **({"env": environment()} | options),
    )


@pytest.fixture(scope="session")
def triptych() -> Run:
    """Run the program to its end: ``triptych("diff", a, b, env={...}, cwd=...)``."""

    def run(
        *args: str | Path, env: dict[str, str] | None = None, **options: Any
    ) -> subprocess.CompletedProcess[str]:
        defaults: dict[str, Any] = {"stdin": subprocess.DEVNULL, "timeout": 120}
        if "input" in options:
            del defaults["stdin"]
        return subprocess.run(
            [*PROGRAM, *map(os.fspath, args)],
            env=environment(**(env or {})),
            capture_output=True,
            encoding="utf-8",
            **(defaults | options),
        )

    return run


def picture(t: float, shift: int = 0) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """A textured field with a bright square that moves; RGB (96, 128, 3)."""
    y, x = np.mgrid[0:96, 0:128]
    field = 90 + 50 * np.sin((x + shift) / 7) * np.cos(y / 5) + 20 * np.sin((x * y) / 97)
    rgb = np.stack([field, np.roll(field, 9, 1), np.roll(field, 5, 0)], 2)
    left, top = 10 + int(38 * t), 30 + int(12 * np.sin(3 * t))
    rgb[top : top + 20, left : left + 20] = (240, 220, 60)
    return np.clip(rgb, 0, 255).astype(np.uint8)


def write_clip(path: Path, *, seconds: float = 2.0, crf: int = 18, **how: Any) -> Path:
    """H.264 at 15 frames a second. ``mirror`` turns it, ``dim`` makes it darker."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=15)
        stream.width, stream.height, stream.pix_fmt = 128, 96, "yuv420p"
        stream.options = {"crf": str(crf), "preset": "veryfast", "threads": "1"}
        for i in range(round(seconds * 15)):
            rgb = picture(i / 15)
            if how.get("mirror"):
                rgb = np.ascontiguousarray(rgb[:, ::-1])
            if how.get("dim"):
                rgb = (rgb * how["dim"]).astype(np.uint8)
            frame = av.VideoFrame.from_ndarray(rgb, format="rgb24")
            frame.pts, frame.time_base = i, Fraction(1, 15)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seconds of moving picture."""
    return write_clip(tmp_path_factory.mktemp("clips") / "base.mp4")


@pytest.fixture(scope="session")
def again(base: Path) -> Path:
    """The same moving picture, encoded again."""
    return write_clip(base.with_name("again.mp4"), crf=21)


@pytest.fixture(scope="session")
def mirrored(base: Path) -> Path:
    """The same moving picture, mirrored."""
    return write_clip(base.with_name("mirrored.mp4"), mirror=True)


@pytest.fixture(scope="session")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The demonstration's pair: eight seconds with sound and text, and an edit of it."""
    from triptych.cli.demo_clips import draw

    return draw(tmp_path_factory.mktemp("drawn"))
