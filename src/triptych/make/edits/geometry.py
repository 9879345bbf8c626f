"""Edits of the frame's geometry that do not change over time, by libavfilter.

Angles are in degrees, clockwise on the screen. Where an edit needs picture that is not there,
the frame's own edge is reflected: black would be a bar, which is an edit of its own.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from triptych.make.clip import U8, Clip, Mapped, from_planes, planes
from triptych.make.eligible import SYMMETRY_FLOOR, shrunk
from triptych.make.filters import filtered
from triptych.make.registry import Context, Edit, Ineligible, Made, register


def mirror(clip: Clip, parameter: str, context: Context) -> Made:
    """``h``: left and right change places (``hflip``); ``v``: top and bottom (``vflip``)."""
    small = shrunk(clip.frames)
    flipped = small[:, :, ::-1] if parameter == "h" else small[:, ::-1]
    if float(np.abs(small - flipped).mean()) < SYMMETRY_FLOOR:
        raise Ineligible("the picture is symmetric")
    way = "horizontal" if parameter == "h" else "vertical"
    frames = filtered(clip.frames, f"{parameter}flip")
    return Made(
        clip.with_frames(frames), {"position: mirroring": {"mirrored": way}}, {"mirrored": way}
    )


def rotation(clip: Clip, parameter: float, context: Context) -> Made:
    """Turned by ``parameter`` degrees about the centre; 90 swaps width and height."""
    width, height = clip.size
    degrees = parameter if context.rng.integers(2) else -parameter
    size = (width, height)
    if parameter == 90:
        chain, size = "transpose=clock" if degrees > 0 else "transpose=cclock", (height, width)
    elif parameter == 180:
        chain, degrees = "hflip,vflip", 180.0
    else:
        chain = f"rotate=a={math.radians(degrees):.8f}:fillcolor=black"
    frames = filtered(clip.frames, chain, size)
    return Made(
        clip.with_frames(frames),
        {"position: rotation": {"clockwise_deg": degrees}},
        {"rotation_deg": degrees},
    )


def crop_zoom(clip: Clip, parameter: float, context: Context) -> Made:
    """A part of the picture, ``1 / parameter`` wide and high, enlarged to the full size."""
    width, height = clip.size
    w, h = round(width / parameter / 2) * 2, round(height / parameter / 2) * 2
    x = int(context.rng.integers((width - w) // 2 + 1)) * 2
    y = int(context.rng.integers((height - h) // 2 + 1)) * 2
    chain = f"crop=w={w}:h={h}:x={x}:y={y},scale=w={width}:h={height}:flags=bicubic+accurate_rnd"
    return Made(
        clip.with_frames(filtered(clip.frames, chain)),
        {"camera: framing": {"zoom": parameter, "box_a": [x, y, w, h]}},
    )


def shift(clip: Clip, parameter: float, context: Context) -> Made:
    """The picture moved sideways by a share of its width; the edge that opens is reflected."""
    width = clip.size[0]
    dx = round(parameter * width / 2) * 2 * (1 if context.rng.integers(2) else -1)

    def move(index: int, frame: U8) -> U8:
        y, u, v = planes(frame)
        return from_planes(_moved(y, dx), _moved(u, dx // 2), _moved(v, dx // 2))

    return Made(
        clip.with_frames(Mapped(clip.frames, move)),
        {"camera: framing": {"dx_share": round(dx / width, 6)}},
    )


def _moved(plane: U8, dx: int) -> U8:
    width = plane.shape[1]
    left, right = max(0, dx), max(0, -dx)
    wide = cv2.copyMakeBorder(plane, 0, 0, left, right, cv2.BORDER_REFLECT_101)
    out: U8 = np.ascontiguousarray(wide[:, right : right + width])
    return out


register(
    Edit(
        "mirror",
        "geometry",
        {"heavy": ("h", "v")},
        ("position: mirroring",),
        ("motion: direction", "camera: movement", "subject", "position"),
        mirror,
    )
)
register(
    Edit(
        "rotation",
        "geometry",
        {"light": (3.0,), "medium": (8.0,), "heavy": (20.0, 90.0, 180.0)},
        ("position: rotation",),
        (
            "camera",
            "style: bars",
            "style: sharpness",
            "subject",
            "motion: direction",
            "position",
        ),
        rotation,
    )
)
register(
    Edit(
        "crop-zoom",
        "geometry",
        {"light": (1.08,), "medium": (1.2,), "heavy": (1.5,)},
        ("camera: framing",),
        (
            "camera: shot scale",
            "style: sharpness",
            "style: noise",
            "subject",
            "motion: amount",
            "position: layout",
        ),
        crop_zoom,
    )
)
register(
    Edit(
        "shift",
        "geometry",
        {"light": (0.03,), "medium": (0.08,), "heavy": (0.15,)},
        ("camera: framing",),
        ("position: layout", "subject"),
        shift,
    )
)
