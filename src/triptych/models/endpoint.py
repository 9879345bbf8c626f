"""A model in a role: calls are stored, retried, counted and paid for here, whatever answers."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import anyio

from triptych.models.budget import Budget
from triptych.models.calls import CallStore, call_key, prompt_hash, sent
from triptych.models.prices import MOST_ANSWER, Estimate, Prices
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
from triptych.record.errors import UsageError, printable


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
    """``model`` in ``role``. At most ``connections`` calls are under way at a time.

    With a ``budget`` the table has to have the model's price, else it raises
    :class:`~triptych.record.errors.UsageError`; answers are then limited to ``MOST_ANSWER`` tokens
    where the settings set no limit, or no worst case could be told.
    """

    def __init__(
        self,
        model: Model,
        role: Role,
        *,
        store: CallStore | None = None,
        prices: Prices | None = None,
        budget: Budget | None = None,
        patience: Patience | None = None,
        connections: int = 16,
    ) -> None:
        self.model = model
        self.role: Role = role
        self.store = store
        self.prices = prices or Prices()
        self.price = self.prices.of(model.id)
        self.budget = budget
        if budget is not None and self.price is None:
            raise UsageError(
                f"{printable(model.id)}: no price is known, so that no budget can be kept "
                "(give a table with --prices, or no --budget)"
            )
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
        request = self._request(messages, settings, truth)
        self.model.check(request.settings)
        key = call_key(self.model.id, self.model.version, request, repeat)
        # Of equal calls at one time the second waits, and finds the first one's answer stored.
        async with self._turn(key):
            found = self.made(key)
            if found is not None:
                if self.budget is not None:
                    self.budget.took_up(key, found.cost)
                return found
            async with self._slots:
                reply = await self._call(request, key)
            if self.store is not None and reply.ok:
                self.store.put(reply)
                if self.budget is not None:  # paid for; whoever takes it up pays nothing
                    self.budget.took_up(key, 0.0)
            return reply

    def key(self, messages: Sequence[Message], settings: Settings | None = None) -> str:
        """What :meth:`generate` would store the answer under."""
        request = self._request(messages, settings, None)
        return call_key(self.model.id, self.model.version, request)

    def made(self, key: str) -> Reply | None:
        """The stored reply of a call that was made before."""
        return self.store.get(key) if self.store is not None else None

    def estimate(self, messages: Sequence[Message], settings: Settings | None = None) -> Estimate:
        """What :meth:`generate` would be expected to take; nothing is sent."""
        return self.prices.estimate(self.model.id, self._request(messages, settings, None))

    def _request(
        self, messages: Sequence[Message], settings: Settings | None, truth: str | None
    ) -> Request:
        settings = settings or Settings()
        if self.budget is not None and settings.max_tokens is None:
            settings = replace(settings, max_tokens=MOST_ANSWER)
        return Request(self.role, tuple(messages), settings, truth)

    async def close(self) -> None:
        """Let connections go. Whoever uses several event loops does so at the end of each."""
        await self.model.close()

    async def _call(self, request: Request, key: str) -> Reply:
        started = time.monotonic()
        retries = Retries()
        completion: Completion | None = None
        error: CallError | None = None
        cost = 0.0
        while True:
            try:
                completion, took = await self._try(request)
                cost += took
                break
            except CallError as e:
                error = e
            if not error.again or retries.total >= self.patience.retries:
                break
            _count(retries, error)
            _count(self.retries, error)
            await anyio.sleep(self.patience.wait(retries.total, error.after_s))
        answer = completion or Completion("", "unknown")
        # What was never answered and will not be charged cost nothing, and that is known.
        known = answer.usage is not None or not (completion or (error and error.billed))
        return Reply(
            # JSON may hold half a character, which no file in UTF-8 can.
            text=answer.text.encode("utf-8", "replace").decode(),
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
            cost=cost if self.price is not None and known else None,
            seconds=time.monotonic() - started,
            retries=retries,
        )

    async def _try(self, request: Request) -> tuple[Completion, float]:
        """One try, paid for: its answer and what that cost in US dollars."""
        worst = self.price.worst(request) if self.price is not None else 0.0
        if self.budget is not None and not await self.budget.reserve(worst):
            left = max(0.0, self.budget.limit - self.budget.spent)
            said = f"the budget has {left:.4f} dollars left, and the call could cost {worst:.4f}"
            raise CallError("budget", said, again=False)
        # Until the contrary is known the answer was made and has to be paid for.
        cost = worst
        try:
            completion = await self.model.complete(request, self.patience.timeout_s)
            if self.price is not None and completion.usage is not None:
                cost = self.price.cost(completion.usage)
            return completion, cost
        except CallError as e:
            if not e.billed:
                cost = 0.0
            raise
        finally:
            if self.budget is not None:
                self.budget.settle(worst, cost)

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
