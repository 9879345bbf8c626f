"""A short clip in memory, and lazy views of it: what every edit takes and gives back.

Frames are I420 pictures (limited-range BT.709), uint8 arrays of shape (h * 3 // 2, w) with even
``w`` and ``h``: luma rows first, then the two chroma planes. A view computes a frame when it is
asked for, so that edits can be stacked without holding their results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

U8 = npt.NDArray[np.uint8]
F32 = npt.NDArray[np.float32]


class Frames(Protocol):
    """Pictures by index; every one has the same ``width`` and ``height`` in pixels."""

    @property
    def width(self) -> int:
        """Pixels across, even."""
        ...

    @property
    def height(self) -> int:
        """Pixels down, even."""
        ...

    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> U8: ...


class Stack:
    """Frames that lie in memory: ``data`` is uint8 (n, h * 3 // 2, w)."""

    def __init__(self, data: U8) -> None:
        self.data = data
        self.width = int(data.shape[2])
        self.height = int(data.shape[1]) * 2 // 3

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, index: int) -> U8:
        frame: U8 = self.data[index]
        return frame


class Picked:
    """The frames of ``source`` in the order of ``indices``: any edit of time."""

    def __init__(self, source: Frames, indices: Sequence[int] | npt.NDArray[np.int64]) -> None:
        self.source = source
        self.indices = [int(i) for i in indices]
        self.width = source.width
        self.height = source.height

    def __len__(self) -> int:
        return len(self.indices)

    def __getitem__(self, index: int) -> U8:
        return self.source[self.indices[index]]


class Joined:
    """One set of frames after another, all of the same size."""

    def __init__(self, *parts: Frames) -> None:
        self.parts = parts
        self.width = parts[0].width
        self.height = parts[0].height

    def __len__(self) -> int:
        return sum(len(p) for p in self.parts)

    def __getitem__(self, index: int) -> U8:
        for part in self.parts:
            if index < len(part):
                return part[index]
            index -= len(part)
        raise IndexError(index)


class Mapped:
    """Each frame of ``source`` changed by ``change(index, frame)``; the input is not written to.

    ``size`` is the (width, height) that ``change`` gives, where it is another one.
    """

    def __init__(
        self, source: Frames, change: Callable[[int, U8], U8], size: tuple[int, int] | None = None
    ) -> None:
        self.source = source
        self.change = change
        self.width, self.height = size or (source.width, source.height)

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, index: int) -> U8:
        return self.change(index, self.source[index])


@dataclass(frozen=True)
class Sound:
    """``samples``: float32 (channels, n) in -1..1 at ``rate`` Hz, from the first frame's time."""

    samples: F32
    rate: int

    def span(self, start_s: float, end_s: float) -> Sound:
        """The stretch from ``start_s`` to ``end_s`` seconds."""
        first, last = round(start_s * self.rate), round(end_s * self.rate)
        return Sound(self.samples[:, max(0, first) : max(0, last)], self.rate)

    def lasting(self, seconds: float) -> Sound:
        """Cut, or filled up with silence, to ``seconds``."""
        n = round(seconds * self.rate)
        have = self.samples[:, :n]
        fill = np.zeros((len(have), n - have.shape[1]), np.float32)
        return Sound(np.concatenate([have, fill], axis=1), self.rate)

    @classmethod
    def joined(cls, *parts: Sound) -> Sound:
        """One after another; all of the same rate and channels."""
        return cls(np.concatenate([p.samples for p in parts], axis=1), parts[0].rate)

    def silence(self, seconds: float) -> Sound:
        """As many seconds of silence in the same form."""
        n = round(seconds * self.rate)
        return Sound(np.zeros((len(self.samples), n), np.float32), self.rate)


@dataclass(frozen=True)
class Clip:
    """Frames at a constant rate, and sound of the same length or none."""

    frames: Frames
    fps: Fraction
    sound: Sound | None = None

    @property
    def seconds(self) -> float:
        """How long the picture lasts."""
        return float(len(self.frames) / self.fps)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.frames.width, self.frames.height

    def with_frames(self, frames: Frames) -> Clip:
        """The same rate and sound with another picture."""
        return Clip(frames, self.fps, self.sound)


def planes(frame: U8) -> tuple[U8, U8, U8]:
    """Views of luma (h, w) and the two chroma planes (h // 2, w // 2) of an I420 ``frame``."""
    rows, w = frame.shape
    h = rows * 2 // 3
    flat = frame.reshape(-1)
    quarter = (h // 2) * (w // 2)
    u = flat[h * w : h * w + quarter].reshape(h // 2, w // 2)
    v = flat[h * w + quarter : h * w + 2 * quarter].reshape(h // 2, w // 2)
    return frame[:h], u, v


def from_planes(y: U8, u: U8, v: U8) -> U8:
    """The I420 picture of three planes."""
    w = y.shape[1]
    return np.concatenate([y.reshape(-1), u.reshape(-1), v.reshape(-1)]).reshape(-1, w)
