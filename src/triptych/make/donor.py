"""Frames and sound of another clip, for insertions and for a replaced sound."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from triptych.make.clip import Clip, Picked, Sound, Stack
from triptych.make.eligible import SOUND_FLOOR, Survey
from triptych.make.filters import filtered
from triptych.make.load import Window, load

#: Seconds of picture: the longest insertion.
PICTURE_S = 2.2


class Donors:
    """The other clips of a set. The next one in the list gives; for sound, the next with any."""

    def __init__(self, sources: dict[int, tuple[Path, Window, Survey]]) -> None:
        self._sources = sources

    def load(self, receiver: int, clip: Clip) -> Clip | None:
        """Another clip's picture at the size and rate of ``clip``, and sound; ``None`` if none."""
        order = list(self._sources)
        at = order.index(receiver)
        others = order[at + 1 :] + order[:at]
        if not others:
            return None
        path, window, _ = self._sources[others[0]]
        picture = load(path, replace(window, seconds=PICTURE_S))
        width, height = clip.size
        scaled = filtered(picture.frames, (
            f"scale=w={width}:h={height}:force_original_aspect_ratio=increase"
            ":force_divisible_by=2:flags=area+accurate_rnd"
            f",crop=w={width}:h={height}:exact=1"
        ), clip.size)  # fmt: skip
        n = max(1, int(PICTURE_S * clip.fps))
        last = len(scaled) - 1
        order_in_time = [min(round(i * picture.fps / clip.fps), last) for i in range(n)]
        sound: Sound | None = None
        for other in others:
            path, window, found = self._sources[other]
            if found.loudness is not None and found.loudness >= SOUND_FLOOR:
                sound = load(path, window).sound
                break
        return Clip(_held(Picked(scaled, order_in_time)), clip.fps, sound)


def _held(frames: Picked) -> Picked:
    """The same frames computed once and kept: a filter chain must not be shared by threads."""
    stack = Stack(np.stack([frames[i] for i in range(len(frames))]))
    return Picked(stack, range(len(stack)))
