"""A model as the judge: it sees the caption and a question, never the videos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import anyio

from triptych.bench.vidic.answers import Read, read_one, read_several
from triptych.bench.vidic.captions import Caption
from triptych.bench.vidic.protocol import Protocol
from triptych.bench.vidic.records import Judgment, Pair, Question, judgment
from triptych.models import Endpoint, Message, Reply, Settings, user


@dataclass(frozen=True, slots=True)
class ModelJudge:
    """``per_call`` questions go into one call; ``repeat`` numbers judgments of the same caption."""

    endpoint: Endpoint
    protocol: Protocol
    settings: Settings = field(default_factory=Settings)
    per_call: int = 1
    repeat: int = 0

    async def judge(self, pair: Pair, caption: Caption) -> tuple[list[Judgment], list[Reply]]:
        """Every question of ``pair`` in order, and the calls that were made for them.

        What cannot be asked is not asked: a pair without a caption, an item without a question.
        """
        groups, asked = self._groups(pair, caption), self.asked(pair, caption)
        replies: list[Reply | None] = [None] * len(groups)

        async def call(i: int) -> None:
            replies[i] = await self.endpoint.generate(asked[i], self.settings, repeat=self.repeat)

        async with anyio.create_task_group() as tasks:
            for i in range(len(groups)):
                tasks.start_soon(call, i)
        found: dict[str, tuple[Read, str]] = {}
        done = [r for r in replies if r is not None]
        for group, reply in zip(groups, done, strict=True):
            for question, read in zip(group, self._read(reply, len(group)), strict=True):
                found[question.ident] = (read, reply.key)
        return [self._judgment(pair, q, caption, found) for q in pair.questions], done

    def asked(self, pair: Pair, caption: Caption) -> list[list[Message]]:
        """The calls for ``pair``, each as its messages."""
        texts = [[q.text for q in group] for group in self._groups(pair, caption)]
        if self.per_call == 1:
            return [[user(self.protocol.one(caption.text, t[0]))] for t in texts]
        return [[user(self.protocol.many(caption.text, t))] for t in texts]

    def _groups(self, pair: Pair, caption: Caption) -> list[Sequence[Question]]:
        if caption.failed is not None:
            return []
        asked = [q for q in pair.questions if q.text and q.correct is not None]
        return [asked[i : i + self.per_call] for i in range(0, len(asked), self.per_call)]

    def _read(self, reply: Reply, count: int) -> list[Read]:
        if not reply.ok:
            return [(None, "", f"the judge could not be asked: {reply.error}")] * count
        if reply.refused:
            return [(None, "", "the judge refused")] * count
        return [read_one(reply.text)] if self.per_call == 1 else read_several(reply.text, count)

    def _judgment(
        self, pair: Pair, question: Question, caption: Caption, found: dict[str, tuple[Read, str]]
    ) -> Judgment:
        if caption.failed is not None:
            return judgment(pair, question, None, failed=f"no caption: {caption.failed}")
        (answer, why, failed), key = found.get(question.ident, ((None, "", None), None))
        return judgment(pair, question, answer, why, failed, call=key)


def agreement(one: Sequence[Judgment], other: Sequence[Judgment]) -> tuple[int, int]:
    """Of how many questions two ways of judging say the same (no answer is one too), of how many.

    Both are of the same questions, in the same order.
    """
    pairs = list(zip(one, other, strict=True))
    return sum(a.answer == b.answer for a, b in pairs), len(pairs)
