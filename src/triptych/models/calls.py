"""Finished calls, stored under the hash of what determined them: running again is the resume."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from triptych.models.protocols import Clip, Message, Part, Picture, Reply, Request, Sent, Text
from triptych.record.files import make_folder, write_text

#: Raise it when what is sent for the same messages changes: older calls are then made again.
VERSION = 1


def call_key(model: str, version: str, request: Request, repeat: int = 0) -> str:
    """SHA-256 (hex) over everything that determines the answer, pictures by their bytes.

    ``repeat`` tells calls apart that are meant to be made again: the second judgement of one text.
    """
    data = {
        "version": VERSION,
        "model": [model, version],
        "role": request.role,
        "messages": [[m.role, [_told(p) for p in m.parts]] for m in request.messages],
        "settings": request.settings.given(),
        "truth": request.truth,
        "repeat": repeat,
    }
    return _digest(data)


def prompt_hash(messages: Sequence[Message]) -> str:
    """The first 16 hex digits of the SHA-256 over the words alone."""
    return _digest([[m.role, m.text] for m in messages])[:16]


def sent(messages: Sequence[Message]) -> list[Sent]:
    """The pictures and videos of ``messages``, in order."""
    out = []
    for part in (p for m in messages for p in m.parts):
        if isinstance(part, Picture | Clip):
            whole = isinstance(part, Clip)
            out.append(
                Sent(
                    kind="video" if whole else "picture",
                    video=part.video,
                    time_s=part.duration_s if isinstance(part, Clip) else part.time_s,
                    width=part.width,
                    height=part.height,
                    digest=part.digest,
                )
            )
    return out


class CallStore:
    """One JSON file a call in ``folder``, written whole or not at all; may be shared by runs."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._made: set[Path] = set()

    def get(self, key: str) -> Reply | None:
        """The reply stored under ``key``; a file that is damaged counts as not there."""
        try:
            reply = Reply.model_validate_json(self._path(key).read_bytes())
        except (OSError, ValidationError):
            return None
        reply.stored = True
        return reply

    def put(self, reply: Reply) -> None:
        """Store ``reply`` under its key."""
        path = self._path(reply.key)
        if path.parent not in self._made:
            make_folder(path.parent)
            self._made.add(path.parent)
        write_text(path, reply.model_dump_json())

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"


def _told(part: Part) -> list[Any]:
    if isinstance(part, Text):
        return [part.text]
    if isinstance(part, Picture):
        return ["picture", part.digest]
    return ["video", part.digest, part.fps]


def _digest(data: Any) -> str:
    text = json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
