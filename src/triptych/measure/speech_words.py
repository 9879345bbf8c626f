"""Two transcripts compared word by word.

Recognisers hear the same sound differently after another encode, or under noise, so a changed word
is sure only where the sound itself was exchanged at that moment: something of A's is gone and
something of B's is new. Where the sounds cannot be laid on one another no single word is sure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from triptych.measure.sound_compare import (
    DIFFERS_DB,
    HOP_S,
    IDENTICAL_DB,
    WINDOW_S,
    Stretch,
)
from triptych.measure.speech import Word

#: A word was heard from this probability on; it is taken for sure from the second on.
HEARD = 0.5
SURE = 0.8
#: Where the sound shows that something was exchanged, a word needs this probability. "Tuesday" and
#: "Thursday" in three synthetic voices: 0.40 to 0.99.
EXCHANGED = 0.35
#: What a word that was exchanged loses and gains, dB (see Stretch.lost). One word changed in three
#: synthetic voices, down to "river" and "liver": at least 1.7 lost and 1.9 gained. Noise and babble
#: laid over nine clips at +5 to -5 dB, which made 60 words be misheard, with up to 0.99 on both
#: sides: gained up to 19, lost at most 0.4.
EXCHANGED_DB = 1.0
#: Where more than this share of a stretch differs, its words lie elsewhere, and no place in it says
#: anything of one word.
ALIGNED_SHARE = 0.35
#: Words whose letters agree to this share are spellings or mishearings of one another.
ALIKE = 0.75

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_UNITS = {word: value for value, word in enumerate(_SMALL.split())}
_TENS = {
    word + "ty": 10 * value
    for value, word in enumerate(("twen", "thir", "for", "fif", "six", "seven", "eigh", "nine"), 2)
}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}


@dataclass(frozen=True, slots=True)
class Token:
    """A normalised word and the word as heard."""

    text: str
    word: Word


@dataclass(frozen=True, slots=True)
class Change:
    """Words of A (perhaps none) that are other words (perhaps none) in B.

    ``sure``: whether this one alone shows that other words are said. ``start_a``/``end_a`` and
    ``start_b``/``end_b`` are seconds in each.
    """

    a: str
    b: str
    start_a: float
    end_a: float
    start_b: float
    end_b: float
    count: int
    sure: bool


def normalise(words: Sequence[Word]) -> list[Token]:
    """Tokens without case and punctuation; numbers as digits; Han, kana and Thai by character."""
    tokens: list[Token] = []
    for word in words:
        text = unicodedata.normalize("NFKC", word.text).casefold().replace("’", "'")
        for part in re.findall(r"[^\W_]+(?:'[^\W_]+)*", re.sub(r"(?<=\d)[,.](?=\d)", "", text)):
            if _by_character(part):
                tokens += [Token(c, word) for c in part]
            else:
                tokens.append(Token(part, word))
    return _digits(tokens)


def _by_character(text: str) -> bool:
    # Scripts written without spaces: kana, Han, Hangul stay apart, Thai.
    return any(
        "\u3040" <= c <= "\u30ff" or "\u3400" <= c <= "\u9fff" or "\u0e00" <= c <= "\u0e7f"
        for c in text
    )


def _digits(tokens: list[Token]) -> list[Token]:
    """English number words as one token of digits: "nineteen eighty four" is 1984."""
    out: list[Token] = []
    number: list[Token] = []
    for token in tokens:
        if token.text in _UNITS or token.text in _TENS or (number and token.text in _SCALES):
            number.append(token)
            continue
        out += _number(number)
        number = []
        out.append(token)
    return out + _number(number)


def _number(tokens: list[Token]) -> list[Token]:
    if not tokens:
        return []
    total = current = 0
    for i, token in enumerate(tokens):
        if token.text in _SCALES:
            current = max(current, 1) * _SCALES[token.text]
            if _SCALES[token.text] > 100:
                total, current = total + current, 0
            continue
        value = _UNITS[token.text] if token.text in _UNITS else _TENS[token.text]
        tens = value < 10 and current % 10 == 0 and current % 100 >= 20
        if i == 0 or tens or current % 100 == 0:
            current += value
        else:  # as years and house numbers are read
            current = current * (100 if value >= 10 else 10) + value
    return [Token(str(total + current), tokens[0].word)]


def changes(
    a: Sequence[Token], b: Sequence[Token], stretches: Sequence[Stretch]
) -> tuple[list[Change], float]:
    """Where the words differ, and the word error rate of B against A before any was dismissed.

    Pass ``stretches`` when B's sound is A's for the most part: then the sound decides. Without
    them the probabilities do.
    """
    found: list[Change] = []
    errors = 0
    matcher = SequenceMatcher(None, [t.text for t in a], [t.text for t in b], autojunk=False)
    for tag, i0, i1, j0, j1 in matcher.get_opcodes():
        if tag == "equal":
            continue
        left, right = a[i0:i1], b[j0:j1]
        if "".join(t.text for t in left) == "".join(t.text for t in right):
            continue  # "rail way" and "railway"
        errors += max(len(left), len(right))
        change = _judge(a, b, (i0, i1), (j0, j1), stretches)
        if change is not None:
            found.append(change)
    return found, errors / max(len(a), 1)


def _judge(
    a: Sequence[Token],
    b: Sequence[Token],
    at_a: tuple[int, int],
    at_b: tuple[int, int],
    stretches: Sequence[Stretch],
) -> Change | None:
    left, right = a[slice(*at_a)], b[slice(*at_b)]
    heard = [max((t.word.probability for t in side), default=1.0) for side in (left, right)]
    start_a, end_a = _times(a, *at_a)
    start_b, end_b = _times(b, *at_b)
    text_a, text_b = (" ".join(t.text for t in side) for side in (left, right))
    sound = _sound(stretches, start_a, end_a)
    if sound is None:
        alike = SequenceMatcher(None, text_a, text_b, autojunk=False).ratio() >= ALIKE
        if min(heard) < (SURE if alike else HEARD):
            return None
        sure = False
    else:
        if sound.same or max(heard) < HEARD:
            return None
        exchanged = (not left or sound.lost >= EXCHANGED_DB) and (
            not right or sound.gained >= EXCHANGED_DB
        )
        least = EXCHANGED if left and right else SURE
        sure = sound.aligned and exchanged and min(heard) >= least
    count = max(len(left), len(right))
    return Change(text_a, text_b, start_a, end_a, start_b, end_b, count, sure)


def _times(tokens: Sequence[Token], first: int, last: int) -> tuple[float, float]:
    if first < last:
        return tokens[first].word.start, tokens[last - 1].word.end
    before = tokens[first - 1].word.end if first else 0.0
    after = tokens[first].word.start if first < len(tokens) else before + 0.2
    return before, max(before, after)


@dataclass(frozen=True, slots=True)
class _Sound:
    """How the sounds compare about some words: see :class:`Stretch`; largest values, dB.

    ``aligned``: the sounds around lie on one another, so that a distance there means something.
    """

    same: bool
    lost: float
    gained: float
    aligned: bool


def _sound(stretches: Sequence[Stretch], start: float, end: float) -> _Sound | None:
    """The sounds from ``start`` to ``end`` of A; ``None`` where they were not compared."""
    for s in stretches:
        if s.a0 - WINDOW_S <= start and end <= s.a1 + WINDOW_S:
            first = max(0, int((start - s.a0 - WINDOW_S) / HOP_S))
            last = max(first + 1, int(np.ceil((end - s.a0) / HOP_S)))
            part, lost = s.distances[first:last], s.lost[first:last]
            told = ~np.isnan(part)
            if not told.any():  # neither can be heard there, or it is damaged
                return _Sound(True, 0.0, 0.0, False)
            part, lost = part[told], lost[told]
            if s.stretched:  # single windows mean nothing
                return _Sound(float(np.median(part)) <= DIFFERS_DB, 0.0, 0.0, False)
            return _Sound(
                same=float(part.max()) <= IDENTICAL_DB,
                lost=float(lost.max()),
                gained=float((part - lost).max()),
                aligned=float(np.nanmean(s.distances > DIFFERS_DB)) < ALIGNED_SHARE,
            )
    return None
