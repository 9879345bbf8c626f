"""A real pair of small files, and a report about them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from browser_pages import browser, usual, visit, written

from triptych.record.report import (
    Alignment,
    Audio,
    Damage,
    Evidence,
    Finding,
    Measure,
    Media,
    Report,
    Span,
)

__all__ = ["browser", "usual", "visit", "written"]

SIZE = (160, 120)
FPS = 20


def picture(index: int, *, mirrored: bool = False) -> np.ndarray:
    """Frame ``index`` (0 to 127) of A: eight stripes, one white, then the index in binary."""
    bits = [1, *(index >> k & 1 for k in range(6, -1, -1))]
    row = np.repeat([30 + 190 * b for b in bits], SIZE[0] // 8)
    rgb = np.broadcast_to(row[None, :, None], (SIZE[1], SIZE[0], 3)).astype(np.uint8)
    # The lowest fifth is dark, so that no mirroring or turn looks like another.
    rgb[SIZE[1] * 4 // 5 :] = 20
    return rgb[:, ::-1].copy() if mirrored else rgb.copy()


def index_of(rgb: np.ndarray, *, mirrored: bool = False) -> int:
    """The index that a picture shows, whatever its size; -1 where it shows none."""
    height, width = rgb.shape[:2]
    band = rgb[height // 3 : 2 * height // 3].astype(float).mean(axis=(0, 2))
    bits = [int(band[int((k + 0.5) * width / 8)] > 125) for k in range(8)]
    if mirrored:
        bits.reverse()
    return int("".join(map(str, bits[1:])), 2) if bits[0] else -1


@pytest.fixture(scope="session")
def read_index() -> Callable[..., int]:
    """:func:`index_of`, for tests of what a picture shows."""
    return index_of


def write_video(path: Path, frames: list[np.ndarray], fps: int = FPS, sound_s: float = 0.0) -> None:
    """An H.264 file of good quality, with a tone of ``sound_s`` seconds."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=fps)
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        stream.options = {"crf": "12", "preset": "ultrafast", "threads": "1"}
        tone = out.add_stream("aac", rate=32000) if sound_s else None
        for i, rgb in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(rgb, format="rgb24")
            frame.pts, frame.time_base = i, Fraction(1, fps)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
        if tone is not None:
            t = np.arange(round(sound_s * 32000)) / 32000
            samples = (0.2 * np.sin(2 * np.pi * 440 * t)).astype(np.float32)
            audio = av.AudioFrame.from_ndarray(samples[None], format="fltp", layout="mono")
            audio.sample_rate, audio.pts = 32000, 0
            out.mux(tone.encode(audio))
            out.mux(tone.encode(None))


@pytest.fixture(scope="session")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A: 4 s whose frames tell their index, with sound. B: A mirrored, twice as fast."""
    folder = tmp_path_factory.mktemp("pair")
    a, b = folder / "a.mp4", folder / "b.mp4"
    write_video(a, [picture(i) for i in range(80)], sound_s=4.0)
    write_video(b, [picture(i, mirrored=True) for i in range(0, 80, 2)])
    return a, b


@pytest.fixture
def frame_file(tmp_path: Path) -> Callable[..., Path]:
    """Writes a file of A's frame 50 alone, as ``change`` shows it, 2 s long."""

    def write(change: Callable[[np.ndarray], np.ndarray]) -> Path:
        path = tmp_path / "b.mp4"
        write_video(path, [np.ascontiguousarray(change(picture(50)))] * 40)
        return path

    return write


def media(name: str, path: str, duration: float, **more: Any) -> Media:
    values: dict[str, Any] = {
        "container": "mp4",
        "codec": "h264",
        "width": SIZE[0],
        "height": SIZE[1],
        "display_width": SIZE[0],
        "display_height": SIZE[1],
        "fps": FPS,
        "vfr": False,
        "frames": round(duration * FPS),
        "duration_s": duration,
        "start_s": 0,
    }
    return Media(id=name, path=path, **(values | more))


@pytest.fixture(scope="session")
def make_report(pair: tuple[Path, Path]) -> Callable[..., Report]:
    """Makes a report about the pair; arguments replace its fields."""

    def make(**fields: Any) -> Report:
        a, b = map(str, pair)
        values: dict[str, Any] = {
            "created": "2025-01-02T03:04:05Z",
            "verdict": "B is A mirrored, at twice the speed; the rest is the same.",
            "videos": [
                media(
                    "A",
                    a,
                    4.0,
                    audio=Audio(codec="aac", sample_rate=32000, channels=1),
                    notes=["full range, read as such"],
                ),
                media("B", b, 2.0, damage=[Damage(start_s=1.6, end_s=1.7, reason="lost packet")]),
            ],
            "alignment": Alignment(
                matched=True,
                score=0.9,
                runner_up=0.4,
                speed=2.0,
                speed_interval=[1.98, 2.02],
                mirrored="horizontal",
                offset_s=0.0,
                spans=[
                    Span(a=[0, 4], b=[0, 2], speed=2, direction="forward", mirrored="horizontal")
                ],
            ),
            "dimensions": {
                "subject": "different",
                "style": "same",
                "background": "unknown",
                "camera": "same",
                "motion": "same",
                "position": "different",
                "playback technique": "different",
                "sound": "unknown",
            },
            "findings": findings(),
        }
        return Report(**(values | fields))

    return make


def findings() -> list[Finding]:
    """One of each kind that the page treats differently."""
    return [
        Finding(
            id="1",
            dimension="playback technique",
            aspect="speed",
            relation="different",
            statement="B plays A's content twice as fast",
            measure=Measure(name="speed", unit="x", threshold=1.05, values={"B": 2.0}),
            evidence=[
                Evidence(video="A", start_s=2.0, end_s=3.0, frame_s=2.5),
                Evidence(video="B", start_s=1.0, end_s=1.5, frame_s=1.25),
            ],
            confidence=0.98,
        ),
        Finding(
            id="2",
            dimension="position",
            aspect="mirroring",
            relation="different",
            statement="B is mirrored left to right",
            values={"A": "none", "B": "horizontal"},
            confidence=0.99,
        ),
        Finding(
            id="3",
            dimension="subject",
            aspect="on-screen text",
            relation="different",
            statement="B shows “SALE”; A shows no text there",
            measure=Measure(name="words", unit="words", threshold=1, values={"A": 0, "B": 1}),
            evidence=[
                Evidence(
                    video="B",
                    start_s=0.5,
                    end_s=1.0,
                    frame_s=0.75,
                    box=[16, 12, 80, 30],
                    modality="text",
                    shows="SALE",
                )
            ],
            confidence=0.9,
        ),
        Finding(
            id="4",
            dimension="camera",
            aspect="shots",
            relation="same",
            statement="Both have one cut at the same place",
            values={"A": [2.0], "B": [1.0]},
            confidence=0.95,
        ),
        Finding(
            id="5",
            dimension="sound",
            aspect="speech",
            relation="unknown",
            statement="B has no sound to compare",
            confidence=0.3,
        ),
    ]
