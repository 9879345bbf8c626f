"""Does it matter which video comes first? Both orders, and the paired difference (section 4.2).

The names stay with the videos: only what is shown first changes, or every difference would fail.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.bench.compare import compare
from triptych.bench.plots import side_by_side
from triptych.bench.run_folder import RunFolder
from triptych.bench.statistics import percentage
from triptych.bench.vidic.load import find_checklist
from triptych.bench.vidic.records import TURNED, Judgment
from triptych.bench.vidic.result import Result
from triptych.bench.vidic.run import bench_local
from triptych.bench.vidic.scores import ONE_PAIR, TOTALS, class_names, parts
from triptych.record.files import write_text
from triptych.record.scores import Score, Scores, dumps

if TYPE_CHECKING:
    from triptych.bench.vidic.run_judged import Judging
    from triptych.bench.vidic.shown import Shown

NAME = "vidic order"
#: The two orders, as they are called in the record, and in tables.
FORWARD, REVERSE = "forward", "reverse"
FLIPS = "flips/"
#: Avg of the paper (section 4.2), A before B and B before A.
PUBLISHED = {
    "Qwen3-VL-32B": (63.90, 63.04), "Qwen2.5-VL-72B": (46.22, 45.45),
    "InternVL3.5-38B": (45.85, 42.66), "Keye-VL-1.5-8B": (45.24, 41.67),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ordered:
    """``scores``: by figure the difference of B before A less A before B, in points of percent.

    ``forward/...`` and ``reverse/...`` are the figures of each, ``flips/...`` the share of
    questions that are answered otherwise. ``turned`` counts them: right to wrong, wrong to right,
    and those between an answer and none, or of which neither is right.
    """

    scores: Scores
    forward: Result
    reverse: Result
    turned: tuple[int, int, int]
    out: Path


def order(
    data: str | Path, judging: Judging | None, *, model: str, how: Shown,
    out: str | Path | None = None, seed: int = 0, videos: str | Path | None = None, **common: Any,
) -> Ordered:  # fmt: skip
    """Run ``model`` on ``data`` in both orders; judged by facts where ``judging`` is ``None``.

    Kept in ``out`` (``vidic-order`` beside the checklist): the two runs in folders of their own,
    with frames and finished calls that they share, ``order.json``, ``flips.jsonl`` (the questions
    that are answered otherwise) and ``order.png``. Running again makes only what is missing.
    Further arguments and errors are those of the two runs,
    :func:`~triptych.bench.vidic.run_judged.bench_judged` or
    :func:`~triptych.bench.vidic.run.bench_local`.
    """
    run = RunFolder(out if out is not None else find_checklist(data).parent / "vidic-order", NAME)

    def one(name: str) -> Result:
        folder, reverse = run.folder / name, name == REVERSE
        if judging is None:
            return bench_local(data, model=model, reverse=reverse, out=folder, seed=seed, **common)
        from triptych.bench.vidic.run_judged import bench_judged

        return bench_judged(
            data, judging, model=model, how=replace(how, reverse=reverse), out=folder, seed=seed,
            videos=videos, frames=run.folder / "frames", calls=run.folder / "calls", **common,
        )  # fmt: skip

    forward, reverse = one(FORWARD), one(REVERSE)
    pairs = list(zip(forward.judged, reverse.judged, strict=True))
    scores = Scores(
        bench=NAME, model=model, judge=forward.scores.judge, n=forward.scores.n,
        failed=sum(a.failed is not None or b.failed is not None for a, b in pairs),
        scores=_figures(run.folder, forward, reverse, seed),
        labels=[label for label in reverse.scores.labels if label != TURNED],
        cost=_sum(forward.scores.cost, reverse.scores.cost),
        seconds=round(forward.scores.seconds + reverse.scores.seconds, 3),
    )  # fmt: skip
    write_text(run.folder / "order.json", dumps(scores))
    lines = [
        {"ident": a.ident, "pair": a.pair, "question": a.question, "correct": a.correct,
         FORWARD: a.answer, REVERSE: b.answer}
        for a, b in pairs if a.answer != b.answer
    ]  # fmt: skip
    write_text(run.folder / "flips.jsonl", "".join(json.dumps(row) + "\n" for row in lines))
    plot(scores, run.folder / "order.png")
    return Ordered(scores, forward, reverse, _turned(pairs), run.folder)


def flips(first: Sequence[Judgment], second: Sequence[Judgment], seed: int = 0) -> dict[str, Score]:
    """By figure the share of questions that two runs answer otherwise, in percent.

    Both are of the same questions in the same order; no answer is one of its own. The interval
    draws pairs of videos.
    """
    rows = list(zip(first, second, strict=True))
    return {
        name: percentage(
            ((a.pair, a.answer != b.answer) for a, b in rows if wanted(a)), seed, one=ONE_PAIR
        )
        for name, wanted in parts(first).items()
    }


def shown(scores: Scores) -> list[str]:
    """The names of totals and classes; fine categories would crowd a table."""
    names = {n: s for n, s in scores.scores.items()
             if not n.startswith((FLIPS, f"{FORWARD}/", f"{REVERSE}/"))}  # fmt: skip
    return [*TOTALS, *class_names(names)]


def plot(scores: Scores, target: str | Path) -> None:
    """Both orders beside each other, totals and classes."""
    rows = {
        name: [scores.scores[f"{FORWARD}/{name}"], scores.scores[f"{REVERSE}/{name}"]]
        for name in shown(scores)
    }
    title = f"Order of the videos: {scores.labelled} ({scores.n} questions)"
    side_by_side(rows, ("A before B", "B before A"), title, target)


def _figures(folder: Path, forward: Result, reverse: Result, seed: int) -> dict[str, Score]:
    compared = compare(folder / FORWARD, folder / REVERSE, seed).scores
    out = dict(compared)
    for name, run in ((FORWARD, forward), (REVERSE, reverse)):
        out |= {f"{name}/{n}": s for n, s in run.scores.scores.items()}
    return out | {FLIPS + n: s for n, s in flips(forward.judged, reverse.judged, seed).items()}


def _turned(pairs: Sequence[tuple[Judgment, Judgment]]) -> tuple[int, int, int]:
    other = [(a, b) for a, b in pairs if a.answer != b.answer]
    lost = sum(a.right and not b.right for a, b in other)
    won = sum(b.right and not a.right for a, b in other)
    return lost, won, len(other) - lost - won


def _sum(a: float | None, b: float | None) -> float | None:
    return None if a is None and b is None else (a or 0.0) + (b or 0.0)
