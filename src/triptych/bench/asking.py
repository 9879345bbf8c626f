"""Many questions to one model, as many at a time as its endpoint lets through."""

from __future__ import annotations

from collections.abc import Sequence

import anyio

from triptych.bench.reports import Progress
from triptych.models import Endpoint, Message, Reply, Settings


def ask_all(
    endpoint: Endpoint, asked: Sequence[Sequence[Message]], settings: Settings | None = None,
    progress: Progress | None = None,
) -> list[Reply]:  # fmt: skip
    """The reply to each of ``asked``, in order; a call that failed is a reply with ``error``.

    Calls that were made before come from the endpoint's store. Its connections are let go.
    """
    replies: list[Reply | None] = [None] * len(asked)
    done = 0

    async def one(i: int) -> None:
        nonlocal done
        replies[i] = await endpoint.generate(asked[i], settings)
        done += 1
        if progress is not None:
            progress(done, len(asked), endpoint.id)

    async def work() -> None:
        try:
            async with anyio.create_task_group() as tasks:
                for i in range(len(asked)):
                    tasks.start_soon(one, i)
        finally:
            await endpoint.close()

    anyio.run(work)
    return [r for r in replies if r is not None]


def cost(replies: Sequence[Reply]) -> float | None:
    """US dollars of the calls made now; ``None`` where no price is known, or none was made."""
    costs = [r.cost for r in replies if not r.stored]
    known = [c for c in costs if c is not None]
    return sum(known) if costs and len(known) == len(costs) else None
