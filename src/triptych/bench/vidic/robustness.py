"""``bench robustness``: what noise, blur and pale colours cost (ViDiC, section 4.2 and E.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.bench.reports import Progress
from triptych.bench.vidic import local
from triptych.bench.vidic.load import find_checklist
from triptych.bench.vidic.perturbed import COPY, Perturbation, perturbations
from triptych.bench.vidic.result import Result
from triptych.bench.vidic.run import FACTS, bench_local
from triptych.bench.vidic.series import Found, Step, run_series
from triptych.bench.vidic.shown import Shown, from_preset

if TYPE_CHECKING:
    from triptych.bench.vidic.run_judged import Judging

NAME = "vidic robustness"
CLEAN = Step("clean", "clean")


def robustness(
    data: str | Path, judging: Judging | None, *, model: str, kinds: Sequence[str] | None = None,
    how: Shown | None = None, videos: str | Path | None = None, out: str | Path | None = None,
    limit: int | None = None, seed: int = 0, skip: Sequence[str] = (), workers: int | None = None,
    progress: Progress | None = None,
) -> Found:  # fmt: skip
    """A run on the clean videos, then one for each strength of each of ``kinds``.

    Without ``judging`` the set's facts judge. A model gets frames that are perturbed in memory; for
    ``measured`` both videos are written anew, and a run on copies that nothing else was done to
    tells that apart. The run is kept in ``out`` (``vidic-robustness`` beside the checklist).

    Raises a :class:`~triptych.record.errors.TriptychError` as the runs themselves do.
    """
    chosen = perturbations(kinds)
    written = [COPY] if model == local.MEASURED else []
    by_name: dict[str, Perturbation] = {p.name: p for p in (*written, *chosen)}
    steps = [CLEAN, *(Step(p.name, p.name) for p in written)]
    steps += [Step(p.name, f"{p.amount:g}", p.kind) for p in chosen]
    home = Path(out) if out is not None else find_checklist(data).parent / "vidic-robustness"
    how = how or from_preset()

    def run(step: Step, folder: Path) -> Result:
        perturbed = by_name.get(step.name)
        if judging is None:
            return bench_local(
                data, model=model, out=folder, limit=limit, seed=seed, skip=skip, workers=workers,
                progress=_named(progress, step), videos=videos, perturbed=perturbed,
            )  # fmt: skip
        from triptych.bench.vidic.run_judged import bench_judged

        return bench_judged(
            data, judging, model=model, videos=videos, out=folder, limit=limit, seed=seed,
            skip=skip, workers=workers, progress=_named(progress, step),
            how=replace(how, perturbed=perturbed), frames=home / "frames", calls=home / "calls",
        )  # fmt: skip

    return run_series(
        NAME, steps, run, out=home, model=model,
        judge=judging.model if judging is not None else FACTS,
        varied=f"{', '.join(dict.fromkeys(p.kind for p in chosen))} on both videos", seed=seed,
    )  # fmt: skip


def _named(progress: Progress | None, step: Step) -> Progress | None:
    if progress is None:
        return None
    return lambda done, of, name: progress(done, of, f"{step.name}: {name}")
