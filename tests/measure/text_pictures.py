"""Pictures with known text, and frames made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from triptych.measure.survey import analysis_size
from triptych.measure.text_sampling import TextFrames, TextSampler
from triptych.media.frame import I420, U8

Drawn = tuple[str, int, tuple[int, int]]  # text, size in pixels, position of its top left corner


def ground(width: int = 640, height: int = 360, seed: int = 1) -> U8:
    """A smooth ground of low contrast, RGB."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(60, 110, (5, 8, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def written(picture: U8, *texts: Drawn, colour: tuple[int, int, int] = (255, 255, 255)) -> U8:
    """``picture`` with texts in Pillow's own font."""
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    for text, size, place in texts:
        draw.text(place, text, font=ImageFont.load_default(size), fill=colour)
    return np.asarray(image, np.uint8)


@dataclass(frozen=True)
class ArrayFrame:
    """A frame held in memory as RGB."""

    picture: U8
    time: Fraction
    duration: Fraction | None = None

    @property
    def width(self) -> int:
        return int(self.picture.shape[1])

    @property
    def height(self) -> int:
        return int(self.picture.shape[0])

    def i420(self, width: int, height: int) -> I420:
        small = cv2.resize(self.picture, (width, height), interpolation=cv2.INTER_AREA)
        y, cr, cb = cv2.split(cv2.cvtColor(small, cv2.COLOR_RGB2YCrCb))
        half = (width // 2, height // 2)
        u, v = (cv2.resize(c, half, interpolation=cv2.INTER_AREA) for c in (cb, cr))
        return I420(np.asarray(y, np.uint8), np.asarray(u, np.uint8), np.asarray(v, np.uint8))

    def luma(self) -> U8:
        return np.asarray(cv2.cvtColor(self.picture, cv2.COLOR_RGB2GRAY), np.uint8)

    def rgb(self, max_side: int | None = None) -> U8:
        scale = min(1.0, (max_side or 10**6) / max(self.width, self.height))
        size = (round(self.width * scale), round(self.height * scale))
        return np.asarray(cv2.resize(self.picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def sampled(pictures: Sequence[U8], fps: int = 4, sampler: TextSampler | None = None) -> TextFrames:
    """What the sampler keeps of ``pictures`` shown at ``fps``."""
    sampler = sampler or TextSampler()
    for n, picture in enumerate(pictures):
        frame = ArrayFrame(picture, Fraction(n, fps), Fraction(1, fps))
        sampler.observe(
            float(frame.time), frame, frame.i420(*analysis_size(frame.width, frame.height))
        )
    return sampler.frames()
