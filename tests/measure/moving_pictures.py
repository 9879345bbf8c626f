"""A little film of known motion, as numbers: what the measurers of repeats look at."""

from __future__ import annotations

import cv2
import numpy as np

from triptych.measure.frozen import Moving
from triptych.measure.repeats import Steps, StepSampler
from triptych.measure.survey import Thumbs
from triptych.media.frame import I420, U8

FPS = 25


def film(moments: list[float], noise: float = 0.0, seed: int = 1, grain: float = 0.0) -> list[U8]:
    """Luma (90, 160) with a textured thing at the place that belongs to each moment, seconds.

    With ``grain``, the blur of its texture in pixels, a longer way changes the picture more.
    """
    rng = np.random.default_rng(seed)
    ground = np.asarray(cv2.GaussianBlur(rng.uniform(40, 200, (90, 160)), (0, 0), 4), np.float64)
    thing = rng.uniform(20, 235, (40, 40))
    if grain:
        thing = np.asarray(cv2.GaussianBlur(thing, (0, 0), grain), np.float64)
        thing = 128 + (thing - 128) * 50 / thing.std()
    out = []
    for t in moments:
        picture = ground.copy()
        x = round(60 + 55 * np.sin(0.9 * t))
        y = round(25 + 20 * np.cos(0.7 * t))
        picture[y : y + 40, x : x + 40] = thing
        if noise:
            picture += rng.normal(0, noise, picture.shape)
        out.append(np.clip(picture, 0, 255).astype(np.uint8))
    return out


def observed(pictures: list[U8], fps: float = FPS) -> Steps:
    """The film as the observer sees it."""
    sampler = StepSampler()
    for i, y in enumerate(pictures):
        grey = np.full((y.shape[0] // 2, y.shape[1] // 2), 128, np.uint8)
        sampler.observe(i / fps, None, I420(y, grey, grey))  # type: ignore[arg-type]
    return sampler.steps()


def moving(pictures: list[U8], fps: float = FPS) -> Moving:
    """The film with its thumbnails."""
    small = [np.asarray(cv2.resize(y, (48, 48), interpolation=cv2.INTER_AREA)) for y in pictures]
    times = np.arange(len(pictures)) / fps
    return Moving(observed(pictures, fps), Thumbs(times, np.stack(small).astype(np.uint8)))
