"""Pairs to a checklist: drafts, measurements, merging, rules. What fails on the way is data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import anyio

from triptych.diff.caption import Claim
from triptych.make.annotate import draft as drafting
from triptych.make.annotate.check import check, drafted
from triptych.make.annotate.folder import Folder
from triptych.make.annotate.merge import LONGEST_CLAIM, merge, request
from triptych.make.annotate.records import (
    Fault,
    Made,
    Measure,
    VideoPair,
)
from triptych.make.annotate.result import Result, write
from triptych.models import (
    Budget,
    Endpoint,
    Estimate,
    FrameStore,
    Patience,
    Prices,
    endpoint,
    uniform_times,
)
from triptych.models.counting import BYTES_PER_TOKEN
from triptych.models.prices import USUAL_ANSWER
from triptych.models.protocols import Message
from triptych.record.errors import SourceError, TriptychError, UsageError, printable
from triptych.record.report import Report

#: Pairs worked on at one time, and videos decoded at one time.
AT_ONCE, CUTTERS = 16, 2
#: Called with pairs done, pairs in all, and what is being done.
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Asking:
    """Who drafts, who merges (the first of ``models`` where nobody is named), and what is kept.

    Calls and frames are kept in the folder ``cache``: running again is the resume. With
    ``only_counted`` calls are to be estimated, not made, and no key is needed.
    """

    models: Sequence[str]
    merge: str | None
    cache: Path
    how: drafting.Shown = field(default_factory=drafting.Shown)
    budget: Budget | None = None
    prices: Prices = field(default_factory=Prices)
    patience: Patience | None = None
    only_counted: bool = False

    def endpoints(self) -> tuple[list[Endpoint], Endpoint]:
        """The drafting models, and the merging one. Raises a ``TriptychError`` for no model."""
        if not self.models:
            raise UsageError("make checklist: name a model, or several, with --model")
        twice = next((m for m in self.models if self.models.count(m) > 1), None)
        if twice is not None:
            raise UsageError(f"--model: {printable(twice)} is named twice; its drafts are the same")
        by_name = {
            name: endpoint(
                name, "teacher", calls=self.cache / "calls", prices=self.prices,
                budget=self.budget, patience=self.patience, only_counted=self.only_counted,
            )
            for name in dict.fromkeys([*self.models, *filter(None, [self.merge])])
        }  # fmt: skip
        return [by_name[m] for m in self.models], by_name[self.merge or self.models[0]]

    def check(self) -> None:
        """Refuse early, before anything is read. Raises a ``TriptychError``."""
        uniform_times(1.0, self.how.frames, self.how.fps)
        self.endpoints()

    def frames(self) -> FrameStore:
        """Where frames are kept."""
        return FrameStore(self.cache / "frames")


def estimate(pairs: Sequence[VideoPair], asking: Asking) -> list[tuple[str, Estimate]]:
    """What each model's calls are expected to take at most; nothing is sent.

    How long drafts will be is not known: the merging model is taken to read answers of usual
    length.
    """
    drafters, merging = asking.endpoints()
    frames = asking.frames()
    totals = {e.id: Estimate() for e in (*drafters, merging)}
    filler = Claim("subject", False, "x" * LONGEST_CLAIM)
    draft = [filler] * (USUAL_ANSWER * BYTES_PER_TOKEN // LONGEST_CLAIM)
    for pair in pairs:
        asked = _asked(pair, frames, asking.how)
        if isinstance(asked, Fault):
            continue
        for end in drafters:
            totals[end.id] += end.estimate([asked], asking.how.settings)
        told = request([draft] * len(drafters))
        totals[merging.id] += merging.estimate([told], asking.how.settings)
    return list(totals.items())


def make_checklist(
    pairs: Sequence[VideoPair], out: str | Path, asking: Asking, *,
    measure: Measure | None = None, progress: Progress | None = None,
) -> Result:  # fmt: skip
    """Draft, merge and check the questions of ``pairs``, and write the set to the folder ``out``.

    ``measure`` gives measured reports, by which claims and questions are checked; without it
    nothing is. Whatever models do is in the result. Raises
    :class:`~triptych.record.errors.TriptychError` for a model that leads nowhere, a folder that
    holds something else, or a disk that is full.
    """
    drafters, merging = asking.endpoints()
    folder = Folder(out)
    frames = asking.frames()
    made = [Made(p, left_out=p.wrong) for p in pairs]
    done = 0

    def told(what: str) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, 2 * len(made), what)

    async def drafts(one: Made) -> None:
        asked = await anyio.to_thread.run_sync(
            _asked, one.pair, frames, asking.how, limiter=cutting
        )
        if isinstance(asked, Fault):
            one.left_out = asked.detail
        else:
            one.drafts = [await drafting.draft(end, asked, asking.how.settings) for end in drafters]
            if not drafting.usable(one.drafts):
                one.left_out = "no usable draft"
        told(f"drafts of {one.pair.id}")

    async def merged(one: Made, report: Report | None) -> None:
        await _merged(one, report, merging, asking)
        told(f"questions of {one.pair.id}")

    cutting = anyio.CapacityLimiter(CUTTERS)
    ends = list(dict.fromkeys([*drafters, merging]))
    _run([partial(drafts, m) for m in made if m.left_out is None], ends)
    todo = [m for m in made if m.left_out is None]
    reports = _measured(todo, measure)
    _run([partial(merged, m, r) for m, r in zip(todo, reports, strict=True)], ends)
    return write(folder, made, drafters, merging, asking.how, measured=measure is not None)


def _asked(pair: VideoPair, frames: FrameStore, how: drafting.Shown) -> Message | Fault:
    if pair.wrong is not None:
        return Fault("unreadable", pair.wrong)
    try:
        return drafting.question(pair, frames, how)
    except SourceError as e:
        return Fault("unreadable", str(e))


def _run(work: Sequence[Callable[[], Awaitable[None]]], ends: Sequence[Endpoint]) -> None:
    """Do all of ``work``, some of it at a time; connections end with the loop that opened them.

    What stops one of them, such as a full disk, stops all, and is raised.
    """
    failed: list[TriptychError] = []

    async def everything() -> None:
        slots = anyio.Semaphore(AT_ONCE)

        async def one(task: Callable[[], Awaitable[None]]) -> None:
            async with slots:
                try:
                    await task()
                except TriptychError as e:
                    failed.append(e)
                    group.cancel_scope.cancel()

        try:
            async with anyio.create_task_group() as group:
                for task in work:
                    group.start_soon(one, task)
        finally:
            for end in ends:
                await end.close()

    anyio.run(everything)
    if failed:
        raise failed[0]


def _measured(todo: Sequence[Made], measure: Measure | None) -> list[Report | None]:
    if measure is None or not todo:
        return [None] * len(todo)
    found = measure([m.pair for m in todo])
    for one, (report, error, _) in zip(todo, found, strict=True):
        one.unmeasured = None if report is not None else error or "no report"
    return [report for report, _, _ in found]


async def _merged(one: Made, report: Report | None, merging: Endpoint, asking: Asking) -> None:
    """What is left of the drafts becomes questions, and of these what keeps the rules stays."""
    left = {d.model: drafted(one, d, report) for d in drafting.usable(one.drafts)}
    kept = {model: claims for model, claims in left.items() if claims}
    if not kept:
        one.left_out = "nothing is left of the drafts"
        return
    one.merged, questions, fault = await merge(merging, list(kept.values()), asking.how.settings)
    if fault is not None:
        one.left_out = f"not merged: {fault.detail}"
        return
    check(one, questions, kept, report, merging.id)
    if not one.questions:
        one.left_out = "no question keeps the rules"
