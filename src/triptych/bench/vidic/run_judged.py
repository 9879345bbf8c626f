"""``bench vidic`` with a model as the judge: captions from a file, from code or from a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from triptych import models
from triptych.bench.reports import Progress
from triptych.bench.run_folder import RunFolder
from triptych.bench.vidic import local
from triptych.bench.vidic.captions import odd_problems, read_responses, write_responses
from triptych.bench.vidic.evaluate import Evaluated, evaluate
from triptych.bench.vidic.load import read_checklist, sample
from triptych.bench.vidic.model_caption import captioner
from triptych.bench.vidic.model_judge import ModelJudge, agreement
from triptych.bench.vidic.protocol import read_protocol
from triptych.bench.vidic.records import Checklist, Problem
from triptych.bench.vidic.result import NAME, Result, result, write
from triptych.bench.vidic.run import captions_by_code, failures, labels
from triptych.bench.vidic.shown import Shown, from_preset
from triptych.bench.vidic.task import Captioner, given
from triptych.models import Budget, Patience, Prices, Settings

#: Pairs on which several questions a call are held against one a call.
CHECKED_PAIRS = 20


@dataclass(frozen=True, slots=True)
class Judging:
    """How the judge is asked."""

    model: str
    protocol: str | Path | None = None
    per_call: int = 1
    settings: Settings = field(default_factory=Settings)
    patience: Patience | None = None
    connections: int = 16
    budget: Budget | None = None
    prices: Prices = field(default_factory=Prices)


def bench_judged(
    data: str | Path, judging: Judging, *, model: str = local.BLIND,
    responses: str | Path | None = None, videos: str | Path | None = None,
    out: str | Path | None = None, limit: int | None = None, seed: int = 0,
    skip: Sequence[str] = (), workers: int | None = None, progress: Progress | None = None,
    how: Shown | None = None, frames: str | Path | None = None, calls: str | Path | None = None,
) -> Result:  # fmt: skip
    """Captions of the set ``data``, from ``responses`` or from ``model``, judged by a model.

    A model is shown the videos as ``how`` says; ``frames`` and ``calls`` are where cut frames and
    finished calls are kept, to be shared by runs (within the run by default). ``videos`` is the
    folder that the checklist's paths are in, that of the checklist by default. The run is kept in
    ``out`` (``vidic-run`` beside the checklist): finished calls, Inspect's logs,
    ``captions.json``, and what :func:`~triptych.bench.vidic.result.write` writes. Running again
    makes only the calls that are missing.

    Raises :class:`~triptych.record.errors.TriptychError` where the set, the model, the protocol or
    ``out`` cannot be used.
    """
    checklist = sample(read_checklist(data), seed, limit)
    folder = Path(videos) if videos is not None else Path(checklist.path).parent
    protocol = read_protocol(judging.protocol)
    run = RunFolder(out if out is not None else Path(checklist.path).parent / "vidic-run", NAME)
    how, kept = how or from_preset(), Path(calls) if calls is not None else run.folder / "calls"
    endpoint = models.endpoint(
        judging.model, "judge", calls=kept, patience=judging.patience,
        connections=judging.connections, budget=judging.budget, prices=judging.prices,
    )  # fmt: skip
    judge = ModelJudge(endpoint, protocol, judging.settings, judging.per_call)
    problems, notes = list(checklist.problems), [protocol.told]
    used: list[models.Endpoint] = []
    captions: Captioner
    if responses is not None:
        read, found, told = read_responses(responses, checklist)
        problems += found
        notes += told
        captions = given(checklist.pairs, read)
    elif model in local.PARTICIPANTS:
        made, _ = captions_by_code(
            model, checklist, folder, run, tuple(skip), workers, progress, how.perturbed
        )
        captions = given(checklist.pairs, made)
        notes += labels(model, how.perturbed)
    else:
        under_test = models.endpoint(
            model, "policy", calls=kept, patience=judging.patience,
            connections=judging.connections, budget=judging.budget, prices=judging.prices,
        )  # fmt: skip
        used.append(under_test)
        cut = Path(frames) if frames is not None else run.folder / "frames"
        captions = captioner(under_test, protocol, cut, folder, how)
        notes.append(how.told)
    if judging.model == model:
        notes.append("the judge is the model under test")
    found_all = evaluate(checklist, captions, judge, run.folder, notes, used=used)
    if responses is None:
        problems += odd_problems(checklist.pairs, found_all.captions)
    if judging.per_call > 1:
        notes.append(_agreement(checklist, found_all, judge, run, seed))
    return finish(found_all, checklist, problems, run, model, judging.model, seed, notes)


def finish(
    found: Evaluated, checklist: Checklist, problems: list[Problem], run: RunFolder, model: str,
    judge: str, seed: int, notes: list[str],
) -> Result:  # fmt: skip
    """Write what was found, the captions too."""
    problems = problems + failures(checklist, found.captions)
    write_responses(run.folder / "captions.json", checklist.pairs, found.captions)
    notes = [*notes, f"{found.calls} calls, {found.stored} of them made before"]
    return write(
        result(
            found.judged, problems, model=model, judge=judge, seed=seed, notes=notes,
            seconds=found.seconds, cost=found.cost, spent=found.spent,
        ),
        run,
    )  # fmt: skip


def _agreement(
    checklist: Checklist, found: Evaluated, judge: ModelJudge, run: RunFolder, seed: int
) -> str:
    """Some pairs judged again with one question a call, and how often that says the same."""
    pairs = checklist.pairs
    drawn = np.random.default_rng(seed).permutation(len(pairs))[:CHECKED_PAIRS]
    some = [int(i) for i in sorted(drawn)]
    part = checklist.model_copy(update={"pairs": tuple(pairs[i] for i in some)})
    captions = [found.captions[i] for i in some]
    one = evaluate(part, given(part.pairs, captions), replace(judge, per_call=1), run.folder)
    keys = {j.ident for j in one.judged}
    same, of = agreement([j for j in found.judged if j.ident in keys], one.judged)
    share = f"{100 * same / of:.1f} %" if of else "-"
    return (
        f"{judge.per_call} questions a call: the same answer as one a call for {same} of {of} "
        f"({share}) on {len(some)} pairs"
    )
