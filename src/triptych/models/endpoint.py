"""A model in a role: calls are stored, retried, counted and paid for here, whatever answers."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from triptych.models.calls import CallStore, call_key, prompt_hash, sent
from triptych.models.protocols import (
    CallError,
    Completion,
    Message,
    Model,
    Reply,
    Request,
    Retries,
    Role,
    Settings,
)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait and how often to try again.

    A try is given up after ``timeout_s``. After a failure that may pass there are up to
    ``retries`` further tries; the wait before them is ``first_s``, then twice that and so on up
    to ``most_s``, or what the server asks for, up to ``most_s`` too.
    """

    timeout_s: float = 600.0
    retries: int = 5
    first_s: float = 1.0
    most_s: float = 60.0

    def wait(self, tries: int, asked_s: float | None) -> float:
        """Seconds before the next try, after ``tries`` failed ones."""
        # Both bounded before the power, which would overflow after a thousand tries.
        grown = self.first_s * 2.0 ** min(tries - 1, 30)
        return min(max(grown, asked_s or 0.0), self.most_s)


class Endpoint:
    """``model`` in ``role``. At most ``connections`` calls are under way at a time."""

    def __init__(
        self,
        model: Model,
        role: Role,
        *,
        store: CallStore | None = None,
        patience: Patience | None = None,
        connections: int = 16,
    ) -> None:
        self.model = model
        self.role: Role = role
        self.store = store
        self.patience = patience or Patience()
        #: Retries of all calls so far.
        self.retries = Retries()
        self._slots = anyio.Semaphore(connections)
        self._turns: dict[str, tuple[anyio.Lock, int]] = {}

    @property
    def id(self) -> str:
        """The model's name."""
        return self.model.id

    async def generate(
        self,
        messages: Sequence[Message],
        settings: Settings | None = None,
        *,
        truth: str | None = None,
        repeat: int = 0,
    ) -> Reply:
        """The answer to ``messages``, from the store if it was given before.

        Never raises for what the endpoint does: a call that failed for good is a reply with
        ``error``, and is not stored, so that running again makes it again. ``truth`` is only seen
        by ``scripted/oracle``. ``repeat`` numbers calls that are to be made although an equal
        one was. Raises :class:`~triptych.record.errors.UsageError` for settings that the model
        does not know.
        """
        request = Request(self.role, tuple(messages), settings or Settings(), truth)
        self.model.check(request.settings)
        key = call_key(self.model.id, self.model.version, request, repeat)
        # Of equal calls at one time the second waits, and finds the first one's answer stored.
        async with self._turn(key):
            found = self.store.get(key) if self.store is not None else None
            if found is not None:
                return found
            async with self._slots:
                reply = await self._call(request, key)
            if self.store is not None and reply.ok:
                self.store.put(reply)
            return reply

    async def close(self) -> None:
        """Let connections go. Whoever uses several event loops does so at the end of each."""
        await self.model.close()

    async def _call(self, request: Request, key: str) -> Reply:
        started = time.monotonic()
        retries = Retries()
        completion: Completion | None = None
        error: CallError | None = None
        while True:
            try:
                completion = await self.model.complete(request, self.patience.timeout_s)
                break
            except CallError as e:
                error = e
            if not error.again or retries.total >= self.patience.retries:
                break
            _count(retries, error)
            _count(self.retries, error)
            await anyio.sleep(self.patience.wait(retries.total, error.after_s))
        answer = completion or Completion("", "unknown")
        return Reply(
            text=answer.text,
            stop=answer.stop,
            error=str(error) if completion is None else None,
            error_kind=error.kind if completion is None and error is not None else None,
            role=request.role,
            model=self.model.id,
            prompt_hash=prompt_hash(request.messages),
            key=key,
            settings=request.settings.given(),
            sent=sent(request.messages),
            usage=answer.usage,
            seconds=time.monotonic() - started,
            retries=retries,
        )

    @asynccontextmanager
    async def _turn(self, key: str) -> AsyncIterator[None]:
        lock, waiting = self._turns.get(key, (anyio.Lock(), 0))
        self._turns[key] = (lock, waiting + 1)
        try:
            async with lock:
                yield
        finally:
            lock, waiting = self._turns[key]
            if waiting == 1:
                del self._turns[key]
            else:
                self._turns[key] = (lock, waiting - 1)


def _count(retries: Retries, error: CallError) -> None:
    name = error.kind.replace(" ", "_")
    setattr(retries, name, getattr(retries, name) + 1)
