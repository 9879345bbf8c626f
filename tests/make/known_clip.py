"""A small clip of which every pixel is known: textured ground, things that move, notes."""

from __future__ import annotations

from fractions import Fraction

import cv2
import numpy as np

import triptych.make.edits  # noqa: F401  (fills EDITS)
from triptych.make.clip import Clip, Sound, Stack
from triptych.make.pixels import to_i420
from triptych.make.registry import EDITS, Context, Made, Parameter

WIDTH, HEIGHT, FPS = 160, 96, Fraction(20)


def make_clip(seconds: float = 4.0, seed: int = 1, sound: bool = True, moving: bool = True) -> Clip:
    rng = np.random.default_rng(seed)
    coarse = rng.integers(40, 216, (HEIGHT // 8, WIDTH // 8, 3), np.uint8)
    ground = np.asarray(cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC))
    frames = []
    for i in range(round(seconds * FPS)):
        rgb = ground.copy()
        # Goes right, then wraps; a second one goes down only once, so that time has a direction.
        x = (i * 3) % (WIDTH - 20) if moving else 30
        rgb[20:44, x : x + 20] = (230, 60, 40)
        y = min(i, HEIGHT - 20) if moving else 10
        rgb[y : y + 16, 120:140] = (40, 80, 220)
        frames.append(to_i420(rgb))
    track = None
    if sound:
        rate = 16000
        t = np.arange(round(seconds * rate)) / rate
        pitch = 300 + 200 * rng.random(int(seconds * 4) + 1)[(t * 4).astype(int)]
        row = 0.3 * np.sin(2 * np.pi * pitch * t) * (0.3 + 0.7 * (np.sin(9 * t) > 0))
        track = Sound(row.astype(np.float32)[None], rate)
    return Clip(Stack(np.stack(frames)), FPS, track)


def made(clip: Clip, name: str, parameter: Parameter, seed: int = 0, donor: Clip | None = None
         ) -> Made:  # fmt: skip
    """The edit ``name`` put on ``clip``."""
    return EDITS[name].apply(clip, parameter, Context(np.random.default_rng(seed), donor))
