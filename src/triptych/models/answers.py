"""The data in what a model said."""

from __future__ import annotations

import json
import re
from typing import Any

_FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL | re.IGNORECASE)


def json_object(text: str) -> dict[str, Any] | None:
    """The first JSON object in a fence, else all of the text, else the part in braces."""
    tries = [*_FENCE.findall(text), text]
    if "{" in text and "}" in text:
        tries.append(text[text.index("{") : text.rindex("}") + 1])
    for part in tries:
        try:
            data = json.loads(part)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict):
            return data
    return None
