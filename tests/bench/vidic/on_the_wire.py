"""What went over the wire, counted from the requests alone."""

from __future__ import annotations

import base64
import io
import math
from typing import Any

from PIL import Image

from triptych.models.counting import BYTES_PER_TOKEN, TURN_TOKENS, picture_tokens


def tokens(request: dict[str, Any], formula: str) -> int:
    """Tokens of a request: text by its bytes, pictures by the sizes of the JPEGs really sent."""
    total = 0
    for message in request["messages"]:
        total += TURN_TOKENS
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for part in parts:
            if part["type"] == "text":
                total += math.ceil(len(part["text"].encode()) / BYTES_PER_TOKEN)
            else:
                with Image.open(io.BytesIO(jpeg(part))) as picture:
                    total += picture_tokens(*picture.size, formula)
    return total


def jpeg(part: dict[str, Any]) -> bytes:
    """The picture of a part."""
    return base64.b64decode(part["image_url"]["url"].partition(",")[2])


def shows_pictures(request: dict[str, Any]) -> bool:
    """Whether it is a call for a caption: judges see none."""
    return not isinstance(request["messages"][-1]["content"], str)
