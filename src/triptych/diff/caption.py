"""A model's comparison in ViDiC's structure, taken apart (arXiv 2512.03405, appendix G.3)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from triptych.record.aspects import Dimension

#: Longest answer that is looked into, and most claims taken from it.
MOST_CHARACTERS, MOST_CLAIMS = 60_000, 200
#: Longest line: patterns are looked for in it.
MOST_LINE = 4_000
#: One line so many times, or so large a share of repeated pieces, is a model that got stuck.
MOST_REPEATS, STUCK_SHARE = 8, 0.6
_PIECE = 6

_NAMES: dict[str, Dimension] = {
    "subject": "subject",
    "style": "style",
    "background": "background",
    "camera": "camera",
    "camera work": "camera",
    "motion": "motion",
    "subject motion": "motion",
    "position": "position",
    "positional relationship": "position",
    "playback technique": "playback technique",
    "playback": "playback technique",
}
_MARKS = " \t#*_[]()<>:.-0123456789"
_SIDE = re.compile(
    r"^[\s*_#-]*(similarit(?:y|ies)|differences?)[\s*_]*:[\s*_]*(.*)$", re.IGNORECASE
)
_VIDEO = re.compile(r"(?:\bin\s+)?\b(?:the\s+)?video\s+([AB])\b['’]?s?\s*[,:]?", re.IGNORECASE)
_TIME = re.compile(r"\b([AB])\s+(?:at\s+)?(\d{1,6}(?:\.\d{1,6})?)\s*s\b")
_BRACKET = re.compile(r"[(\[][^()\[\]]*\b[AB]\s+(?:at\s+)?\d[^()\[\]]*[)\]]")
_NOTHING = re.compile(
    r"^(?:(?:there (?:is|are) )?(?:none|nothing|no\b.{0,20}?(?:difference|similarit)\w*).{0,20}"
    r"|n/?a|-*)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement: about A and about B where it says so, with the times it cites in seconds."""

    dimension: Dimension
    different: bool
    text: str
    a: str = ""
    b: str = ""
    times: tuple[tuple[str, float], ...] = ()


@dataclass(slots=True)
class Caption:
    """The claims of an answer; ``fault`` says in a few words why there are none, or not all."""

    claims: list[Claim] = field(default_factory=list)
    fault: str | None = None


def parse_caption(text: str) -> Caption:
    """Take ``text`` apart. Never raises: what cannot be understood is a fault."""
    if not text.strip():
        return Caption(fault="it was empty")
    if is_stuck(text):
        return Caption(fault="it repeats itself without end")
    caption = Caption()
    dimension: Dimension | None = None
    different: bool | None = None
    for line in text[:MOST_CHARACTERS].splitlines():
        line = line[:MOST_LINE]
        name = _NAMES.get(line.strip(_MARKS).lower())
        if name is not None:
            dimension, different = name, None
            continue
        side = _SIDE.match(line)
        if side is not None:
            different = side.group(1).lower().startswith("diff")
            line = side.group(2)
        if dimension is None or different is None:
            continue
        for claim in _claims(dimension, different, line):
            if len(caption.claims) < MOST_CLAIMS:
                caption.claims.append(claim)
    if not caption.claims and not _SIDE.search(text) and "ifferences:" not in text:
        caption.fault = "it is not in the form that was asked for"
    elif len(text) > MOST_CHARACTERS:
        caption.fault = f"it is longer than {MOST_CHARACTERS} characters: the rest was not read"
    return caption


def is_stuck(text: str) -> bool:
    """Whether ``text`` goes round in circles: a line again and again, or pieces of six words."""
    lines = Counter(s for line in text.splitlines() if len(s := line.strip()) > 20)
    if lines and max(lines.values()) >= MOST_REPEATS:
        return True
    words = text.lower().split()[:20_000]
    if len(words) < 20 * _PIECE:
        return False
    pieces = Counter(tuple(words[i : i + _PIECE]) for i in range(len(words) - _PIECE + 1))
    again = sum(n for n in pieces.values() if n > 2)
    return again / sum(pieces.values()) > STUCK_SHARE


def _claims(dimension: Dimension, different: bool, line: str) -> list[Claim]:
    line = line.strip().lstrip("-*•").strip()
    if not line or _NOTHING.match(line.strip(" .*_")):
        return []
    times = tuple((v, float(t)) for v, t in _TIME.findall(line))
    text = _BRACKET.sub("", line).strip()
    if not different:
        return [Claim(dimension, False, text, times=times)]
    found = list(_VIDEO.finditer(text))
    # A new difference begins wherever it is A's turn again after B had one.
    out: list[Claim] = []
    sides: dict[str, str] = {}
    for i, mark in enumerate(found):
        video = mark.group(1).upper()
        end = found[i + 1].start() if i + 1 < len(found) else len(text)
        said = text[mark.end() : end].strip(" ,;.:*_") if end > mark.end() else ""
        if video == "A" and sides.get("B"):
            out.append(_pair(dimension, sides, times))
            sides = {}
        sides[video] = f"{sides[video]}; {said}" if sides.get(video) else said
    if sides.get("A") or sides.get("B"):
        out.append(_pair(dimension, sides, times))
    return out or [Claim(dimension, True, text, times=times)]


def _pair(
    dimension: Dimension, sides: dict[str, str], times: tuple[tuple[str, float], ...]
) -> Claim:
    a, b = sides.get("A", ""), sides.get("B", "")
    text = "; ".join(f"{name}: {said}" for name, said in (("A", a), ("B", b)) if said)
    return Claim(dimension, True, text, a, b, times)
