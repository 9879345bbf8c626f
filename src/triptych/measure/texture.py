"""Sharpness and noise of single pictures, and the observer that keeps what they need.

Both are properties of pixels at full resolution, which the analysis pictures no longer have; and
both depend on resolution, so what is kept is pixels: two videos are measured only once both were
brought to the lower resolution of the two (:mod:`triptych.measure.texture_compare`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.series import ThinnedSeries
from triptych.media.frame import I420, U8, Frame

F32 = npt.NDArray[np.float32]

#: Samples kept at most, and seconds between the first ones: four from a clip of a second, and
#: from 3 h as many as from a minute. A sample of 720p costs up to 10 ms of a busy processor: 24 s
#: ask for 22.
CAP, STEP = 8, 0.25
#: Pixels kept of a frame, from its middle: 960x540. 9 samples take 5 MB.
MOST_PIXELS = 518_400
#: Share of the pixels that count as the strongest edges, the least gradient (levels a pixel) that
#: is one, and how many there must be.
EDGE_SHARE, EDGE_GRADIENT, EDGE_COUNT = 0.03, 3.0, 50
#: Pixels from which on the strongest are told from a quarter of them.
MANY_PIXELS = 40_000
#: Standard deviation of the re-blur, pixels.
REBLUR = 1.0
#: Blocks in which noise is measured, pixels; the share of flattest ones that is trusted.
NOISE_BLOCK, FLATTEST = 16, 0.1
#: Blocks away from black and white that noise is told from.
ENOUGH_BLOCKS = 8
#: Near black and white noise is cut off, so blocks there say too little, levels.
NOISE_RANGE = (30.0, 225.0)


@dataclass(frozen=True, slots=True)
class TextureSample:
    """Luma (h, w) from the middle of a frame, unscaled, and the area it was taken from.

    ``area``: left, top, right, bottom in shares of the picture.
    """

    luma: U8
    area: tuple[float, float, float, float]


class TextureSampler:
    """Observer that keeps the middle of a few frames, at full resolution, spread over the video."""

    def __init__(self, cap: int = CAP, step: float = STEP) -> None:
        self._kept: ThinnedSeries[TextureSample] = ThinnedSeries(cap, step)

    @property
    def times(self) -> list[float]:
        """Seconds of each sample."""
        return self._kept.times

    @property
    def samples(self) -> list[TextureSample]:
        """The samples, in order of time."""
        return self._kept.items

    def observe(self, time: float, frame: Frame, picture: I420) -> None:
        """Keep the middle of ``frame`` if it is due; ``picture`` is not used."""
        if self._kept.wants(time):
            self._kept.add(time, middle(frame.luma()))


def middle(luma: U8) -> TextureSample:
    """The middle MOST_PIXELS of a (h, w) picture, in its shape, as a copy."""
    h, w = luma.shape
    share = min(1.0, math.sqrt(MOST_PIXELS / (h * w)))
    ch, cw = max(1, round(h * share)), max(1, round(w * share))
    y, x = (h - ch) // 2, (w - cw) // 2
    area = (x / w, y / h, (x + cw) / w, (y + ch) / h)
    return TextureSample(np.array(luma[y : y + ch, x : x + cw], np.uint8), area)


def _gradient(p: F32) -> tuple[F32, F32]:
    """Across and down, without the border, where filters make up how the picture goes on."""
    gx, gy = cv2.Scharr(p, cv2.CV_32F, 1, 0), cv2.Scharr(p, cv2.CV_32F, 0, 1)
    inner = slice(4, -4)
    return np.asarray(gx[inner, inner], np.float32), np.asarray(gy[inner, inner], np.float32)


def _energy(gx: F32, gy: F32) -> F32:
    """Squared levels a pixel."""
    return np.asarray(gx * gx + gy * gy, np.float32) / np.float32(1024.0)


def edge_spread(luma: U8) -> float | None:
    """How far the strongest edges are spread: the sigma of a Gaussian in pixels.

    The gradient's energy along edges over its energy after a known blur: for a step edge of
    spread s the ratio is (s^2 + REBLUR^2) / s^2 (Zhuo and Sim, "Defocus map estimation from a
    single image", Pattern Recognition 44(9), 2011, section 3). Contrast cancels, and what coding
    takes away, weak texture, has little energy. ``None`` where there are too few edges.
    """
    if min(luma.shape) < 16:
        return None
    sharp = luma.astype(np.float32)
    after = _energy(*_gradient(np.asarray(cv2.GaussianBlur(sharp, (0, 0), REBLUR), np.float32)))
    # Every second pixel says as well what the strongest are, where there are many.
    some = after[::2, ::2] if after.size > MANY_PIXELS else after
    count = max(EDGE_COUNT, int(EDGE_SHARE * some.size))
    if count >= some.size:
        return None
    least = float(np.partition(some, some.size - count, axis=None)[some.size - count])
    edges = after >= max(least, EDGE_GRADIENT**2)
    if int(edges.sum()) < EDGE_COUNT:
        return None
    gx, gy = _gradient(sharp)
    before = _energy(gx[edges], gy[edges])
    ratio = float(np.sum(before, dtype=np.float64) / np.sum(after[edges], dtype=np.float64))
    return REBLUR / math.sqrt(max(ratio - 1.0, 0.02))


def noise_level(luma: U8) -> float | None:
    """Standard deviation of the noise in levels, from the flattest blocks.

    Mean absolute response to the difference of two Laplacians (Immerkaer, "Fast noise variance
    estimation", CVIU 64(2), 1996), by block instead of over the whole picture, so that texture
    does not count as noise. ``None`` for pictures smaller than a block.
    """
    found = noise_blocks(luma)
    if found is None:
        return None
    sigma, usable = found
    values = sigma[usable] if int(usable.sum()) >= ENOUGH_BLOCKS else sigma.ravel()
    return float(np.quantile(values, FLATTEST))


def noise_blocks(luma: U8) -> tuple[F32, npt.NDArray[np.bool_]] | None:
    """Noise of each block, levels, and whether it is away from black and white, where it is cut.

    Both (h / NOISE_BLOCK, w / NOISE_BLOCK). ``None`` for pictures smaller than a block.
    """
    h, w = (n // NOISE_BLOCK * NOISE_BLOCK for n in luma.shape)
    if not h or not w:
        return None
    p = luma.astype(np.float32)
    mask = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    response = np.abs(cv2.filter2D(p, -1, mask, borderType=cv2.BORDER_REFLECT))[:h, :w]
    size = (w // NOISE_BLOCK, h // NOISE_BLOCK)
    sigma = cv2.resize(response, size, interpolation=cv2.INTER_AREA) * math.sqrt(math.pi / 2) / 6
    mean = cv2.resize(p[:h, :w], size, interpolation=cv2.INTER_AREA)
    usable = (mean > NOISE_RANGE[0]) & (mean < NOISE_RANGE[1])
    return np.asarray(sigma, np.float32), usable
