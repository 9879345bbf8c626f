"""Models behind an endpoint, by inspect_ai's providers."""

from __future__ import annotations

import base64
import re
from typing import Any, cast

import anyio
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.event import ModelEvent
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    ContentVideo,
    GenerateConfig,
    ModelOutput,
    get_model,
)
from inspect_ai.model import Model as InspectModel
from inspect_ai.model._model import ModelEventSink, use_model_event_sink

from triptych.models.chat_api import ChatAPI, chat_api
from triptych.models.protocols import (
    CallError,
    Clip,
    Completion,
    Message,
    Model,
    Part,
    Picture,
    Request,
    Settings,
    Stop,
    Text,
    Usage,
)
from triptych.record.errors import UsageError, printable

_STOP: dict[str, Stop] = {
    "stop": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "filter",
}
#: Providers that hand ``max_retries`` on to their client.
_TAKES_RETRIES = ("openai", "openai-api", "anthropic")
#: Longest message of an endpoint that is passed on.
_MOST = 300
#: What Inspect puts into its messages for a terminal in colours.
_MARKUP = re.compile(r"\[/?(?:bold|blue|red|yellow|dim|italic)\b[^\]]*\]")


class _Unlogged(ModelEventSink):
    """Keeps calls of judges out of Inspect's transcript.

    They are stored whole by the endpoint, and results refer to them by their keys; as events they
    would be written a second and a third time, which costs several times what the call does.
    """

    def on_pending(self, event: ModelEvent) -> None:
        """Nothing."""

    def on_complete(self, event: ModelEvent) -> None:
        """Nothing."""


_UNLOGGED = _Unlogged()


class Served:
    """See :class:`~triptych.models.protocols.Model`; ``model`` is one of Inspect's."""

    def __init__(self, id: str, model: InspectModel, version: str = "") -> None:  # noqa: A002
        self.id = id
        self.version = version
        self._model = model
        self._closed = False
        self._chat = isinstance(model.api, ChatAPI)

    def check(self, settings: Settings) -> None:
        """Raise :class:`UsageError` where only servers reached by their address know a setting."""
        if self._chat:
            return
        for name in ("repetition_penalty", "thinking"):
            if getattr(settings, name) is not None:
                shown = name.replace("_", " ")
                raise UsageError(
                    f"{self.id}: takes no {shown} (only servers named by their address do: "
                    "MODEL@URL)"
                )

    async def complete(self, request: Request, timeout_s: float) -> Completion:
        """One try; raises :class:`CallError`."""
        if self._closed:
            self._model.api.initialize()
            self._closed = False
        try:
            sink = _UNLOGGED if request.role == "judge" else None
            with anyio.fail_after(timeout_s), use_model_event_sink(sink):
                output = await self._model.generate(
                    [_message(m) for m in request.messages], config=_config(request.settings)
                )
        except TimeoutError as e:
            waited = f"no answer in {timeout_s:g} s"
            raise CallError("timeout", waited, again=True, billed=True) from e
        except Exception as e:
            raise self._error(e) from e
        return _completion(output)

    async def close(self) -> None:
        """Let connections go; the next call opens new ones."""
        if not self._closed:
            await self._model.api.aclose()
            self._closed = True

    def _error(self, e: BaseException) -> CallError:
        last = getattr(e, "last_attempt", None)
        if last is not None:  # Inspect's own retrying, which here is of one try, wraps the error
            e = last.exception() or e
        said = printable(" ".join(str(e).split()))[:_MOST] or type(e).__name__
        names = {c.__name__ for c in type(e).__mro__}
        status = getattr(e, "status_code", None)
        if "APITimeoutError" in names:
            return CallError("timeout", said, again=True, billed=True)
        if "APIConnectionError" in names or "TransportError" in names:
            cause = printable(str(e.__cause__ or ""))[:_MOST]
            said = f"{said} ({cause})" if cause and cause not in said else said
            return CallError("connection", said, again=True, billed=True)
        if names & {
            "APIResponseValidationError",
            "JSONDecodeError",
            "OpenAIResponseError",
            "ValidationError",
        }:
            return CallError("malformed", said, again=True, billed=True)
        decision = self._model.api.should_retry(cast(Exception, e))
        again = bool(decision)
        after = getattr(decision, "retry_after", None)
        if status == 429 or getattr(decision, "kind", "") == "rate_limit":
            return CallError("rate limit", said, again=again, after_s=after)
        if again or (isinstance(status, int) and status >= 500):
            return CallError("server", said, again=again, after_s=after)
        return CallError("refused", said, again=False)


def of_inspect(model: InspectModel) -> Served:
    """A model that Inspect was given, such as ``inspect eval --model`` gives to a task."""
    return Served(str(model), model, model.api.base_url or "")


class Unasked:
    """A model whose calls can be counted and priced, and which cannot be asked from here."""

    version = ""

    def __init__(self, id: str) -> None:  # noqa: A002
        self.id = id

    def check(self, settings: Settings) -> None:
        """What it takes is not known."""

    async def complete(self, request: Request, timeout_s: float) -> Completion:
        """Raise :class:`CallError`."""
        raise CallError("refused", "its calls are only counted here", again=False)

    async def close(self) -> None:
        """Nothing was opened."""


def serve(
    name: str,
    *,
    model: str | None = None,
    url: str | None = None,
    key: str | None = None,
    connections: int = 16,
    only_counted: bool = False,
) -> Model:
    """The model ``name`` as Inspect knows it, or ``model`` at a chat-completions server ``url``.

    Raises :class:`UsageError` where the provider, its package or its key is not there; where calls
    are ``only_counted``, neither package nor key is needed.
    """
    config = GenerateConfig(max_retries=0, max_connections=connections)
    if url is not None:
        # The client wants a key; a server without keys does not look at it.
        api = chat_api(model or name, url, key or "none", config)
        return Served(name, InspectModel(api, config), url)
    try:
        return Served(name, get_model(name, config=config, memoize=False, **_single_try(name)))
    except Exception as e:  # each provider has its own way to say that something is missing
        if only_counted and isinstance(e, PrerequisiteError):
            return Unasked(name)
        said = printable(" ".join(_MARKUP.sub("", str(e)).split()))
        raise UsageError(f"{printable(name)}: cannot be used: {said}") from e


def _single_try(name: str) -> dict[str, Any]:
    """What makes a provider's client leave trying again to us, where the tries are counted."""
    return {"max_retries": 0} if name.split("/")[0] in _TAKES_RETRIES else {}


def _message(m: Message) -> ChatMessage:
    if m.role == "system":
        return ChatMessageSystem(content=m.text)
    if m.role == "assistant":
        return ChatMessageAssistant(content=m.text)
    if all(isinstance(p, Text) for p in m.parts):
        return ChatMessageUser(content=m.text)
    return ChatMessageUser(content=[_content(p) for p in m.parts])


def _content(part: Part) -> Content:
    if isinstance(part, Text):
        return ContentText(text=part.text)
    data = base64.b64encode(part.path.read_bytes()).decode("ascii")
    if isinstance(part, Picture):
        return ContentImage(image=f"data:image/jpeg;base64,{data}")
    return _video(part, data)


def _video(part: Clip, data: str) -> ContentVideo:
    return ContentVideo(video=f"data:video/mp4;base64,{data}", format="mp4")


def _config(s: Settings) -> GenerateConfig:
    body: dict[str, Any] = {}
    if s.repetition_penalty is not None:
        body["repetition_penalty"] = s.repetition_penalty
    if s.thinking is not None:
        body["chat_template_kwargs"] = {"enable_thinking": s.thinking}
    return GenerateConfig(
        max_retries=0,
        temperature=s.temperature,
        top_p=s.top_p,
        max_tokens=s.max_tokens,
        seed=s.seed,
        reasoning_effort=s.effort,
        extra_body=body or None,
    )


def _completion(output: ModelOutput) -> Completion:
    if output.empty:
        raise CallError("malformed", "the answer holds no choice", again=True, billed=True)
    usage = None
    if output.usage is not None:
        u = output.usage
        cached = u.input_tokens_cache_read or 0
        usage = Usage(
            input=u.input_tokens + cached + (u.input_tokens_cache_write or 0),
            output=u.output_tokens,
            cached=cached,
            reasoning=u.reasoning_tokens or 0,
        )
    return Completion(output.completion, _STOP.get(output.stop_reason, "unknown"), usage)
