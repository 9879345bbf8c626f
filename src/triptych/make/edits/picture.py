"""Edits of the picture's quality and its borders."""

from __future__ import annotations

import cv2
import numpy as np

from triptych.make.clip import U8, Clip, Mapped, from_planes, planes
from triptych.make.corrupt import noisy
from triptych.make.encode import Encoding
from triptych.make.filters import filtered
from triptych.make.pixels import to_i420, to_rgb
from triptych.make.registry import Context, Edit, Made, register

#: Noise does not compress: at rate factor 18 a clip of 12 s at 720p takes 46 to 86 MB. At 23 it
#: takes half (640 x 272, skv_bikes: 1.4 to 0.7 MB for 30 frames) and keeps 87 % of the light
#: noise's sigma in luma and 92 % of the heavy one's; at 28 it would keep 52 %.
NOISE_CRF = 23


def blur(clip: Clip, parameter: float, context: Context) -> Made:
    """Gaussian blur with a square kernel of ``parameter`` pixels: ViDiC, appendix E.4.

    OpenCV derives sigma from the size: 0.3 ((k - 1) / 2 - 1) + 0.8. Blurring is linear, so luma
    and chroma are blurred as they are; chroma is stored at half size and takes half the sigma.
    """
    kernel = int(parameter)
    sigma = 0.3 * ((kernel - 1) / 2 - 1) + 0.8

    def change(index: int, frame: U8) -> U8:
        y, u, v = planes(frame)
        small = [np.asarray(cv2.GaussianBlur(p, (0, 0), sigma / 2), np.uint8) for p in (u, v)]
        return from_planes(np.asarray(cv2.GaussianBlur(y, (kernel, kernel), 0), np.uint8), *small)

    return Made(
        clip.with_frames(Mapped(clip.frames, change)),
        {"style: sharpness": {"kernel_px": kernel, "sigma_px": round(sigma, 6)}},
    )


def noise(clip: Clip, parameter: float, context: Context) -> Made:
    """Normal noise of sigma ``parameter`` levels on R, G and B: ViDiC, appendix E.4.

    The paper seeds it with 42; here each pair has its own seed, and each frame its own noise.
    """
    seed = int(context.rng.integers(2**32))

    def change(index: int, frame: U8) -> U8:
        return to_i420(noisy(to_rgb(frame), parameter, np.random.default_rng([seed, index])))

    return Made(
        clip.with_frames(Mapped(clip.frames, change)),
        {"style: noise": {"sigma_levels": parameter}},
        encoding=Encoding(crf=NOISE_CRF),
    )


def bars(clip: Clip, parameter: float, context: Context) -> Made:
    """Black bars, each a share of the height or width: over the picture, or around it."""
    width, height = clip.size
    letterbox, cover = bool(context.rng.integers(2)), bool(context.rng.integers(2))
    thick = max(2, round((height if letterbox else width) * parameter / 2) * 2)
    if cover:
        far = height - thick if letterbox else width - thick
        box = [
            f"drawbox=x=0:y={far}:w={width}:h={thick}"
            if letterbox
            else f"drawbox=x={far}:y=0:w={thick}:h={height}",
            f"drawbox=x=0:y=0:w={width}:h={thick}"
            if letterbox
            else f"drawbox=x=0:y=0:w={thick}:h={height}",
        ]
        chain, size = ",".join(f"{b}:color=black:t=fill" for b in box), (width, height)
    else:
        size = (width, height + 2 * thick) if letterbox else (width + 2 * thick, height)
        x, y = (0, thick) if letterbox else (thick, 0)
        chain = f"pad=w={size[0]}:h={size[1]}:x={x}:y={y}:color=black"
    sides = [0, thick, 0, thick] if letterbox else [thick, 0, thick, 0]
    return Made(
        clip.with_frames(filtered(clip.frames, chain, size)),
        {"style: bars": {"added_px": sides, "over_the_picture": cover}},
    )


register(
    Edit(
        "blur",
        "picture",
        {"light": (5.0,), "medium": (9.0,), "heavy": (15.0,)},
        ("style: sharpness",),
        ("style: noise", "subject: on-screen text"),
        blur,
    )
)
register(
    Edit(
        "noise",
        "picture",
        {"light": (15.0,), "medium": (30.0,), "heavy": (45.0,)},
        ("style: noise",),
        ("style: sharpness",),
        noise,
    )
)
register(
    Edit(
        "bars",
        "picture",
        {"light": (0.05,), "medium": (0.12,), "heavy": (0.2,)},
        ("style: bars",),
        ("camera: framing", "position: layout"),
        bars,
    )
)
