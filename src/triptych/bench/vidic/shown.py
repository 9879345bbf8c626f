"""What a model under test is shown, and how it is sampled: presets of the paper's Table 5."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from triptych.bench.vidic.perturbed import Perturbation
from triptych.bench.vidic.records import ASSISTED, PERTURBED, TURNED, WHOLE
from triptych.models import Settings
from triptych.models.frames import Size
from triptych.record.errors import UsageError, printable

#: At most so many frames of each video are sent, whatever the rate asks for.
MOST_FRAMES = 256


@dataclass(frozen=True, slots=True)
class Shown:
    """Uniform frames of both videos: ``frames`` of each, or ``fps`` a second.

    ``reverse`` shows Video B before Video A; each keeps its name. ``whole`` sends the files
    themselves, for the endpoint to sample (``fps`` is then what its cost is estimated with).
    ``assisted`` adds what ``diff`` measured, and shows the moments that it finds worth looking at:
    the paper's protocol gives neither. ``perturbed`` is done to every frame before it is scaled.
    Table 5 as we have it does not mark which of two rows of a model is with thinking: where the
    rows differ, presets are named by their temperature, and ``thinking`` is left to the endpoint.
    """

    frames: int | None = None
    fps: float | None = None
    size: Size = None
    reverse: bool = False
    settings: Settings = field(default_factory=Settings)
    whole: bool = False
    assisted: bool = False
    perturbed: Perturbation | None = None

    @property
    def told(self) -> str:
        """In words, for the results."""
        many = f"{self.fps:g} frames a second" if self.fps else f"{self.frames} frames"
        size = "as they are" if self.size is None else f"at {self.size}"
        what = f"{many} of each video {size}"
        if self.whole:
            what = "both files whole, sampled by the endpoint"
        given = ", ".join(f"{k} {v}" for k, v in self.settings.given().items())
        more = ", and what was measured" if self.assisted else ""
        order = ", Video B first" if self.reverse else ""
        said = f"shown: {what}{more}{order}; sampling: {given or 'the default'}"
        if self.perturbed is None:
            return said
        return f"{said}; perturbed: {self.perturbed.told}, at the video's own size, then scaled"

    @property
    def labels(self) -> list[str]:
        """What of it leaves the paper's protocol."""
        said = {
            ASSISTED: self.assisted, WHOLE: self.whole, TURNED: self.reverse,
            PERTURBED: self.perturbed is not None,
        }  # fmt: skip
        return [label for label, holds in said.items() if holds]


def presets() -> dict[str, dict[str, Any]]:
    """Those that ship, by name."""
    text = files(__package__).joinpath("presets.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found


def from_preset(
    name: str = "default", *, frames: int | None = None, fps: float | None = None,
    size: Size = None, reverse: bool = False, whole: bool = False, assisted: bool = False,
    settings: Settings | None = None,
) -> Shown:  # fmt: skip
    """The preset ``name``, with what is given in its place. Raises :class:`UsageError`.

    Of ``settings`` those that are set take the place of the preset's.
    """
    known = presets()
    if name not in known:
        raise UsageError(f"--preset: {printable(name)} is none of {', '.join(known)}")
    if frames is not None and fps is not None:
        raise UsageError("--frames and --fps: give one of them")
    given = dict(known[name])
    if frames is not None or fps is not None:
        given |= {"frames": frames, "fps": fps}
    held = given.pop("size", None)
    shape: Size = (held[0], held[1]) if isinstance(held, list) else held
    count, rate = given.pop("frames", None), given.pop("fps", None)
    sampling = Settings(**(given | (settings or Settings()).given()))
    if whole and (frames is not None or size is not None):
        raise UsageError("--whole-video: takes no --frames and no --size; the endpoint samples")
    return Shown(
        count, rate, size if size is not None else shape, reverse, sampling, whole, assisted
    )
