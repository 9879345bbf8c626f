"""The names of models, as ``--model`` and ``--judge`` take them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from triptych.models.config import Config, read_config
from triptych.models.protocols import Model
from triptych.record.errors import MissingExtraError, UsageError, printable

#: Where these serve when nothing else is said; both speak the chat-completions protocol.
_LOCAL = {
    "vllm": ("VLLM_BASE_URL", "http://localhost:8000/v1"),
    "ollama": ("OLLAMA_BASE_URL", "http://localhost:11434/v1"),
}
_KEYS = {"vllm": "VLLM_API_KEY", "ollama": "OLLAMA_API_KEY"}
_HELP = (
    "names look like openai/gpt-5-mini, google/gemini-2.5-pro, vllm/MODEL, ollama/MODEL, "
    "openai-api/MODEL@http://HOST:PORT/v1, scripted/blind"
)


@dataclass(frozen=True, slots=True)
class Name:
    """``provider/model``, and the server's address where one was given behind ``@``."""

    provider: str
    model: str
    url: str | None = None


def parse(name: str) -> Name:
    """Take ``name`` apart. Raises :class:`UsageError` where it is no model's name."""
    shown = printable(name)
    head, at, url = name.partition("@http")
    provider, slash, model = head.partition("/")
    if not slash or not provider or not model:
        raise UsageError(f"{shown}: is not a model's name ({_HELP})")
    if not at:
        return Name(provider, model)
    url = f"http{url}".rstrip("/")
    if not re.fullmatch(r"https?://[^\s/@]+(/[^\s]*)?", url):
        raise UsageError(f"{shown}: {printable(url)} is not the address of a server")
    return Name(provider, model, url)


def resolve(
    name: str, *, connections: int = 16, config: Config | None = None, only_counted: bool = False
) -> Model:
    """The model called ``name``; nothing is sent yet, and nothing can be where ``only_counted``.

    Raises :class:`UsageError` for a name that leads nowhere, and :class:`MissingExtraError` where
    the extra ``models`` is needed and not installed.
    """
    found = parse(name)
    if found.provider == "scripted":
        from triptych.models.scripted import scripted

        return scripted(found.model)
    config = config or read_config()
    config.apply()
    try:
        from triptych.models.served import serve
    except ImportError as e:
        raise MissingExtraError(f"the model {printable(name)}", "models") from e
    url, key = _server(found, config)
    return serve(
        name, model=found.model, url=url, key=key, connections=connections,
        only_counted=only_counted,
    )  # fmt: skip


def _server(name: Name, config: Config) -> tuple[str | None, str | None]:
    """Address and key of a chat-completions server, or ``None`` where Inspect knows the provider.

    A key is only sent to the server that it is for: never OPENAI_API_KEY to an address of one's
    own.
    """
    own = config.servers.get(name.provider)
    if own is not None:
        return name.url or own.url, os.environ.get(own.key_env) if own.key_env else None
    if name.provider in _LOCAL:
        variable, usual = _LOCAL[name.provider]
        url = name.url or os.environ.get(variable) or usual
        return url, os.environ.get(_KEYS[name.provider])
    if name.url is not None:
        return name.url, os.environ.get("TRIPTYCH_API_KEY")
    return None, None
