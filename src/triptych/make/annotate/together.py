"""The rules that the questions of one pair keep together: each once, no two at odds, and fewer
similarities than differences (appendix G.2).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from triptych.diff.caption import Claim
from triptych.diff.claims import against_each_other, alike
from triptych.make.annotate.evidence import claim_of, stems
from triptych.make.annotate.records import Fault, Question
from triptych.make.annotate.words import nameless, plain, words

#: Two questions ask one thing if this much of their words is the same; chosen by hand.
NEAR = 0.8
_NOT = re.compile(r"\b(?:not|no|never|without|absent)\b|n't\b", re.IGNORECASE)
#: Asked about sparingly: the first to go among similarities.
_SPARINGLY = re.compile(r"perspective|viewpoint|playback", re.IGNORECASE)

_Kept = tuple[list[Question], list[tuple[Question, Fault]]]


def once(questions: Sequence[Question]) -> _Kept:
    """Drop questions that ask what an earlier one asks, and pairs of opposite ones.

    Of two differences in nearly the same words that give them to the other video, or deny them,
    both go, but for one that a measurement agrees with.
    """
    gone: dict[int, Fault] = {}
    claims = [claim_of(q) for q in questions]
    for j, later in enumerate(questions):
        for i, earlier in enumerate(questions[:j]):
            if i in gone or j in gone or (earlier.side, earlier.klass) != (later.side, later.klass):
                continue
            if not _same_thing(earlier, later):
                continue
            if later.side == "Differences" and _opposite(claims[i], claims[j]):
                gone |= _at_odds(questions, i, j)
            else:
                gone[j] = Fault("duplicate", earlier.text)
    return _split(questions, gone)


def consistent(questions: Sequence[Question]) -> _Kept:
    """Drop what cannot be true together: a similarity and a difference about one thing.

    A similarity that names no part of its category stands for all of it. What a measurement agrees
    with stays; else the similarity goes, being the broader claim, or both do where one question is
    asked on both sides in nearly the same words.
    """
    gone: dict[int, Fault] = {}
    claims = [claim_of(q) for q in questions]
    odds = against_each_other(claims)
    for i, others in enumerate(odds):
        if i in others:
            gone[i] = Fault("contradiction", "its two sides say the same")
    for i, one in enumerate(questions):
        for j, other in enumerate(questions):
            if one.side != "Similarities" or other.side != "Differences" or i in gone or j in gone:
                continue
            if one.klass != other.klass or not (j in odds[i] or _covers(one, other)):
                continue
            if _near(one, other) or one.agrees:
                gone |= _at_odds(questions, i, j)
            else:
                gone[i] = Fault("contradiction", other.text)
    return _split(questions, gone)


def fewer(questions: Sequence[Question]) -> _Kept:
    """Drop similarities until there are fewer of them than differences.

    First go those about playback or perspective, then those that name no part of their category,
    then those that no measurement agrees with, then second ones of a category; last the later ones.
    """
    same = [i for i, q in enumerate(questions) if q.side == "Similarities"]
    most = max(0, len(questions) - len(same) - 1)
    worth = {i: _last_to_go(questions[i]) for i in same}
    seen: Counter[str] = Counter()
    order: dict[int, tuple[object, ...]] = {}
    for i in sorted(same, key=lambda i: (worth[i], i)):
        klass = questions[i].klass
        order[i] = (worth[i], seen[klass], i)
        seen[klass] += 1
    surplus = sorted(same, key=lambda i: order[i])[most:]
    return _split(questions, {i: Fault("more similarities than differences") for i in surplus})


def _last_to_go(question: Question) -> tuple[bool, bool, bool]:
    """The smaller, the longer a similarity stays."""
    text = nameless(plain(question.text))
    sparing = _SPARINGLY.search(question.klass) or _SPARINGLY.search(text)
    broad = not words().facets_of(question.klass, text)
    return bool(sparing), broad, not question.agrees


def _same_thing(one: Question, other: Question) -> bool:
    if one.side == "Similarities":
        parts = [words().facets_of(q.klass, nameless(plain(q.text))) for q in (one, other)]
        return parts[0] == parts[1]
    return _near(one, other)


def _near(one: Question, other: Question) -> bool:
    return alike(nameless(plain(one.text)), nameless(plain(other.text))) >= NEAR


def _opposite(one: Claim, other: Claim) -> bool:
    """Whether what tells the videos apart is given to the other video, or denied."""
    a, b = _apart(one)
    of_a, of_b = _apart(other)
    swapped = len(a & of_b) + len(b & of_a) > len(a & of_a) + len(b & of_b)
    denied = any(
        bool(_NOT.search(x)) != bool(_NOT.search(y))
        for x, y in ((one.a, other.a), (one.b, other.b))
    )
    return swapped or denied


def _apart(claim: Claim) -> tuple[set[str], set[str]]:
    """The words that are said of one of the videos alone."""
    a, b = (stems(words().patterns["contrast"].sub(" ", side)) for side in (claim.a, claim.b))
    return a - b, b - a


def _covers(similarity: Question, difference: Question) -> bool:
    parts = words().facets_of(similarity.klass, nameless(plain(similarity.text)))
    told = words().facets_of(difference.klass, nameless(plain(difference.text)))
    return not parts or bool(parts & (told or {"unnamed"}))


def _at_odds(questions: Sequence[Question], i: int, j: int) -> dict[int, Fault]:
    """Both go, but for the one that a measurement agrees with."""
    gone = {}
    for this, that in ((i, j), (j, i)):
        if not questions[this].agrees or questions[that].agrees:
            gone[this] = Fault("contradiction", questions[that].text)
    return gone


def _split(questions: Sequence[Question], gone: dict[int, Fault]) -> _Kept:
    kept = [q for i, q in enumerate(questions) if i not in gone]
    return kept, [(questions[i], gone[i]) for i in sorted(gone)]
