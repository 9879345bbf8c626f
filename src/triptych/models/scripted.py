"""Models that answer from a script: for tests, baselines, and trying things without a key.

``scripted/blind`` never looks. ``scripted/oracle`` answers the truth that comes with the call.
``scripted/reader`` repeats the measured facts that the prompt states. ``scripted/FILE.json``
answers by rules; the format is in docs/models.md.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, Literal

import anyio
from pydantic import ConfigDict, Field, ValidationError

from triptych.models.protocols import (
    CallError,
    Completion,
    Request,
    Role,
    Settings,
    Stop,
    Usage,
)
from triptych.record.errors import NotFoundError, UnreadableError, UsageError, printable
from triptych.record.report import Record

#: What one says who has not looked: no claim, so that nothing is hallucinated either.
BLIND_CAPTION = "I have not looked at the videos."
BLIND_JUDGMENT = '{"answer": "no", "explanation": "nothing was looked at"}'
#: Measured facts stand in prompts between these lines; see the prompt files.
FACTS_START, FACTS_END = "<measured>", "</measured>"
_WORD = re.compile(r"\w+|[^\w\s]")


class Rule(Record):
    """Answers a request whose words hold all of ``contains`` and none of ``without``.

    ``answer`` is text, any JSON (sent as JSON text), or, with ``in_turn``, a list of answers given
    one after the other, the last again and again. ``fail`` makes it fail instead, ``times`` times.
    """

    role: Role | None = None
    contains: list[str] = Field(default_factory=list)
    without: list[str] = Field(default_factory=list)
    answer: Any = ""
    in_turn: bool = False
    stop: Stop = "stop"
    fail: (
        Literal["rate limit", "server", "timeout", "connection", "malformed", "refused"] | None
    ) = None
    times: int | None = Field(default=None, ge=1)
    wait_s: float = Field(default=0.0, ge=0, le=600)

    def applies(self, role: Role, text: str) -> bool:
        """Whether the rule is one for this request."""
        return (
            self.role in (None, role)
            and all(part in text for part in self.contains)
            and not any(part in text for part in self.without)
        )


class Script(Record):
    """The file: the first rule that applies answers, else ``default``."""

    schema_: Literal["triptych.script/1"] = Field(alias="schema")
    rules: list[Rule] = Field(default_factory=list)
    default: Any = ""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class Scripted:
    """See :class:`~triptych.models.protocols.Model`. Tokens are counted as words and marks."""

    def __init__(self, name: str, script: Script | None = None, version: str = "1") -> None:
        self.id = f"scripted/{name}"
        self.version = version
        self._name = name
        self._script = script
        self._used: Counter[int] = Counter()

    def check(self, settings: Settings) -> None:
        """Every setting is taken, and none makes a difference."""

    async def close(self) -> None:
        """Nothing is held."""

    async def complete(self, request: Request, timeout_s: float) -> Completion:
        """One try; raises :class:`CallError` where the script says so."""
        text = "\n".join(m.text for m in request.messages)
        answer, stop = await self._answer(request, text, timeout_s)
        return Completion(answer, stop, Usage(input=_count(text), output=_count(answer)))

    async def _answer(self, request: Request, text: str, timeout_s: float) -> tuple[str, Stop]:
        if self._script is not None:
            return await self._ruled(self._script, request.role, text, timeout_s)
        if self._name == "oracle":
            return request.truth or "", "stop"
        if request.role == "judge":
            return BLIND_JUDGMENT, "stop"
        if self._name == "reader":
            facts = text.partition(FACTS_START)[2].partition(FACTS_END)[0].strip()
            return facts or BLIND_CAPTION, "stop"
        return BLIND_CAPTION, "stop"

    async def _ruled(
        self, script: Script, role: Role, text: str, timeout_s: float
    ) -> tuple[str, Stop]:
        for number, rule in enumerate(script.rules):
            used = self._used[number]
            spent = rule.times is not None and used >= rule.times
            if spent or not rule.applies(role, text):
                continue
            self._used[number] += 1
            await anyio.sleep(min(rule.wait_s, timeout_s))
            if rule.fail is not None:
                again = rule.fail not in ("refused", "budget")
                raise CallError(rule.fail, f"the script says: {rule.fail}", again=again)
            answer = rule.answer
            if rule.in_turn:
                given = answer if isinstance(answer, list) and answer else [answer]
                answer = given[min(used, len(given) - 1)]
            return _text(answer), rule.stop
        return _text(script.default), "stop"


def scripted(name: str) -> Scripted:
    """``blind``, ``oracle``, ``reader``, or the path of a script that ends in ``.json``.

    Raises :class:`~triptych.record.errors.TriptychError` where it is none of these.
    """
    if name in ("blind", "oracle", "reader"):
        return Scripted(name)
    if not name.endswith(".json"):
        shown = printable(name)
        raise UsageError(
            f"scripted/{shown}: there are scripted/blind, /oracle, /reader and /FILE.json"
        )
    try:
        data = Path(name).read_bytes()
        script = Script.model_validate_json(data)
    except FileNotFoundError as e:
        raise NotFoundError(name, "no such script", "its format is in docs/models.md") from e
    except OSError as e:
        raise UnreadableError(name, f"cannot be read: {e.strerror}") from e
    except ValidationError as e:
        first = e.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise UnreadableError(name, f"is not a script: {where}: {first['msg']}") from e
    return Scripted(name, script, hashlib.sha256(data).hexdigest())


def _text(answer: Any) -> str:
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def _count(text: str) -> int:
    return len(_WORD.findall(text))
