"""Models: names, roles, stored calls, retries, prices and budgets.

The one room that touches inspect_ai's model layer. Nothing is imported from there until a name is
resolved that needs it, so that scripted models work without the extra ``models``.

::

    from triptych import models

    judge = models.endpoint("openai/gpt-5-mini", "judge", calls="run/calls", budget=budget)
    reply = await judge.generate([models.user("Is the sky blue?")], models.Settings(temperature=0))
    reply.text if reply.ok else reply.error

What goes in and what comes out is in :mod:`~triptych.models.protocols`. A call that failed is a
:class:`Reply` with ``error``; one that was made before comes from the store, so that running again
is the resume. Names: any of Inspect's (``openai/...``, ``anthropic/...``, ``google/...``),
``vllm/MODEL`` and ``ollama/MODEL`` on this machine, ``openai-api/MODEL@URL`` or any of these with
``@URL`` for a chat-completions server, ``SERVER/MODEL`` for one of the configuration file, and
``scripted/blind``, ``scripted/oracle``, ``scripted/reader``, ``scripted/FILE.json``.
A model that Inspect itself was given becomes one of ours by
:func:`triptych.models.served.of_inspect`.
"""

from __future__ import annotations

from pathlib import Path

from triptych.models.budget import Budget
from triptych.models.calls import CallStore, call_key, prompt_hash
from triptych.models.endpoint import Endpoint, Patience
from triptych.models.frames import FrameStore, shown, uniform_times, whole
from triptych.models.names import parse, resolve
from triptych.models.prices import Estimate, Price, Prices
from triptych.models.protocols import (
    CallError,
    Clip,
    Completion,
    Message,
    Model,
    Part,
    Picture,
    Reply,
    Request,
    Retries,
    Role,
    Sent,
    Settings,
    Text,
    Usage,
    system,
    user,
)

__all__ = [
    "Budget",
    "CallError",
    "CallStore",
    "Clip",
    "Completion",
    "Endpoint",
    "Estimate",
    "FrameStore",
    "Message",
    "Model",
    "Part",
    "Patience",
    "Picture",
    "Price",
    "Prices",
    "Reply",
    "Request",
    "Retries",
    "Role",
    "Sent",
    "Settings",
    "Text",
    "Usage",
    "call_key",
    "endpoint",
    "parse",
    "prompt_hash",
    "resolve",
    "shown",
    "system",
    "uniform_times",
    "user",
    "whole",
]


def endpoint(
    name: str | Model,
    role: Role,
    *,
    calls: str | Path | None = None,
    prices: Prices | None = None,
    budget: Budget | None = None,
    patience: Patience | None = None,
    connections: int = 16,
    only_counted: bool = False,
) -> Endpoint:
    """The model called ``name``, or that model itself, in ``role``.

    Finished calls are kept in the folder ``calls``, where one is named. With ``only_counted``
    calls are to be estimated, not made: no key is needed.

    Raises :class:`~triptych.record.errors.TriptychError` for a name that leads nowhere, and where
    there is a ``budget`` but no price for the model.
    """
    store = CallStore(calls) if calls is not None else None
    model = name
    if isinstance(model, str):
        model = resolve(model, connections=connections, only_counted=only_counted)
    return Endpoint(
        model,
        role,
        store=store,
        prices=prices,
        budget=budget,
        patience=patience,
        connections=connections,
    )
