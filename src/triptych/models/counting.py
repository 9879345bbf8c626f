"""Tokens of a request before it is sent: words by length, pictures by the providers' formulas."""

from __future__ import annotations

import math
from collections.abc import Sequence

from triptych.models.protocols import Clip, Message, Picture, Text

#: Bytes of UTF-8 to a token of English, on average; the tokenizers themselves are downloads.
BYTES_PER_TOKEN = 4
#: What a turn's frame costs around its contents, at most.
TURN_TOKENS = 8
#: Frames a second of a whole video where nothing is asked for.
VIDEO_FPS = 2.0


def input_tokens(messages: Sequence[Message], formula: str) -> int:
    """Tokens of ``messages`` as they are to be expected."""
    return _tokens(messages, formula, BYTES_PER_TOKEN)


def most_tokens(messages: Sequence[Message], formula: str) -> int:
    """Tokens of ``messages`` at most: no tokenizer makes more of text than it has bytes."""
    return _tokens(messages, formula, 1)


def _tokens(messages: Sequence[Message], formula: str, bytes_per_token: int) -> int:
    total = TURN_TOKENS * len(messages)
    for part in (p for m in messages for p in m.parts):
        if isinstance(part, Text):
            size = len(part.text.encode("utf-8", "surrogatepass"))
            total += math.ceil(size / bytes_per_token)
        elif isinstance(part, Picture):
            total += picture_tokens(part.width, part.height, formula)
        else:
            total += video_tokens(part, formula)
    return total


def picture_tokens(width: int, height: int, formula: str) -> int:
    """Tokens of one picture of ``width`` x ``height`` pixels.

    Formulas, as their providers publish them: ``openai tiles BASE TILE`` (within 2048 x 2048, then
    the shorter side to 768, 512-pixel tiles), ``openai patches FACTOR`` (32-pixel patches, at most
    1536), ``google`` (258 up to 384 pixels, else 258 a tile), ``anthropic`` (area / 750, the longer
    side within 1568), ``qwen SIDE`` (one a square of SIDE pixels), ``none``.
    """
    name, *numbers = formula.split()
    if formula.startswith("openai tiles"):
        base, tile = (int(n) for n in numbers[1:])
        scale = min(1.0, 2048 / max(width, height))
        scale *= min(1.0, 768 / (scale * min(width, height)))
        across, down = (math.ceil(round(scale * n, 6) / 512) for n in (width, height))
        return base + tile * across * down
    if formula.startswith("openai patches"):
        patches = math.ceil(width / 32) * math.ceil(height / 32)
        return math.ceil(min(patches, 1536) * float(numbers[1]))
    if name == "google":
        if max(width, height) <= 384:
            return 258
        unit = min(max(math.floor(min(width, height) / 1.5), 256), 768)
        return 258 * math.ceil(width / unit) * math.ceil(height / unit)
    if name == "anthropic":
        scale = min(1.0, 1568 / max(width, height))
        return min(math.ceil(scale * width * scale * height / 750), 1600)
    if name == "qwen":
        side = int(numbers[0])
        return max(1, round(width / side)) * max(1, round(height / side)) + 2
    return 0


def video_tokens(clip: Clip, formula: str) -> int:
    """Tokens of a whole video: Google takes a frame a second, Qwen two frames as one."""
    if formula == "google":
        return math.ceil(clip.duration_s * (258 + 32))
    frames = max(1, math.ceil(clip.duration_s * (clip.fps or VIDEO_FPS)))
    pair = 2 if formula.startswith("qwen") else 1
    return math.ceil(frames / pair) * picture_tokens(clip.width, clip.height, formula)
