"""ViDiC as a task of Inspect: a sample is a pair, its solver captions, its scorer asks the judge.

Calls go through :mod:`triptych.models`, which stores each one that finished: whatever starts the
task, running it again makes only the calls that are missing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    metric,
    scorer,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from triptych.bench.vidic.captions import Caption
from triptych.bench.vidic.model_judge import ModelJudge
from triptych.bench.vidic.records import Checklist, Judgment, Pair
from triptych.models import Reply

#: Captions one pair: the caption, and the calls made for it.
Captioner = Callable[[Pair], Awaitable[tuple[Caption, list[Reply]]]]
#: Answers the questions of one pair.
Judging = Callable[[Pair, Caption], Awaitable[tuple[list[Judgment], list[Reply]]]]


def given(pairs: Sequence[Pair], captions: Sequence[Caption]) -> Captioner:
    """Captions that are there already."""
    by_position = {p.position: c for p, c in zip(pairs, captions, strict=True)}

    async def captioner(pair: Pair) -> tuple[Caption, list[Reply]]:
        return by_position[pair.position], []

    return captioner


def build(
    checklist: Checklist, captioner: Captioner, judge: ModelJudge, notes: Sequence[str] = ()
) -> Task:
    """The task over all pairs of ``checklist``; those without a question ask nothing."""
    pairs = {str(p.position): p for p in checklist.pairs if p.questions}
    samples = [
        Sample(id=ident, input=f"{p.a}\n{p.b}", target=[q.correct or "" for q in p.questions])
        for ident, p in pairs.items()
    ]
    return Task(
        dataset=MemoryDataset(samples, name="vidic"),
        solver=_caption(pairs, captioner)(),
        scorer=_checklist(pairs, judge.judge)(),
        name="vidic",
        metadata={"notes": list(notes), "checklist": checklist.path},
        fail_on_error=False,
    )


# Inspect writes the arguments of solvers and scorers down, those of a scorer with every sample: the
# whole set with each of its pairs, were it one of them. So they have none.


def _caption(pairs: dict[str, Pair], captioner: Captioner) -> Callable[[], Solver]:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        caption, calls = await captioner(pairs[str(state.sample_id)])
        state.output = ModelOutput.from_content(str(state.model), caption.text)
        state.metadata["caption"] = caption.model_dump(mode="json")
        state.metadata["calls"] = [told(reply) for reply in calls]
        return state

    @solver(name="vidic_caption")
    def made() -> Solver:
        return solve

    return made


def told(reply: Reply) -> dict[str, object]:
    """A call for the log: all but its text, which stands in the log already."""
    return reply.model_dump(mode="json", exclude={"text"}) | {"stored": reply.stored}


@metric(name="Avg")
def average() -> Metric:
    """The pooled share of right answers, in percent."""
    return _pooled(None)


@metric(name="Diff")
def difference() -> Metric:
    """Among differences."""
    return _pooled("Differences")


@metric(name="Sim")
def similarity() -> Metric:
    """Among similarities."""
    return _pooled("Similarities")


def _pooled(side: str | None) -> Metric:
    """A ratio of sums over all samples: a mean of samples would weigh short checklists more."""

    def compute(scores: list[SampleScore]) -> float:
        judged = [j for s in scores for j in judgments(s.score)]
        rights = [j.right for j in judged if side in (None, j.side)]
        return 100 * sum(rights) / len(rights) if rights else float("nan")

    return compute


def judgments(score: Score) -> list[Judgment]:
    """The judgments behind a sample's score."""
    held = (score.metadata or {}).get("judgments", [])
    return [Judgment.model_validate(j) for j in held]


def _checklist(pairs: dict[str, Pair], judging: Judging) -> Callable[[], Scorer]:
    async def score(state: TaskState, target: Target) -> Score:
        caption = Caption.model_validate(state.metadata["caption"])
        judged, calls = await judging(pairs[str(state.sample_id)], caption)
        return Score(
            value=sum(j.right for j in judged) / len(judged),
            answer=" ".join(j.answer or "-" for j in judged),
            explanation="\n".join(f"{j.ident}: {j.failed}" for j in judged if j.failed),
            metadata={
                "judgments": [j.model_dump(mode="json") for j in judged],
                "calls": [told(reply) for reply in calls],
            },
        )

    @scorer(metrics=[average(), difference(), similarity()], name="vidic_checklist")
    def made() -> Scorer:
        return score

    return made
