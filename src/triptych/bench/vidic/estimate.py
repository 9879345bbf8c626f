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
    made = prepare(data, judging, model=model, responses=responses, seed=seed, **how)
    pairs = [p for p in made.checklist.pairs if p.questions]
    parts: dict[str, tuple[str, Estimate, int]] = {}
    known: dict[int, Caption] = {}
    if made.under_test is not None:
        part, known = anyio.run(_captions, made.under_test, pairs)
        parts["captions"] = (model, *part)
        limit = made.under_test.how.settings.max_tokens or ASSUMED_CAPTION
    else:
        known = {p.position: c for p, c in
                 zip(made.checklist.pairs, made.captions or [], strict=True)}  # fmt: skip
        limit = ASSUMED_CAPTION
    stand_in = Caption(text="word" * (min(limit, ASSUMED_CAPTION) * BYTES_PER_TOKEN // len("word")))
    parts["judging"] = (judging.model, *_judging(made.judge, pairs, known, stand_in))
    if judging.per_call > 1:
        some = {made.checklist.pairs[i].position for i in drawn(made.checklist, seed)}
        one = replace(made.judge, per_call=1)
        part = _judging(one, [p for p in pairs if p.position in some], known, stand_in)
        parts["checking"] = (judging.model, *part)
    failed = [
        f"entry {p.position}: {known[p.position].failed}" for p in pairs
        if p.position in known and known[p.position].failed is not None
    ]  # fmt: skip
    return Forecast(parts, sum(p.position not in known for p in pairs), failed)


async def _captions(
    captioner: ModelCaptioner, pairs: Sequence[Pair]
) -> tuple[Part, dict[int, Caption]]:
    """The calls for captions, and the captions that are known: those stored, those impossible."""
    asked: dict[int, Message | str] = {}

    async def ask(pair: Pair) -> None:
        asked[pair.position] = await captioner.asked(pair)

    async with anyio.create_task_group() as tasks:
        for pair in pairs:
            tasks.start_soon(ask, pair)
    known: dict[int, Caption] = {}
    count = _Count(captioner.endpoint, captioner.how.settings)
    for position, message in asked.items():
        if isinstance(message, str):
            known[position] = Caption(failed=message)
            continue
        reply = captioner.endpoint.made(count.key([message]))
        if reply is not None:
            known[position] = caption_of(reply)
        count.add([message])
    return (count.left, count.made), known


def _judging(
    judge: ModelJudge, pairs: Sequence[Pair], known: dict[int, Caption], stand_in: Caption
) -> Part:
    count = _Count(judge.endpoint, judge.settings)
    for pair in pairs:
        caption = known.get(pair.position)
        for messages in judge.asked(pair, caption or stand_in):
            count.add(messages, alike=caption is None)
    return count.left, count.made


class _Count:
    """Adds calls up, but none twice, and none that was made before."""

    def __init__(self, endpoint: Endpoint, settings: Settings) -> None:
        self.endpoint, self.settings = endpoint, settings
        self.left, self.made = Estimate(), 0
        self._seen: set[str] = set()

    def key(self, messages: Sequence[Message]) -> str:
        return self.endpoint.key(messages, self.settings)

    def add(self, messages: Sequence[Message], *, alike: bool = False) -> None:
        """``alike``: stand-ins make calls look the same that will not be."""
        key = self.key(messages)
        if not alike and key in self._seen:
            return
        self._seen.add(key)
        if not alike and self.endpoint.made(key) is not None:
            self.made += 1
        else:
            self.left += self.endpoint.estimate(messages, self.settings)


def _line(name: str, model: str, e: Estimate, made: int) -> str:
    dollars = "no price is known" if e.dollars is None else f"{e.dollars:.4f} dollars"
    of = f" ({printable(model)})" if model else ""
    before = f", {made} more made before" if made else ""
    return (
        f"{name}{of}: {e.calls} calls{before}, {e.pictures} pictures, about {e.input} tokens in "
        f"and {e.output} out, {dollars}"
    )
