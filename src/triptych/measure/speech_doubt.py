"""Words that a recogniser makes up where nobody speaks: which readings are not to be believed.

Whisper's own tests of a window (Radford et al. 2022, section 4.5) are used without its fallback to
other temperatures, which would not be repeatable: what fails one is kept apart as doubtful.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Any, Protocol

#: Whisper's thresholds: text that compresses better loops, and is noise below this mean log
#: probability of a token or above this probability that nobody speaks. Two recorded voices: up
#: to 1.34, at least -0.37, up to 0.2. Music: 13 in one clip, -0.93 with 0.62 in another.
COMPRESSION_MOST = 2.4
LOG_PROBABILITY_LEAST = -1.0
NO_SPEECH_MOST = 0.6
#: The same one to four words so many times in a row are a loop.
LOOP_TIMES, LOOP_WORDS = 4, 4
#: The same sentence twice in a row is a loop where the window is less likely than this; kitchen
#: noise gave "Thank you. Thank you." at -0.55, voices see above.
TWICE_LOG_PROBABILITY = -0.45
#: Tokens that are read at most in a window: some, and so many for each second of voice. Fast
#: English has 6 a second, with the marks of time 8; Chinese up to 10.
TOKENS_LEAST, TOKENS_A_SECOND, TOKENS_MOST = 24, 12, 224


class Segment(Protocol):
    """What is used of a segment of faster-whisper."""

    text: str
    seek: int
    avg_logprob: float
    compression_ratio: float
    no_speech_prob: float
    tokens: list[int]


def most_tokens(voiced_s: float) -> int:
    """Tokens that a window may have in which a voice is heard for ``voiced_s`` seconds."""
    return min(TOKENS_LEAST + int(TOKENS_A_SECOND * min(voiced_s, 30.0)), TOKENS_MOST)


def windows(segments: Sequence[Any]) -> list[list[Any]]:
    """Segments by the window of 30 s that they were read in together."""
    return [list(group) for _, group in groupby(segments, key=lambda s: s.seek)]


def doubt(window: Sequence[Segment], limit: int) -> str | None:
    """Why the words of a window are not to be believed; ``None`` when they are.

    ``limit``: how many tokens it could have at most.
    """
    first = window[0]
    if first.compression_ratio > COMPRESSION_MOST or loops([s.text for s in window]):
        return "the same words over and over"
    if sum(len(s.tokens) for s in window) >= limit:
        return "more words than anybody can say in that time"
    if first.no_speech_prob > NO_SPEECH_MOST:
        return "it is more likely that nobody speaks"
    if first.avg_logprob < LOG_PROBABILITY_LEAST:
        return "no reading is likely"
    if first.avg_logprob < TWICE_LOG_PROBABILITY and _twice([s.text for s in window]):
        return "the same sentence again, and not a likely one"
    return None


def loops(texts: Sequence[str]) -> bool:
    """Whether one to LOOP_WORDS words come LOOP_TIMES in a row."""
    words = [w for text in texts for w in _words(text)]
    for n in range(1, LOOP_WORDS + 1):
        run = 0
        for i in range(n, len(words)):
            run = run + 1 if words[i] == words[i - n] else 0
            if run >= n * (LOOP_TIMES - 1):
                return True
    return False


def _twice(texts: Sequence[str]) -> bool:
    sentences = [_words(s) for text in texts for s in re.split(r"[.!?。！？]", text)]
    said = [s for s in sentences if s]
    return any(x == y for x, y in pairwise(said))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:'[^\W_]+)*", text.casefold())
