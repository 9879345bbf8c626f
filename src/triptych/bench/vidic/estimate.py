"""What a run would take, before anything is sent: calls, tokens, dollars.

Frames are cut, since their sizes and numbers decide; the run then finds them. Calls that the run's
store holds are not made again and cost nothing. A judge's call whose caption is not there yet is
counted with one of ``ASSUMED_CAPTION`` tokens. Tries that fail and are made again are not foreseen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio

from triptych.bench.vidic import local
from triptych.bench.vidic.captions import Caption
from triptych.bench.vidic.model_caption import ModelCaptioner, caption_of
from triptych.bench.vidic.model_judge import ModelJudge
from triptych.bench.vidic.records import Pair
from triptych.bench.vidic.run_judged import Judging, drawn, prepare
from triptych.models import Endpoint, Estimate, Message, Settings
from triptych.models.counting import BYTES_PER_TOKEN
from triptych.models.prices import USUAL_ANSWER
from triptych.record.errors import printable

#: Tokens of a caption that is still to be written, where its limit is not below that.
ASSUMED_CAPTION = USUAL_ANSWER
#: Calls that have to be made, and how many there are already.
Part = tuple[Estimate, int]


@dataclass(slots=True)
class Forecast:
    """``parts`` by what the calls are for, each with the name of its model.

    ``assumed`` pairs have no caption yet; ``failed`` says which can get none, and why.
    """

    parts: dict[str, tuple[str, Estimate, int]]
    assumed: int
    failed: list[str] = field(default_factory=list)

    @property
    def total(self) -> Estimate:
        """All of it."""
        return sum((e for _, e, _ in self.parts.values()), Estimate())

    def lines(self) -> list[str]:
        """As it is told on a terminal."""
        out = [_line(name, *part) for name, part in self.parts.items()]
        out.append(_line("in all", "", self.total, sum(m for _, _, m in self.parts.values())))
        if self.assumed:
            out.append(f"assumed: {ASSUMED_CAPTION} tokens of caption, or the limit if that is "
                       f"less, for {self.assumed} pairs that have none yet")  # fmt: skip
        out.append(f"assumed: answers of {USUAL_ANSWER} tokens, or the limit; tries that fail come "
                   "on top")  # fmt: skip
        return [*out, *(f"no caption: {printable(why)}" for why in self.failed)]

    def as_json(self) -> dict[str, Any]:
        """As a record; ``dollars`` is null where a price is not known."""
        return {
            "schema": "triptych.estimate/1",
            "parts": {
                name: {"model": model, "made_before": made} | asdict(e)
                for name, (model, e, made) in self.parts.items()
            },
            "total": asdict(self.total),
            "assumed": {"captions": self.assumed, "caption_tokens": ASSUMED_CAPTION,
                        "answer_tokens": USUAL_ANSWER},
            "no_caption": self.failed,
        }  # fmt: skip


def estimate(
    data: str | Path, judging: Judging, *, model: str = local.BLIND,
    responses: str | Path | None = None, seed: int = 0, **how: Any,
) -> Forecast:  # fmt: skip
    """What :func:`~triptych.bench.vidic.run_judged.bench_judged` would take; same arguments."""
    judging = replace(judging, only_counted=True)
    made = prepare(data, judging, model=model, responses=responses, seed=seed, **how)
    pairs = [p for p in made.checklist.pairs if p.questions]
    parts: dict[str, tuple[str, Estimate, int]] = {}
    assumed = 0
    if made.under_test is not None:
        part, captions, assumed = anyio.run(_captions, made.under_test, pairs)
        parts["captions"] = (model, *part)
    else:
        both = zip(made.checklist.pairs, made.captions or [], strict=True)
        captions = {p.position: c for p, c in both}
    parts["judging"] = (judging.model, *_judging(made.judge, pairs, captions))
    if judging.per_call > 1:
        some = {made.checklist.pairs[i].position for i in drawn(made.checklist, seed)}
        one = replace(made.judge, per_call=1)
        part = _judging(one, [p for p in pairs if p.position in some], captions)
        parts["checking"] = (judging.model, *part)
    failed = [f"entry {p.position}: {why}" for p in pairs if (why := captions[p.position].failed)]
    return Forecast(parts, assumed, failed)


async def _captions(
    captioner: ModelCaptioner, pairs: Sequence[Pair]
) -> tuple[Part, dict[int, Caption], int]:
    """The calls for captions; those that are stored, or impossible; and stand-ins for the others.

    A stand-in begins with its call's key: equal calls will give equal captions, and others not.
    """
    asked: dict[int, Message | str] = {}

    async def ask(pair: Pair) -> None:
        asked[pair.position] = await captioner.asked(pair)

    async with anyio.create_task_group() as tasks:
        for pair in pairs:
            tasks.start_soon(ask, pair)
    captions: dict[int, Caption] = {}
    count, assumed = _Count(captioner.endpoint, captioner.how.settings), 0
    limit = min(captioner.how.settings.max_tokens or ASSUMED_CAPTION, ASSUMED_CAPTION)
    size = limit * BYTES_PER_TOKEN
    for position, message in asked.items():
        if isinstance(message, str):
            captions[position] = Caption(failed=message)
            continue
        key = count.add([message])
        reply = captioner.endpoint.made(key)
        assumed += reply is None
        stand_in = Caption(text=key.ljust(size, "x")[:size])
        captions[position] = caption_of(reply) if reply is not None else stand_in
    return (count.left, count.made), captions, assumed


def _judging(judge: ModelJudge, pairs: Sequence[Pair], captions: dict[int, Caption]) -> Part:
    count = _Count(judge.endpoint, judge.settings)
    for pair in pairs:
        for messages in judge.asked(pair, captions[pair.position]):
            count.add(messages)
    return count.left, count.made


class _Count:
    """Adds calls up, but none twice, and none that was made before."""

    def __init__(self, endpoint: Endpoint, settings: Settings) -> None:
        self.endpoint, self.settings = endpoint, settings
        self.left, self.made = Estimate(), 0
        self._seen: set[str] = set()

    def add(self, messages: Sequence[Message]) -> str:
        """The key of the call, counted if it was not before."""
        key = self.endpoint.key(messages, self.settings)
        if key not in self._seen:
            self._seen.add(key)
            if self.endpoint.made(key) is not None:
                self.made += 1
            else:
                self.left += self.endpoint.estimate(messages, self.settings)
        return key


def _line(name: str, model: str, e: Estimate, made: int) -> str:
    dollars = "no price is known" if e.dollars is None else f"{e.dollars:.4f} dollars"
    of = f" ({printable(model)})" if model else ""
    before = f", {made} more made before" if made else ""
    return (
        f"{name}{of}: {e.calls} calls{before}, {e.pictures} pictures, about {e.input} tokens in "
        f"and {e.output} out, {dollars}"
    )
