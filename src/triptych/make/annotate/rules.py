"""The rules that one claim or one question is held against, by code (appendices G.1 and G.2).

What a question means is beyond them: whether it is true, trifling, or in the right category of
seven is for people to say. Words in quotation marks were read in a video and are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from triptych.diff.caption import Claim
from triptych.make.annotate.records import CLASSES, RIGHT, Fault, Question
from triptych.make.annotate.words import (
    letters_named,
    nameless,
    plain,
    unquoted,
    videos_named,
    words,
)

#: Characters; the longest question of the published list has 220.
LONGEST = 400
PLAYBACK, STYLE = "playback technique", "style"
_MARKUP = re.compile(r"<[^>]{0,200}>|&#?\w{1,10};|https?://|[`{}\[\]\\|]|\*\*", re.IGNORECASE)
_NUMBER = re.compile(r"\d")
#: What is called a style: up to two words before "style".
_CALLED = re.compile(r"\b((?:[\w-]+ )?[\w-]+)[- ]styles?\b", re.IGNORECASE)

_Rule = Callable[[Question, str], Fault | None]


def broken(question: Question) -> Fault | None:
    """The first rule that ``question`` breaks; ``None`` where it keeps all of them."""
    text = plain(question.text)
    fault = _form(question, text)
    if fault is not None:
        return fault
    bare = unquoted(text)
    rules = _SIMILAR if question.side == "Similarities" else _DIFFERENT
    return next((f for rule in (*_ALWAYS, *rules) if (f := rule(question, bare))), None)


def claim_broken(claim: Claim) -> Fault | None:
    """The first of G.1's rules that a drafted ``claim`` breaks."""
    if not claim.text.isprintable():
        return Fault("odd characters")
    bare = unquoted(plain(claim.text))
    if (language := _language(bare)) is not None:
        return language
    alike = claim.dimension == PLAYBACK and not claim.different
    if alike and words().found("playback allowed", bare) is None:
        return Fault("normal playback")
    if (judged := _judging(bare, comparative=False)) is not None:
        return judged
    if claim.dimension == STYLE:
        return _style(bare, needed=False)
    return _playback(bare, needed=claim.different) if claim.dimension == PLAYBACK else None


def _form(question: Question, text: str) -> Fault | None:
    """What can be wrong before a word of it is understood."""
    if not text:
        return Fault("asks nothing")
    if not question.text.replace("\n", " ").isprintable():
        return Fault("odd characters")
    if len(text) > LONGEST:
        return Fault("too long", f"{len(text)} characters")
    if question.klass not in CLASSES:
        return Fault("not one known category", question.klass)
    if question.answer.strip().casefold() != RIGHT[question.side]:
        return Fault("wrong answer", question.answer)
    # Quoted or not: what was read in a video may be markup, and is shown on pages.
    if (mark := _MARKUP.search(text)) is not None:
        return Fault("markup", mark.group())
    return _language(unquoted(text))


def _language(bare: str) -> Fault | None:
    """English is asked for: letters other than Latin ones, which may look like them, are not."""
    odd = next((c for c in bare if c.isalpha() and not _latin(c)), None)
    return Fault("not in English", odd) if odd is not None else None


def _latin(letter: str) -> bool:
    return letter.isascii() or "\u00c0" <= letter <= "\u024f"


def _closed(question: Question, bare: str) -> Fault | None:
    if not bare.endswith("?") or bare.count("?") > 1:
        return Fault("not one closed question")
    begins = words().patterns["open"].match(bare)
    return Fault("not one closed question", begins.group()) if begins is not None else None


def _names_both(question: Question, bare: str) -> Fault | None:
    # A difference says what is in which video, so that "both videos" is not enough there.
    named = (letters_named if question.side == "Differences" else videos_named)(bare)
    return Fault("does not name both videos") if named != {"A", "B"} else None


def _words(question: Question, bare: str) -> Fault | None:
    return _judging(bare, comparative=True)


def _judging(bare: str, *, comparative: bool) -> Fault | None:
    for name in ("subjective", "unclear", *(("comparative",) if comparative else ())):
        said = words().found(name, bare)
        if said is not None:
            return Fault(name, said)
    return None


def _normal(question: Question, bare: str) -> Fault | None:
    """Whatever it stands under: whether playback is normal is not asked."""
    said = words().found("playback normal", bare)
    about = question.klass == PLAYBACK or re.search(r"\b(?:speed|playback|play)", bare, re.I)
    if said is not None and about and words().found("playback allowed", bare) is None:
        return Fault("normal playback", said)
    return None


def _asks_difference(question: Question, bare: str) -> Fault | None:
    return None if words().found("differs", bare) else Fault("asks for no difference")


def _reveals(question: Question, bare: str) -> Fault | None:
    """A similarity names a category and nothing that is seen: every word of it is abstract."""
    rest = nameless(bare)
    told = words().concrete(rest)
    if told:
        return Fault("reveals what is seen", ", ".join(dict.fromkeys(told)))
    if (number := _NUMBER.search(rest)) is not None:
        return Fault("reveals what is seen", number.group())
    return Fault("reveals what is seen", "quotation") if "…" in rest else None


def _claims_difference(question: Question, bare: str) -> Fault | None:
    said = words().found("same", nameless(bare))
    if said is not None and words().found("contrast", bare) is None:
        return Fault("claims no difference", said)
    return None


def _specific(question: Question, bare: str) -> Fault | None:
    """A difference says what differs: one made of names of categories alone is too general."""
    rest = nameless(bare)
    if words().concrete(rest) or _NUMBER.search(rest) or "…" in rest:
        return None
    return Fault("too general")


def _vocabulary(question: Question, bare: str) -> Fault | None:
    if question.klass == STYLE:
        return _style(bare, needed=True)
    return _playback(bare, needed=True) if question.klass == PLAYBACK else None


def _style(bare: str, *, needed: bool) -> Fault | None:
    """Styles go by their allowed names. ``needed``: by one at least."""
    other = words().found("style others", bare)
    if other is not None:
        return Fault("style outside the vocabulary", other)
    known = words().patterns["style allowed"]
    rest = nameless(known.sub(" … ", bare))
    for called in _called(rest):
        return Fault("style outside the vocabulary", called)
    if needed and known.search(bare) is None:
        return Fault("style outside the vocabulary", "none of its terms")
    return None


def _called(rest: str) -> Iterator[str]:
    """What ``rest`` calls a style that is neither an allowed one nor a word of grammar."""
    for found in _CALLED.finditer(rest):
        if words().concrete(found.group(1).rpartition(" ")[2]):
            yield found.group()


def _playback(bare: str, *, needed: bool) -> Fault | None:
    other = words().found("playback others", bare)
    if other is not None:
        return Fault("playback outside the three terms", other)
    if needed and words().found("playback allowed", bare) is None:
        return Fault("playback outside the three terms", "none of them")
    return None


_ALWAYS: tuple[_Rule, ...] = (_closed, _names_both, _normal, _words)
_SIMILAR: tuple[_Rule, ...] = (_asks_difference, _reveals)
_DIFFERENT: tuple[_Rule, ...] = (_claims_difference, _specific, _vocabulary)
