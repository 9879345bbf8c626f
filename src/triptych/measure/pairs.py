"""Matched, registered frames: the same moment of both videos, brought to one geometry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from triptych.media.frame import I420

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Pair:
    """``a`` and ``b`` show the same moment at the same size and geometry.

    ``a`` is A's picture warped to where B shows it (mirrored, turned, scaled, shifted); ``b`` is
    B's picture as it is. ``valid`` (h, w) is False where either has no picture (bars, outside the
    other's frame). ``time_a`` and ``time_b`` are the exact times of the two frames, seconds.
    """

    time_a: float
    time_b: float
    a: I420
    b: I420
    valid: Mask
