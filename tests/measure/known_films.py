"""Films whose every moment is known, as surveys: no file, no codec.

A film is a function of time, so that B can show A's moments at any speed, in any order and at any
frame rate, and the truth of the alignment is what the test asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.survey import THUMB_SIDE, Stills, Survey, Thumbs
from triptych.media.frame import I420, U8
from triptych.record.report import Media

FPS = 25.0
SIZE = (160, 90)

Look = Callable[[U8], U8]
F64 = npt.NDArray[np.float64]


@lru_cache(maxsize=64)
def texture(seed: int, width: int, height: int, grain: float = 2.5) -> U8:
    """Smooth noise over the whole range of levels, (height, width)."""
    rng = np.random.default_rng(seed)
    noise = cv2.GaussianBlur(rng.standard_normal((height, width)), (0, 0), grain)
    noise = np.asarray((noise - noise.mean()) / noise.std())
    return np.clip(125 + 50 * noise, 0, 255).astype(np.uint8)


def picture(t: float, seed: int = 0, size: tuple[int, int] = SIZE) -> U8:
    """Luma (h, w) at moment ``t``: three textured things on paths that never meet again."""
    width, height = size
    out = texture(100 + seed, width, height, 3.0).astype(np.float32)
    rng = np.random.default_rng(1000 + seed)
    for k in range(3):
        side = round((0.34 - 0.06 * k) * height)
        fx, fy, px, py = rng.uniform(0.6, 1.3, 2).tolist() + rng.uniform(0, 6.28, 2).tolist()
        x = (width - side) * (0.5 + 0.45 * np.sin(fx * t + px + 0.3 * np.sin(0.37 * t)))
        y = (height - side) * (0.5 + 0.45 * np.sin(fy * t + py))
        thing = texture(200 + 10 * seed + k, side, side, 2.0).astype(np.float32)
        shift = np.array([[1, 0, x], [0, 1, y]], np.float32)
        full = cv2.warpAffine(thing, shift, size)
        cover = cv2.warpAffine(np.ones_like(thing), shift, size)
        out = out * (1 - cover) + full * cover
    return np.clip(out, 0, 255).astype(np.uint8)


def moments(seconds: float, speed: float = 1.0, start: float = 0.0, fps: float = FPS) -> F64:
    """A's moments that ``seconds`` of B show at ``speed`` (negative: backwards) from ``start``."""
    return np.asarray(start + speed * np.arange(round(seconds * fps)) / fps, np.float64)


def survey_of(
    pictures: Sequence[U8],
    fps: float = FPS,
    bars: tuple[int, int, int, int] = (0, 0, 0, 0),
    times: F64 | None = None,
) -> Survey:
    """A survey of luma pictures of one size, each a frame; display pixels are theirs."""
    shown = np.arange(len(pictures)) / fps if times is None else times
    gap = 1 / fps
    height, width = pictures[0].shape
    grey = np.full((height // 2, width // 2), 128, np.uint8)
    small = [
        cv2.resize(y, (THUMB_SIDE, THUMB_SIDE), interpolation=cv2.INTER_AREA) for y in pictures
    ]
    media = Media(
        id="A",
        path="film",
        display_width=width,
        display_height=height,
        duration_s=float(shown[-1]) + gap,
        bars=list(bars),
    )
    return Survey(
        media=media,
        frame_times=shown,
        thumbs=Thumbs(shown, np.stack(small).astype(np.uint8)),
        stills=Stills(shown, [I420(y, grey, grey) for y in pictures]),
        size=(width, height),
    )


def film(
    shown: Sequence[float] | F64,
    look: Look | None = None,
    fps: float = FPS,
    seed: int = 0,
    size: tuple[int, int] = SIZE,
) -> Survey:
    """The film of these moments, every picture changed by ``look``."""
    pictures = [picture(float(t), seed, size) for t in shown]
    return survey_of([y if look is None else look(y) for y in pictures], fps)


def turned(degrees: float, zoom: float = 1.0, shift: tuple[float, float] = (0.0, 0.0)) -> Look:
    """Turn clockwise about the middle, enlarge, then shift by shares of the size."""

    def look(y: U8) -> U8:
        height, width = y.shape
        m = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -degrees, zoom)
        m[:, 2] += shift[0] * width, shift[1] * height
        return np.asarray(cv2.warpAffine(y, m, (width, height)), np.uint8)

    return look


def flipped(y: U8) -> U8:
    """Left to right."""
    return np.ascontiguousarray(y[:, ::-1])


def upside_down(y: U8) -> U8:
    """Top to bottom."""
    return np.ascontiguousarray(y[::-1])


def quarter(y: U8) -> U8:
    """A quarter turn clockwise."""
    return np.ascontiguousarray(np.rot90(y, -1))


def darker(y: U8) -> U8:
    """Less light and less contrast."""
    return np.asarray(0.6 * y.astype(np.float32), np.uint8)
