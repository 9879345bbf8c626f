"""What goes to a model and what comes back: the whole surface of this room in one file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from pydantic import Field

from triptych.record.report import Number, Record

#: ``policy`` is the model under test or at work, ``perception`` looks for it, ``judge`` scores,
#: ``teacher`` makes data.
Role = Literal["policy", "perception", "judge", "teacher"]
#: Why a call failed for good. One of "budget" was never sent.
ErrorKind = Literal[
    "rate limit", "server", "timeout", "connection", "malformed", "refused", "budget"
]
Stop = Literal["stop", "length", "filter", "unknown"]


@dataclass(frozen=True, slots=True)
class Text:
    """Words."""

    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """One frame of ``video``, on screen at ``time_s``, as a JPEG file of ``width`` x ``height``.

    ``digest`` is the SHA-256 of the file: what a stored call is found by.
    """

    path: Path
    digest: str
    video: str
    time_s: float
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Clip:
    """A whole video file, for endpoints that take one. Sizes are display pixels.

    ``fps`` asks the server to sample so many frames a second, where it can.
    """

    path: Path
    digest: str
    video: str
    duration_s: float
    width: int
    height: int
    fps: float | None = None


Part = Text | Picture | Clip


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The words of it."""
        return "\n".join(p.text for p in self.parts if isinstance(p, Text))


def user(*parts: Part | str) -> Message:
    """A user's turn; strings are taken for :class:`Text`."""
    return Message("user", tuple(Text(p) if isinstance(p, str) else p for p in parts))


def system(text: str) -> Message:
    """The instructions before the first turn."""
    return Message("system", (Text(text),))


@dataclass(frozen=True, slots=True)
class Settings:
    """How to sample; ``None`` leaves it to the endpoint. ``max_tokens`` are of the answer.

    ``repetition_penalty`` and ``thinking`` are known to servers such as vLLM, ``effort`` to
    reasoning models. All are part of what a stored call is found by.
    """

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    repetition_penalty: float | None = None
    seed: int | None = None
    thinking: bool | None = None
    effort: Literal["minimal", "low", "medium", "high"] | None = None

    def given(self) -> dict[str, Any]:
        """Those that are set, by name."""
        names = self.__dataclass_fields__
        return {n: v for n in names if (v := getattr(self, n)) is not None}


class Usage(Record):
    """Tokens as the endpoint counted them; ``cached`` and ``reasoning`` are parts of the others."""

    input: int
    output: int
    cached: int = 0
    reasoning: int = 0


class Sent(Record):
    """A picture or video that was sent: where it is from, its exact time or length, its size."""

    kind: Literal["picture", "video"]
    video: str
    time_s: Number
    width: int
    height: int
    digest: str


class Retries(Record):
    """How often a call was made again, by reason."""

    rate_limit: int = 0
    server: int = 0
    timeout: int = 0
    connection: int = 0
    malformed: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.rate_limit + self.server + self.timeout + self.connection + self.malformed


class Reply(Record):
    """What came of a call. A failed one is a reply too: ``error`` says why, ``text`` is empty.

    ``cost`` is in US dollars, ``None`` where no price is known; ``seconds`` are those until the
    answer was there, waiting between tries included. ``stored``: it was made before and read from
    the store, so that it costs nothing now.
    """

    text: str
    stop: Stop
    error: str | None = None
    error_kind: ErrorKind | None = None
    role: Role
    model: str
    prompt_hash: str
    key: str
    settings: dict[str, Any] = Field(default_factory=dict)
    sent: list[Sent] = Field(default_factory=list)
    usage: Usage | None = None
    cost: float | None = None
    seconds: Number
    retries: Retries = Field(default_factory=Retries)
    stored: bool = Field(default=False, exclude=True)

    @property
    def ok(self) -> bool:
        """Whether there is an answer, be it empty, cut short or a refusal."""
        return self.error is None

    @property
    def refused(self) -> bool:
        """Whether the endpoint's filter withheld the answer."""
        return self.stop == "filter"


@dataclass(frozen=True, slots=True)
class Request:
    """One call as a model gets it. ``truth`` is for ``scripted/oracle`` and nobody else."""

    role: Role
    messages: tuple[Message, ...]
    settings: Settings = field(default_factory=Settings)
    truth: str | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer."""

    text: str
    stop: Stop = "stop"
    usage: Usage | None = None


class CallError(Exception):
    """One try that came to nothing.

    ``again``: another try may succeed, not before ``after_s`` seconds where the server said so.
    ``billed``: the answer may have been made, and have to be paid for, all the same.
    """

    def __init__(
        self,
        kind: ErrorKind,
        message: str,
        *,
        again: bool,
        after_s: float | None = None,
        billed: bool = False,
    ) -> None:
        self.kind: ErrorKind = kind
        self.again = again
        self.after_s = after_s
        self.billed = billed
        super().__init__(message)


class Model(Protocol):
    """Something that answers. ``id`` is the name it was asked for by.

    ``version`` is what else its answers depend on: a server's address, a script's contents.
    """

    @property
    def id(self) -> str:
        """The name."""
        ...

    @property
    def version(self) -> str:
        """See above."""
        ...

    async def complete(self, request: Request, timeout_s: float) -> Completion:
        """One try; raises :class:`CallError`."""
        ...

    def check(self, settings: Settings) -> None:
        """Raise :class:`~triptych.record.errors.UsageError` for settings it does not know."""
        ...

    async def close(self) -> None:
        """Let connections go; it may be used again all the same, in another event loop too."""
        ...
