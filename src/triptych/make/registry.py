"""What an edit is, and the list of all of them.

An edit is registered with its strengths, what a comparison must report for it, and what it may
report besides. ``must`` and ``may`` hold ``"dimension: aspect"`` or a whole ``"dimension"``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from triptych.make.clip import Clip
from triptych.make.encode import Encoding
from triptych.record.report import ASPECTS

Kind = Literal["time", "geometry", "colour", "picture", "overlay", "sound", "control"]
Strength = Literal["light", "medium", "heavy", "control"]
Parameter = float | str
#: The order in which edits of several kinds are put on one clip: time first, so that the spans
#: of the others are in the time of the edited video.
KINDS: tuple[Kind, ...] = ("time", "geometry", "colour", "picture", "overlay", "sound", "control")
STRENGTHS: tuple[Strength, ...] = ("light", "medium", "heavy", "control")


class Ineligible(Exception):  # noqa: N818  (not an error: the clip does not suit the edit)
    """The edit would change nothing here, or cannot be made; the text says why."""


@dataclass(frozen=True)
class Made:
    """An edited clip and the truth about it.

    ``expected`` has one entry for each aspect of ``must``: what there is to find, as numbers.
    ``alignment`` is what differs from speed 1, forward, not mirrored. ``changed`` are frames of
    the result in which the edit shows (``None``: any), for the check that it does.
    """

    clip: Clip
    expected: dict[str, dict[str, Any]]
    alignment: dict[str, Any] = field(default_factory=dict)
    encoding: Encoding | None = None
    remux: bool = False
    changed: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Context:
    """What an edit may use besides the clip: its own random numbers, and another clip."""

    rng: np.random.Generator
    donor: Clip | None = None


Apply = Callable[[Clip, Any, Context], Made]


@dataclass(frozen=True)
class Edit:
    """One entry of the list."""

    name: str
    kind: Kind
    strengths: Mapping[Strength, tuple[Parameter, ...]]
    must: tuple[str, ...]
    may: tuple[str, ...]
    apply: Apply
    needs: tuple[Literal["sound", "motion", "colour"], ...] = ()
    donor: bool = False


EDITS: dict[str, Edit] = {}


def register(edit: Edit) -> None:
    """Put ``edit`` on the list; its aspects must be ones that a report knows."""
    known = set(ASPECTS) | {f"{d}: {a}" for d, names in ASPECTS.items() for a in names}
    unknown = [n for n in (*edit.must, *edit.may) if n not in known]
    if unknown or edit.name in EDITS:
        raise ValueError(f"edit {edit.name!r}: twice, or unknown aspects {unknown}")
    EDITS[edit.name] = edit


def expand(names: tuple[str, ...] | list[str]) -> set[str]:
    """Every ``"dimension: aspect"`` that ``names`` cover."""
    out: set[str] = set()
    for name in names:
        dimension, _, aspect = name.partition(": ")
        aspects = next(v for k, v in ASPECTS.items() if k == dimension)
        out |= {f"{dimension}: {a}" for a in ([aspect] if aspect else aspects)}
    return out


def frame_at(clip: Clip, seconds: float) -> int:
    """The index of the frame nearest to ``seconds``."""
    return round(seconds * float(clip.fps))


def seconds_at(clip: Clip, frame: int) -> float:
    """The time of frame ``frame``, to the microsecond."""
    return round(float(frame / clip.fps), 6)
