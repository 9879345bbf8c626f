"""Text as read by a machine, made comparable: folding, words, distances."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

#: Signs that readers of text confuse at small sizes, folded together.
_CONFUSED = str.maketrans({"o": "0", "i": "1", "l": "1", "ı": "1"})


def fold(text: str) -> str:
    """``text`` without what a reading gets wrong too easily to count.

    Case, spaces, punctuation, accents and full width are folded away, o with 0 and i, l with 1.
    """
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in plain if c.isalnum()).translate(_CONFUSED)


def words(text: str) -> list[str]:
    """Words as they stand: split at spaces; a run of Chinese or kana is one word a sign."""
    found: list[str] = []
    for part in text.split():
        run = ""
        for c in part:
            if _ideographic(c):
                found += [w for w in (run, c) if w]
                run = ""
            else:
                run += c
        if run:
            found.append(run)
    return [w for w in found if fold(w)]


def digits(text: str) -> str:
    """The decimal digits of ``text``, in order."""
    return "".join(c for c in text if c.isdecimal())


def pattern(text: str) -> str:
    """Folded ``text`` with each number, whatever its value and length, as one ``#``."""
    out: list[str] = []
    for c in unicodedata.normalize("NFKD", text).casefold():
        if c.isdecimal():
            if not out or out[-1] != "#":
                out.append("#")
        elif c.isalnum():
            out.append(c)
    return "".join(out)


def distance(a: str, b: str) -> int:
    """Levenshtein distance."""
    return _align(a, b, free_ends=False)


def distance_within(a: str, b: str) -> int:
    """Least Levenshtein distance of ``a`` to any stretch of ``b`` (Sellers, J. Algorithms 1980)."""
    return 0 if a in b else _align(a, b, free_ends=True)


def similarity(a: str, b: str) -> float:
    """1 for equal strings, 0 for nothing in common: 1 - distance / longer length."""
    longest = max(len(a), len(b))
    if not longest:
        return 1.0
    return 1.0 if a == b else 1 - distance(a, b) / longest


def _align(a: Sequence[str], b: Sequence[str], *, free_ends: bool) -> int:
    row = [0] * (len(b) + 1) if free_ends else list(range(len(b) + 1))
    for i, c in enumerate(a, 1):
        above_left, row[0] = row[0], i
        for j, d in enumerate(b, 1):
            above = row[j]
            row[j] = min(above + 1, row[j - 1] + 1, above_left + (c != d))
            above_left = above
    return min(row) if free_ends else row[-1]


def changed_words(old: Sequence[str], new: Sequence[str]) -> int:
    """Words that must be replaced, removed or added to turn ``old`` into ``new``, folded."""
    return _align([fold(w) for w in old], [fold(w) for w in new], free_ends=False)


def shortened(text: str, limit: int = 60) -> str:
    """``text`` on one line, cut to ``limit`` signs."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def _ideographic(c: str) -> bool:
    return "\u3040" <= c <= "\u30ff" or "\u3400" <= c <= "\u9fff" or "\uf900" <= c <= "\ufaff"
