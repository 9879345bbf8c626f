"""``bench vidic``: captions of a set's pairs, from wherever they come, judged and scored."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from triptych.bench.reports import Progress
from triptych.bench.run_folder import RunFolder
from triptych.bench.vidic import local
from triptych.bench.vidic.captions import Caption, odd_problems, read_responses, write_responses
from triptych.bench.vidic.copies import copy_all
from triptych.bench.vidic.facts import NOTE, judge, read_facts
from triptych.bench.vidic.load import read_checklist, sample
from triptych.bench.vidic.perturbed import Perturbation
from triptych.bench.vidic.records import ASSISTED, PERTURBED, TURNED, Checklist, Pair, Problem
from triptych.bench.vidic.result import NAME, Result, result, write
from triptych.record.errors import UsageError

FACTS = "facts"
#: Said of every participant that is given more than frames.
ASSISTED_NOTE = "assisted: this participant measures or knows more than the paper's protocol gives"


def bench_local(
    data: str | Path, *, model: str = local.MEASURED, responses: str | Path | None = None,
    out: str | Path | None = None, limit: int | None = None, seed: int = 0,
    skip: Sequence[str] = (), workers: int | None = None, progress: Progress | None = None,
    videos: str | Path | None = None, perturbed: Perturbation | None = None,
    reverse: bool = False,
) -> Result:  # fmt: skip
    """Captions from a participant that needs no model, or from ``responses``; judged by facts.

    ``data`` is a made set's folder, whose videos may lie in ``videos``; ``perturbed`` is done to
    them before they are compared, and the changed copies are kept in the run. The run is kept in
    ``out`` (``data/vidic-run``): reports as they come, ``captions.json`` in the response format,
    and what :func:`write` writes. ``reverse`` has ``measured`` compare B with A; names stay with
    the videos.

    Raises :class:`~triptych.record.errors.SourceError` (no such set, or not a made one),
    :class:`UsageError` (arguments; ``out`` holds something else) and
    :class:`~triptych.record.errors.OutputError`.
    """
    checklist = sample(read_checklist(data), seed, limit)
    folder = Path(checklist.path).parent
    facts = read_facts(folder)
    place = Path(videos) if videos is not None else folder
    run = RunFolder(out if out is not None else folder / "vidic-run", NAME)
    problems, notes, seconds = list(checklist.problems), [NOTE], 0.0
    labels = [TURNED] if reverse else []
    captions: list[Caption]
    if responses is not None:
        captions, found, told = read_responses(responses, checklist)
        problems += found
        notes += told
    else:
        captions, seconds = captions_by_code(
            model, checklist, place, run, tuple(skip), workers, progress, perturbed,
            reverse=reverse,
        )  # fmt: skip
        problems += odd_problems(checklist.pairs, captions)
        notes += notes_on(model, perturbed)
        labels = labels_of(model, perturbed, reverse=reverse)
    problems += failures(checklist, captions)
    write_responses(run.folder / "captions.json", checklist.pairs, captions)
    judged = [
        j for pair, caption in zip(checklist.pairs, captions, strict=True)
        for j in judge(pair, caption, facts)
    ]  # fmt: skip
    return write(
        result(
            judged,
            problems,
            model=model,
            judge=FACTS,
            seed=seed,
            notes=notes,
            seconds=seconds,
            labels=labels,
        ),
        run,
    )


def failures(checklist: Checklist, captions: Sequence[Caption]) -> list[Problem]:
    """Pairs that have no caption, by name; their questions count as wrong."""
    return [
        Problem(kind="no caption", where=f"entry {p.position}", what=c.failed)
        for p, c in zip(checklist.pairs, captions, strict=True) if c.failed is not None
    ]  # fmt: skip


def notes_on(model: str, perturbed: Perturbation | None = None) -> list[str]:
    """What is said of a participant that needs no model, besides its name."""
    said = [ASSISTED_NOTE] if model != local.BLIND else []
    if perturbed is None:
        return said
    if model == local.MEASURED:
        return [*said, f"perturbed: {perturbed.told}; lossless copies of both videos are compared"]
    return [*said, "perturbed: in vain, for this participant looks at no video"]


def labels_of(
    model: str, perturbed: Perturbation | None = None, *, reverse: bool = False
) -> list[str]:
    """What leaves the paper's protocol with a participant that needs no model."""
    said = {ASSISTED: model != local.BLIND, TURNED: reverse, PERTURBED: perturbed is not None}
    return [label for label, holds in said.items() if holds]


def captions_by_code(
    model: str, checklist: Checklist, folder: Path, run: RunFolder, skip: tuple[str, ...],
    workers: int | None, progress: Progress | None, perturbed: Perturbation | None = None,
    *, reverse: bool = False,
) -> tuple[list[Caption], float]:  # fmt: skip
    """Captions by a participant that needs no model, and the seconds that measuring took."""
    pairs: Sequence[Pair] = checklist.pairs
    if model == local.MEASURED:
        if perturbed is not None:
            copies = run.folder / "copies"
            pairs, folder = copy_all(folder, pairs, perturbed, copies, workers, progress), copies
        return local.measured(folder, pairs, run, skip, workers, progress, reverse=reverse)
    if model == local.BLIND:
        return local.blind(pairs), 0.0
    if model == local.ORACLE:
        return local.truth(pairs, read_facts(Path(checklist.path).parent)), 0.0
    raise UsageError(f"{model} is none of {', '.join(local.PARTICIPANTS)}")
