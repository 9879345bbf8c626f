"""``bench vidic`` with a model as the judge: captions from a file, from code or from a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from triptych import models
from triptych.bench.reports import Progress
from triptych.bench.run_folder import RunFolder
from triptych.bench.vidic import local
from triptych.bench.vidic.captions import (
    Caption,
    odd_problems,
    read_responses,
    write_responses,
)
from triptych.bench.vidic.evaluate import Evaluated, evaluate
from triptych.bench.vidic.load import read_checklist, sample
from triptych.bench.vidic.model_caption import ModelCaptioner, captioner
from triptych.bench.vidic.model_judge import ModelJudge, agreement
from triptych.bench.vidic.protocol import read_protocol
from triptych.bench.vidic.records import Checklist, Problem
from triptych.bench.vidic.result import NAME, Result, result, write
from triptych.bench.vidic.run import (
    ASSISTED_NOTE,
    captions_by_code,
    failures,
    labels_of,
    notes_on,
)
from triptych.bench.vidic.shown import Shown, from_preset
from triptych.bench.vidic.task import Captioner, given
from triptych.models import Budget, Patience, Prices, Role, Settings

#: Pairs on which several questions a call are held against one a call.
CHECKED_PAIRS = 20


@dataclass(frozen=True, slots=True)
class Judging:
    """How the judge is asked; patience, connections and budget are for all models of a run."""

    model: str
    protocol: str | Path | None = None
    per_call: int = 1
    settings: Settings = field(default_factory=Settings)
    patience: Patience | None = None
    connections: int = 16
    budget: Budget | None = None
    prices: Prices = field(default_factory=Prices)
    #: Calls are to be estimated, not made: no key is needed.
    only_counted: bool = False

    def endpoint(self, model: str, role: Role, calls: Path) -> models.Endpoint:
        """``model`` in ``role``, patient and paid for as all models of the run are."""
        return models.endpoint(
            model, role, calls=calls, patience=self.patience, connections=self.connections,
            budget=self.budget, prices=self.prices, only_counted=self.only_counted,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run before its first call: ``captioner`` gives captions, ``under_test`` if by a model.

    ``captions`` are those that are there already.
    """

    checklist: Checklist
    run: RunFolder
    judge: ModelJudge
    captioner: Captioner
    under_test: ModelCaptioner | None
    captions: list[Caption] | None
    problems: list[Problem]
    notes: list[str]
    labels: list[str]


def bench_judged(
    data: str | Path, judging: Judging, *, model: str = local.BLIND,
    responses: str | Path | None = None, seed: int = 0, **how: Any,
) -> Result:  # fmt: skip
    """Captions of the set ``data``, from ``responses`` or from ``model``, judged by a model.

    Arguments and errors are those of :func:`prepare`. The run is kept in its folder: finished
    calls, Inspect's logs, ``captions.json``, and what
    :func:`~triptych.bench.vidic.result.write` writes. Running again makes only the calls that are
    missing.
    """
    made = prepare(data, judging, model=model, responses=responses, seed=seed, **how)
    used = [made.under_test.endpoint] if made.under_test is not None else []
    found = evaluate(
        made.checklist, made.captioner, made.judge, made.run.folder, made.notes, used=used
    )
    if responses is None:
        made.problems.extend(odd_problems(made.checklist.pairs, found.captions))
    if judging.per_call > 1:
        made.notes.append(_agreement(made.checklist, found, made.judge, made.run, seed))
    return finish(found, made, model, judging.model, seed)


def prepare(
    data: str | Path, judging: Judging, *, model: str = local.BLIND,
    responses: str | Path | None = None, videos: str | Path | None = None,
    out: str | Path | None = None, limit: int | None = None, seed: int = 0,
    skip: Sequence[str] = (), workers: int | None = None, progress: Progress | None = None,
    how: Shown | None = None, frames: str | Path | None = None, calls: str | Path | None = None,
) -> Prepared:  # fmt: skip
    """Read and resolve everything that a run needs; no model is asked for anything.

    A model is shown the videos as ``how`` says; ``frames`` is where cut frames are kept and
    ``calls`` where finished calls are, to be shared by runs (within the run by default). ``videos``
    is the folder that the checklist's paths are in, that of the checklist by default. The run is
    kept in ``out`` (``vidic-run`` beside the checklist).

    Raises :class:`~triptych.record.errors.TriptychError` where the set, the model, the protocol or
    ``out`` cannot be used.
    """
    checklist = sample(read_checklist(data), seed, limit)
    folder = Path(videos) if videos is not None else Path(checklist.path).parent
    protocol = read_protocol(judging.protocol)
    run = RunFolder(out if out is not None else Path(checklist.path).parent / "vidic-run", NAME)
    kept = Path(calls) if calls is not None else run.folder / "calls"
    judge = ModelJudge(
        judging.endpoint(judging.model, "judge", kept), protocol, judging.settings,
        judging.per_call,
    )  # fmt: skip
    problems, notes = list(checklist.problems), [protocol.told]
    labels = [f"{judging.per_call} questions a call"] if judging.per_call > 1 else []
    how = how or from_preset()
    known: list[Caption] | None = None
    under_test: ModelCaptioner | None = None
    if responses is not None:
        known, found, told = read_responses(responses, checklist)
        problems += found
        notes += told
    elif model in local.PARTICIPANTS:
        known, _ = captions_by_code(
            model, checklist, folder, run, tuple(skip), workers, progress, how.perturbed,
            reverse=how.reverse,
        )  # fmt: skip
        labels = labels_of(model, how.perturbed, reverse=how.reverse) + labels
        notes += notes_on(model, how.perturbed)
    else:
        end = judging.endpoint(model, "policy", kept)
        end.model.check(how.settings)
        measured: list[local.Measured] = []
        if how.assisted:
            measured, _ = local.reports(
                folder, checklist.pairs, run, tuple(skip), workers, progress
            )
        by_position = {p.position: m for p, m in zip(checklist.pairs, measured, strict=False)}
        cut = Path(frames) if frames is not None else run.folder / "frames"
        under_test = captioner(end, protocol, cut, folder, how, by_position)
        notes.append(how.told)
        notes += [ASSISTED_NOTE] if how.assisted else []
        labels = how.labels + labels
    if judging.model == model:
        notes.append("the judge is the model under test")
    captions: Captioner = under_test or given(checklist.pairs, known or [])
    return Prepared(checklist, run, judge, captions, under_test, known, problems, notes, labels)


def finish(found: Evaluated, made: Prepared, model: str, judge: str, seed: int) -> Result:
    """Write what was found, the captions too."""
    problems = made.problems + failures(made.checklist, found.captions)
    write_responses(made.run.folder / "captions.json", made.checklist.pairs, found.captions)
    notes = [*made.notes, f"{found.calls} calls, {found.stored} of them made before"]
    return write(
        result(
            found.judged,
            problems,
            model=model,
            judge=judge,
            seed=seed,
            notes=notes,
            seconds=found.seconds,
            cost=found.cost,
            labels=made.labels,
            spent=found.spent,
        ),
        made.run,
    )  # fmt: skip


def drawn(checklist: Checklist, seed: int) -> list[int]:
    """Which pairs are judged again with one question a call, where several go into one."""
    some = np.random.default_rng(seed).permutation(len(checklist.pairs))[:CHECKED_PAIRS]
    return [int(i) for i in sorted(some)]


def _agreement(
    checklist: Checklist, found: Evaluated, judge: ModelJudge, run: RunFolder, seed: int
) -> str:
    """Some pairs judged again with one question a call, and how often that says the same."""
    pairs, some = checklist.pairs, drawn(checklist, seed)
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
