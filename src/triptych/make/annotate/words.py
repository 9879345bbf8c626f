"""The word lists behind the rules, and how a text is looked at for them."""

from __future__ import annotations

import functools
import re
import tomllib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

_BOTH = r"(?:both|(?:the )?two|the|these|each of the two) videos?\b|\beach video\b"
#: "Video A and B", "Videos A and B", and a name on its own. The letter is a capital: "a" is a word.
_NAMED = re.compile(
    r"\b(?i:(?:the )?videos?) ([AB])\b"
    r"(?:,? (?:and|or|versus|vs\.?|&|/) (?:the )?(?:(?i:video) )?([AB])\b)?"
)
_EITHER = re.compile(rf"\b(?:{_BOTH})", re.IGNORECASE)
#: What stands in quotation marks was read in a video: no rule about words applies to it.
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|(?<!\w)[‘'][^’']*[’'](?!\w)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


@dataclass(frozen=True, slots=True)
class Facet:
    """Something that a question can be about; ``aspects`` are those of the measured diff."""

    name: str
    pattern: re.Pattern[str]
    covers: frozenset[str]
    aspects: frozenset[str]


@dataclass(frozen=True, slots=True)
class Words:
    """Patterns of whole words by the names that the file gives them."""

    patterns: dict[str, re.Pattern[str]]
    abstract: frozenset[str]
    facets: dict[str, tuple[Facet, ...]]

    def found(self, name: str, text: str) -> str | None:
        """The first words of list ``name`` in ``text``, as they stand there."""
        hit = self.patterns[name].search(text)
        return hit.group() if hit is not None else None

    def facets_of(self, klass: str, text: str) -> frozenset[str]:
        """What ``text`` is about within ``klass``; empty where it names nothing in particular."""
        named = [f for f in self.facets.get(klass, ()) if f.pattern.search(text)]
        return frozenset().union(*({f.name, *f.covers} for f in named))

    def aspects_of(self, klass: str, text: str) -> frozenset[str]:
        """The measured aspects of ``klass`` that belong to what ``text`` is about."""
        named = [f for f in self.facets.get(klass, ()) if f.pattern.search(text)]
        return frozenset().union(*(f.aspects for f in named))

    def concrete(self, text: str) -> list[str]:
        """The words of ``text`` that are more than grammar and names of categories."""
        said = _WORD.findall(text.casefold())
        return [w for w in said if not self._is_abstract(w.replace("’", "'"))]

    def _is_abstract(self, word: str) -> bool:
        word = word.removesuffix("'s")
        return any(w in self.abstract for w in (word, word.removesuffix("s"), word[:-2]))


@functools.cache
def words() -> Words:
    """Those that ship."""
    text = files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    lists = {f"style {k}": v for k, v in data["style"].items()}
    lists |= {f"playback {k}": v for k, v in data["playback"].items()}
    lists |= {k: v for k, v in data["words"].items() if k != "adjectives"}
    lists["comparative"] = [*lists["comparative"], *_degrees(data["words"]["adjectives"])]
    facets: dict[str, tuple[Facet, ...]] = {}
    for f in data["facet"]:
        covers, aspects = frozenset(f.get("covers", ())), frozenset(f.get("aspects", ()))
        made = Facet(f["name"], _whole(f["words"]), covers, aspects)
        facets[f["class"]] = (*facets.get(f["class"], ()), made)
    abstract = frozenset(data["abstract"]["grammar"] + data["abstract"]["categories"])
    return Words({k: _whole(v) for k, v in lists.items()}, abstract, facets)


def plain(text: str) -> str:
    """``text`` on one line in compatibility form (NFKC): full-width letters become usual ones."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def unquoted(text: str) -> str:
    """``text`` with an ellipsis in place of what stands in quotation marks."""
    return _QUOTED.sub(" … ", text)


def quoted(text: str) -> list[str]:
    """What stands in quotation marks in ``text``, without them."""
    return [q[1:-1] for q in _QUOTED.findall(text)]


def videos_named(text: str) -> frozenset[str]:
    """The letters of the videos that ``text`` names; both of them where it says "both videos"."""
    letters = {x for found in _NAMED.findall(text) for x in found if x}
    return frozenset("AB" if _EITHER.search(text) else letters)


def letters_named(text: str) -> frozenset[str]:
    """The same, but only those that are named by their letter."""
    return frozenset(x for found in _NAMED.findall(text) for x in found if x)


def nameless(text: str) -> str:
    """``text`` without the names of the videos."""
    return _EITHER.sub(" ", _NAMED.sub(" ", text))


def _whole(patterns: Iterable[str]) -> re.Pattern[str]:
    # "n't" stands behind a letter, and some terms begin or end with none.
    return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)", re.IGNORECASE)


def _degrees(adjectives: Iterable[str]) -> list[str]:
    """Both degrees of each adjective: bright-er, larg-er, big-ger, nois-ier."""
    out = []
    for word in adjectives:
        if word.endswith("e"):
            stem = word[:-1]
        elif word.endswith("y"):
            stem = f"{word[:-1]}i"
        else:
            stem = f"{word}{word[-1]}?"
        out.append(f"{stem}e(?:r|st)")
    return out
