"""What every reader of moving pictures offers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

from triptych.media.frame import Frame
from triptych.record.report import Media


@dataclass(frozen=True, slots=True)
class SoundBlock:
    """Mono samples, float32, full scale -1..1; ``time`` is of the first, on the picture's clock."""

    time: Fraction
    samples: npt.NDArray[np.float32]


class Video(Protocol):
    """An opened source. ``media`` is what is known so far: complete once ``frames`` ran out."""

    path: str
    media: Media

    def frames(self) -> Iterator[Frame]:
        """All frames in presentation order, each decoded once; may be called again.

        A damaged stretch is passed over and listed in ``media.damage``; it raises only when not
        one frame can be had (:class:`~triptych.record.errors.UnreadableError`), or when the file
        changes underneath (:class:`~triptych.record.errors.ChangedError`).
        """
        ...

    def sound(self, rate: int = 16000) -> Iterator[SoundBlock]:
        """The default sound track as mono at ``rate`` Hz in blocks of about a second.

        Nothing is yielded where there is no sound. A gap between blocks is silence.
        """
        ...

    def check_unchanged(self) -> None:
        """Raise :class:`~triptych.record.errors.ChangedError` where a file is not as it was opened.

        For those who stop before the last frame.
        """
        ...

    def close(self) -> None:
        """Release the file; temporary copies are removed."""
        ...

    def __enter__(self) -> Video: ...
    def __exit__(self, *exc: object) -> None: ...
