"""``bench sweep``: frames a second, or the size of frames, varied alone (ViDiC, section 4.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.bench.vidic import local
from triptych.bench.vidic.load import find_checklist
from triptych.bench.vidic.result import Result
from triptych.bench.vidic.run import FACTS
from triptych.bench.vidic.series import Found, Step, run_series
from triptych.bench.vidic.shown import Shown, from_preset
from triptych.models.frames import Size
from triptych.record.errors import UsageError

if TYPE_CHECKING:
    from triptych.bench.vidic.run_judged import Judging

NAME = "vidic sweep"
#: The paper fixes 2 frames a second, or 720 x 1280, and names 0.5 frames a second; its text gives
#: no other points, so that these are ours.
FIXED_FPS, FIXED_SIZE = 2.0, 1280
FPS = (0.5, 1.0, 2.0, 4.0)
SIZES: tuple[Size, ...] = (224, 448, 720, 1280)
RATE_KIND, SIZE_KIND = "fps", "size"


def axes(fps: Sequence[float], sizes: Sequence[Size]) -> tuple[list[float], list[Size]]:
    """The values of both axes, of which one has several: what is not given is the paper's.

    Raises :class:`UsageError` where both have, and where a rate makes no sense.
    """
    rates, shapes = list(dict.fromkeys(fps)), list(dict.fromkeys(sizes))
    for rate in rates:
        if not (math.isfinite(rate) and rate > 0):
            raise UsageError(f"--fps: {rate} makes no sense here; give frames a second")
    if len(rates) > 1 and len(shapes) > 1:
        raise UsageError("--fps and --size: one of them is fixed, and takes one value")
    if len(rates) == 1 and len(shapes) == 1:
        raise UsageError("--fps and --size: one of them varies, and takes several values")
    if len(shapes) > 1 or len(rates) == 1:
        return rates or [FIXED_FPS], shapes or list(SIZES)
    return rates or list(FPS), shapes or [FIXED_SIZE]


def sweep(
    data: str | Path, judging: Judging, *, model: str, fps: Sequence[float] = (),
    sizes: Sequence[Size] = (), how: Shown | None = None, videos: str | Path | None = None,
    out: str | Path | None = None, limit: int | None = None, seed: int = 0,
) -> Found:  # fmt: skip
    """A run for each value of the axis that varies, in the order given.

    ``how`` says how the model is sampled. The run is kept in ``out`` (``vidic-sweep`` beside the
    checklist). Raises :class:`UsageError` for participants that are shown no frames, and a
    :class:`~triptych.record.errors.TriptychError` as the runs themselves do.
    """
    from triptych.bench.vidic.run_judged import bench_judged

    if model in local.PARTICIPANTS:
        raise UsageError(f"bench sweep: {model} is shown no frames; name a model")
    if judging.model == FACTS:
        raise UsageError(f"bench sweep: {FACTS} reads only what measured writes; name a model")
    rates, shapes = axes(fps, sizes)
    base = how or from_preset()
    by_name: dict[str, Shown] = {}
    steps: list[Step] = []
    for rate in rates:
        for shape in shapes:
            kind, label = (
                (RATE_KIND, f"{rate:g}") if len(shapes) == 1 else (SIZE_KIND, told_size(shape))
            )
            steps.append(Step(f"{kind}-{label}", label, kind))
            by_name[steps[-1].name] = replace(base, frames=None, fps=rate, size=shape)
    home = Path(out) if out is not None else find_checklist(data).parent / "vidic-sweep"

    def run(step: Step, folder: Path) -> Result:
        return bench_judged(
            data, judging, model=model, how=by_name[step.name], videos=videos, out=folder,
            limit=limit, seed=seed, frames=home / "frames", calls=home / "calls",
        )  # fmt: skip

    fixed = f"size {told_size(shapes[0])}" if len(shapes) == 1 else f"{rates[0]:g} fps"
    varied = "frames a second" if len(shapes) == 1 else "the size of frames"
    return run_series(
        NAME, steps, run, out=home, model=model, judge=judging.model,
        varied=f"{varied}; {fixed} fixed", seed=seed,
    )  # fmt: skip


def told_size(size: Size) -> str:
    """As the option takes it."""
    return f"{size[0]}x{size[1]}" if isinstance(size, tuple) else str(size)
