"""Running the task, and counting what came of it; a pair that broke is counted too."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import anyio
import inspect_ai
from inspect_ai.log import EvalLog
from inspect_ai.util import display_type

from triptych.bench.vidic.captions import Caption
from triptych.bench.vidic.model_judge import ModelJudge
from triptych.bench.vidic.records import Checklist, Judgment, judgment
from triptych.bench.vidic.spent import Spent, spent
from triptych.bench.vidic.task import Captioner, build, judgments
from triptych.models import Endpoint
from triptych.record.errors import UsageError


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Captions and judgments of a set's pairs in order; ``cost`` is ``None`` without prices."""

    captions: list[Caption]
    judged: list[Judgment]
    calls: int
    stored: int
    cost: float | None
    seconds: float
    log: str
    spent: Spent


def evaluate(
    checklist: Checklist, captioner: Captioner, judge: ModelJudge, folder: Path,
    notes: Sequence[str] = (), *, used: Sequence[Endpoint] = (), at_once: int = 16,
) -> Evaluated:  # fmt: skip
    """Run the task on ``at_once`` pairs at a time; its log goes to ``folder/logs``.

    ``used`` are the endpoints behind the captions.
    """

    async def run() -> list[EvalLog]:
        try:
            return await inspect_ai.eval_async(
                build(checklist, captioner, judge, notes),
                model=None, log_dir=str(folder / "logs"), max_samples=at_once,
                log_images=False, log_realtime=False, score_display=False, fail_on_error=False,
                log_level="error",
            )  # fmt: skip
        finally:  # connections belong to the event loop that opened them
            for endpoint in (judge.endpoint, *used):
                await endpoint.close()

    _quiet()
    (log,) = anyio.run(run)
    if log.samples is None:
        why = log.error.message if log.error else log.status
        raise UsageError(f"the evaluation did not run: {why}")
    return _counted(checklist, log)


def _counted(checklist: Checklist, log: EvalLog) -> Evaluated:
    samples = {str(s.id): s for s in log.samples or []}
    captions: list[Caption] = []
    judged: list[Judgment] = []
    calls: list[dict[str, object]] = []
    for pair in checklist.pairs:
        sample = samples.get(str(pair.position))
        held = sample.metadata.get("caption") if sample else None
        score = next(iter((sample.scores or {}).values()), None) if sample else None
        why = "it asks nothing" if not pair.questions else "it was not evaluated"
        if sample is not None and sample.error is not None:
            why = next(iter(sample.error.message.splitlines()), "an unexpected error")
        captions.append(Caption.model_validate(held) if held else Caption(failed=why))
        if score is not None:
            judged += judgments(score)
            calls += (score.metadata or {}).get("calls", [])
        else:
            judged += [judgment(pair, q, None, failed=why) for q in pair.questions]
        calls += sample.metadata.get("calls", []) if sample else []
    costs = [c.get("cost") for c in calls if not c.get("stored")]
    known = [c for c in costs if isinstance(c, int | float)]
    return Evaluated(
        captions, judged, calls=len(calls), stored=sum(bool(c.get("stored")) for c in calls),
        cost=sum(known) if len(known) == len(costs) and costs else None,
        seconds=sum(float(str(c["seconds"])) for c in calls), log=log.location,
        spent=spent(calls),
    )  # fmt: skip


def _quiet() -> None:
    """Nothing of Inspect's own on the terminal: results alone go to stdout.

    It settles how it shows things when it is first asked, from the environment.
    """
    before = os.environ.get("INSPECT_DISPLAY")
    os.environ["INSPECT_DISPLAY"] = "none"
    display_type()
    if before is None:
        del os.environ["INSPECT_DISPLAY"]
    else:
        os.environ["INSPECT_DISPLAY"] = before
