"""Which boxes of people are of whole bodies: measured by hand on figures of known stance."""

from __future__ import annotations

import pytest

from triptych.diff.camera_scale import STANDING, _whole

Box = tuple[float, float, float, float]


@pytest.mark.parametrize(
    ("box", "width", "height", "whole"),
    [
        ((0.40, 0.10, 0.10, 0.80), 640, 360, True),  # stands free: 64 x 288 pixels
        ((0.40, 0.10, 0.22, 0.80), 640, 360, False),  # to the hips, behind a table: 141 x 288
        ((0.40, 0.00, 0.10, 0.80), 640, 360, False),  # the head is cut off
        ((0.40, 0.25, 0.10, 0.75), 640, 360, False),  # the feet are cut off
        ((0.10, 0.30, 0.60, 0.40), 360, 640, False),  # lies: 216 x 256
    ],
)
def test_whole_bodies(box: Box, width: int, height: int, whole: bool) -> None:
    slender = box[3] * height / (box[2] * width)
    assert _whole(box, slender) == whole


def test_either_side_of_the_threshold() -> None:
    box = (0.4, 0.1, 0.1, 0.8)
    assert _whole(box, STANDING + 0.01) and not _whole(box, STANDING - 0.01)
