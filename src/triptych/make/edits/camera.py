"""Made camera work: the picture moves in the frame over time.

libavfilter has no filter here that shifts, turns and scales by fractions of a pixel and fills
from the picture itself (``zoompan`` moves by whole pixels, ``perspective`` is not in every
build), so each frame goes through one affine map of OpenCV with cubic interpolation. Where the
map looks past the frame's edge, the edge is reflected.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from triptych.make.clip import U8, Clip, Mapped, from_planes, planes
from triptych.make.registry import Context, Edit, Made, register

F64 = npt.NDArray[np.float64]
#: From a frame's index to (dx, dy in pixels, degrees clockwise, scale) of the picture.
Path = Callable[[int], tuple[float, float, float, float]]


def warped(clip: Clip, path: Path) -> Clip:
    """``clip`` with the picture moved along ``path``, about the frame's centre."""
    width, height = clip.size

    def warp(index: int, frame: U8) -> U8:
        dx, dy, degrees, scale = path(index)
        out = []
        for plane, size in zip(planes(frame), (1.0, 0.5, 0.5), strict=True):
            # Pixel centres: a chroma sample lies between two of luma, so halves shift by 1/4.
            centre = ((width * size - 1) / 2, (height * size - 1) / 2)
            matrix = cv2.getRotationMatrix2D(centre, -degrees, scale)
            matrix[0, 2] += dx * size
            matrix[1, 2] += dy * size
            shape = (plane.shape[1], plane.shape[0])
            moved = cv2.warpAffine(
                plane, matrix, shape, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT_101
            )
            out.append(np.asarray(moved, np.uint8))
        return from_planes(*out)

    return clip.with_frames(Mapped(clip.frames, warp))


def _ramp(clip: Clip) -> F64:
    """0 to 1 over the clip, starting and ending gently."""
    t = np.linspace(0, 1, max(2, len(clip.frames)))
    return t * t * (3 - 2 * t)


def pan(clip: Clip, parameter: float, context: Context) -> Made:
    """The camera turns sideways: the picture travels by a share of the width in all."""
    return _travel(clip, parameter, context, "pan")


def tilt(clip: Clip, parameter: float, context: Context) -> Made:
    """The camera turns up or down: the picture travels by a share of the height in all."""
    return _travel(clip, parameter, context, "tilt")


def _travel(clip: Clip, share: float, context: Context, kind: str) -> Made:
    sign = 1 if context.rng.integers(2) else -1
    ramp = (_ramp(clip) - 0.5) * share * sign
    width, height = clip.size
    if kind == "pan":
        moved = warped(clip, lambda i: (ramp[i] * width, 0.0, 0.0, 1.0))
        direction = "left" if sign > 0 else "right"  # the camera goes against the picture
    else:
        moved = warped(clip, lambda i: (0.0, ramp[i] * height, 0.0, 1.0))
        direction = "up" if sign > 0 else "down"
    amount = {"kind": kind, "direction": direction, "percent": round(share * 100, 6)}
    return Made(moved, {"camera: movement": amount})


def zoom_over_time(clip: Clip, parameter: float, context: Context) -> Made:
    """The picture grows to ``parameter`` times its size, or shrinks from it."""
    closer = bool(context.rng.integers(2))
    ramp = _ramp(clip) if closer else _ramp(clip)[::-1]
    moved = warped(clip, lambda i: (0.0, 0.0, 0.0, parameter ** ramp[i]))
    direction = "in" if closer else "out"
    amount = {"kind": "zoom", "direction": direction, "factor": parameter}
    return Made(moved, {"camera: movement": amount})


def roll_over_time(clip: Clip, parameter: float, context: Context) -> Made:
    """The picture turns by ``parameter`` degrees in all."""
    degrees = parameter if context.rng.integers(2) else -parameter
    ramp = _ramp(clip)
    moved = warped(clip, lambda i: (0.0, 0.0, degrees * ramp[i], 1.0))
    amount = {"kind": "roll", "picture_clockwise_deg": degrees}
    return Made(moved, {"camera: movement": amount})


def shake(clip: Clip, parameter: float, context: Context) -> Made:
    """The frame jitters: each axis by a normal with sigma a share of the width."""
    n, width = len(clip.frames), clip.size[0]
    jitter = context.rng.standard_normal((n + 2, 2))
    # A hand does not jump anew with every frame: smooth over three, then back to sigma 1.
    jitter = (jitter[:-2] + 2 * jitter[1:-1] + jitter[2:]) / np.sqrt(6)
    jitter *= parameter * width
    moved = warped(clip, lambda i: (jitter[i, 0], jitter[i, 1], 0.0, 1.0))
    amount = {"sigma_percent": round(parameter * 100, 6)}
    return Made(moved, {"camera: stability": amount})


_MAY = ("camera", "motion", "position: layout", "subject")
for _name, _apply in (("pan", pan), ("tilt", tilt)):
    register(
        Edit(
            _name,
            "geometry",
            {"light": (0.05,), "medium": (0.15,), "heavy": (0.3,)},
            ("camera: movement",),
            _MAY,
            _apply,
        )
    )
register(
    Edit(
        "zoom-over-time",
        "geometry",
        {"light": (1.08,), "medium": (1.2,), "heavy": (1.5,)},
        ("camera: movement",),
        (*_MAY, "style: sharpness"),
        zoom_over_time,
    )
)
register(
    Edit(
        "roll-over-time",
        "geometry",
        {"light": (3.0,), "medium": (8.0,), "heavy": (15.0,)},
        ("camera: movement",),
        ("camera", "motion", "position"),
        roll_over_time,
    )
)
register(
    Edit(
        "shake",
        "geometry",
        {"light": (0.003,), "medium": (0.01,), "heavy": (0.025,)},
        ("camera: stability",),
        ("camera: movement", "motion", "style: sharpness"),
        shake,
    )
)
