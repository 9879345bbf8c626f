"""Two clips for the demonstration: a real pair where there is one, else drawn ones."""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import numpy.typing as npt

from triptych.record.files import atomic_path

U8 = npt.NDArray[np.uint8]

REAL = ("skv_carphone_pristine.mp4", "skv_carphone_distorted.mp4")

WIDTH, HEIGHT, FPS = 640, 360, 25
SECONDS = 8.0
RATE = 32_000
#: What the second drawn clip does to the first.
SPEED = 1.25
TITLES = ("SPRING SALE", "SUMMER SALE")
WARMTH = (1.12, 1.0, 0.86)
#: A tune of one note each half second, Hz.
NOTES = (262, 330, 392, 523, 440, 349, 294, 494, 392, 262, 587, 330, 440, 523, 294, 392)


def clips(folder: Path) -> tuple[Path, Path]:
    """A and B. Drawn ones are written into ``folder``.

    Real ones are looked for in the folder that ``TRIPTYCH_CLIPS`` names.
    """
    if named := os.environ.get("TRIPTYCH_CLIPS"):
        a, b = (Path(named) / name for name in REAL)
        if a.is_file() and b.is_file():
            return a, b
    return draw(folder)


def draw(folder: Path) -> tuple[Path, Path]:
    """Draw A, and B: A mirrored, 1.25 times as fast, warmer, and with another word on it."""

    def first(t: float) -> U8:
        return _titled(_scene(t), TITLES[0])

    def second(t: float) -> U8:
        mirrored = _scene(t * SPEED)[:, ::-1]
        warm = np.clip(mirrored * np.array(WARMTH), 0, 255).astype(np.uint8)
        return _titled(warm, TITLES[1])

    a, b = folder / "a.mp4", folder / "b.mp4"
    _write(a, first, _tune(1.0), SECONDS)
    _write(b, second, _tune(SPEED), SECONDS / SPEED)
    return a, b


def _scene(t: float) -> U8:
    """A van drives past hills and houses while the sun climbs; RGB (h, w, 3) at ``t`` seconds."""
    sky = np.linspace((96, 150, 214), (206, 226, 240), HEIGHT)[:, None, :]
    picture = np.ascontiguousarray(np.broadcast_to(sky, (HEIGHT, WIDTH, 3)), np.uint8)
    cv2.circle(picture, (520 - int(8 * t), 110 - int(6 * t)), 26, (250, 222, 120), -1, cv2.LINE_AA)
    x = np.arange(WIDTH)
    hills = 215 + 22 * np.sin(x / 71) + 9 * np.sin(x / 23)
    outline = np.stack([x, hills], 1).astype(np.int32)
    corners = np.array([[WIDTH, HEIGHT], [0, HEIGHT]], np.int32)
    cv2.fillPoly(picture, [np.concatenate([outline, corners])], (92, 142, 88))
    for left, wide, high, colour in ((40, 70, 80, (176, 88, 70)), (130, 50, 110, (196, 176, 140))):
        cv2.rectangle(picture, (left, 280 - high), (left + wide, 280), colour, -1)
        for row in range(280 - high + 12, 266, 24):
            cv2.rectangle(picture, (left + 12, row), (left + 24, row + 12), (240, 232, 180), -1)
    cv2.rectangle(picture, (0, 280), (WIDTH, HEIGHT), (82, 82, 88), -1)
    for dash in range(-40, WIDTH, 80):
        cv2.rectangle(picture, (dash, 318), (dash + 36, 323), (226, 226, 214), -1)
    van = int(-90 + 92 * t)
    cv2.rectangle(picture, (van, 238), (van + 96, 296), (52, 92, 168), -1)
    cv2.rectangle(picture, (van + 66, 248), (van + 90, 270), (188, 216, 232), -1)
    for wheel in (van + 22, van + 74):
        cv2.circle(picture, (wheel, 298), 13, (28, 28, 30), -1, cv2.LINE_AA)
        spoke = (int(10 * np.cos(5 * t)), int(10 * np.sin(5 * t)))
        cv2.line(picture, (wheel, 298), (wheel + spoke[0], 298 + spoke[1]), (200, 200, 200), 2)
    return picture


def _titled(picture: U8, title: str) -> U8:
    picture = np.ascontiguousarray(picture)
    cv2.putText(
        picture, title, (196, 60), cv2.FONT_HERSHEY_DUPLEX, 1.3, (24, 24, 40), 3, cv2.LINE_AA
    )
    return picture


def _tune(speed: float) -> npt.NDArray[np.float32]:
    """The tune played ``speed`` times as fast at the same pitch, as an editing program does."""
    heard = np.arange(int(SECONDS / speed * RATE)) / RATE
    t = heard * speed
    note = np.array(NOTES)[(t * 2).astype(int) % len(NOTES)]
    fade = np.minimum(1, 12 * np.minimum(t * 2 % 1, 1 - t * 2 % 1))
    return np.asarray(0.25 * fade * np.sin(2 * np.pi * note * heard), np.float32)


def _write(
    path: Path, picture: Callable[[float], U8], sound: npt.NDArray[np.float32], seconds: float
) -> None:
    with atomic_path(path) as temporary, av.open(str(temporary), "w", format="mp4") as container:
        video = container.add_stream("libx264", rate=FPS)
        video.width, video.height, video.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        video.thread_count = 1
        video.options = {"crf": "20", "preset": "veryfast"}
        audio = container.add_stream("aac", rate=RATE)
        audio.layout = "mono"
        for i in range(round(seconds * FPS)):
            frame = av.VideoFrame.from_ndarray(picture(i / FPS), format="rgb24")
            frame.pts, frame.time_base = i, Fraction(1, FPS)
            container.mux(video.encode(frame))
        container.mux(video.encode(None))
        samples = av.AudioFrame.from_ndarray(sound[None], format="fltp", layout="mono")
        samples.sample_rate, samples.pts, samples.time_base = RATE, 0, Fraction(1, RATE)
        container.mux(audio.encode(samples))
        container.mux(audio.encode(None))
