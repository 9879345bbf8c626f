"""What a model claims, held against what was measured and against the rest of what it says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triptych.diff.caption import Claim
from triptych.record.report import Check, Finding

#: Words by which a claim is known to be about a measured aspect.
_WORDS: dict[tuple[str, str], str] = {
    ("playback technique", "direction"): r"revers\w*|backwards?",
    ("playback technique", "speed"): r"slow\W?motion|fast\W?forward|slower|faster|speed\w*",
    ("playback technique", "frozen frames"): r"fr[eo]ez\w*|frozen|stands? still",
    ("playback technique", "looping"): r"loop\w*",
    ("playback technique", "repeated or dropped frames"): r"stutter\w*|dropped frames?",
    ("position", "mirroring"): r"mirror\w*|flipp?\w*",
    ("position", "rotation"): r"rotat\w*|upside down|turned by",
    ("style", "colour"): r"black and white|monochrom\w*|saturat\w*|gr[ae]yscale|hues?|sepia",
    ("style", "tone"): r"contrast\w*",
    ("style", "sharpness"): r"blur\w*|sharp\w*",
    ("style", "noise"): r"nois[ey]\w*|grain\w*",
    ("style", "bars"): r"bars|letterbox\w*|pillarbox\w*",
    ("background", "lighting"): r"bright\w*|dark\w*|dim\w*|warm\w*|cool\w*|light\w*",
    ("camera", "framing"): r"crop\w*|zoomed in|closer|enlarg\w*|framing",
    ("camera", "stability"): r"shak\w*|stab\w*|handheld",
    ("camera", "movement"): r"pan(?:s|ned|ning)?|tilt\w*|doll(?:y|ies)|track(?:s|ing)|zooms?",
    ("camera", "shots"): r"cuts?|transitions?|single shot|multi\W?shot",
    ("subject", "on-screen text"): r"text|caption\w*|title\w*|letters|reads?|logo\w*",
}
_PATTERNS = {k: re.compile(rf"\b(?:{w})\b", re.IGNORECASE) for k, w in _WORDS.items()}
_SLOW, _FAST = (
    re.compile(rf"\b(?:{w})\b", re.IGNORECASE)
    for w in (r"slow\w*", r"fast\w*|sped up|time\W?lapse|quicker")
)
_AXES = {
    "horizontal": re.compile(r"\bleft\b.{1,12}\bright\b|\bhorizontal(?:ly)?\b", re.IGNORECASE),
    "vertical": re.compile(
        r"\bupside down\b|\bvertical(?:ly)?\b|\btop\b.{1,12}\bbottom\b", re.IGNORECASE
    ),
}
_DEGREES = re.compile(r"(\d{1,3}(?:\.\d{1,4})?)\s*(?:°|degrees?\b)", re.IGNORECASE)
_TURNED = re.compile(r"\b(?:rotat\w*|turned)\b", re.IGNORECASE)
_HALF_TURN = re.compile(r"\bupside down\b|\bhalf (?:a )?turn\b", re.IGNORECASE)
#: A turn may be said to be off by so much: "about 90 degrees".
TURN_DEG = 10.0
_WORD = re.compile(r"\w+")
#: Two claims on one thing share this much of their words; chosen by hand, see the tests.
ALIKE = 0.5


def aspects_of(claim: Claim) -> list[str]:
    """The measured aspects that ``claim`` is about, by its words; none where it names none."""
    found = [
        aspect
        for (dimension, aspect), pattern in _PATTERNS.items()
        if dimension == claim.dimension and pattern.search(claim.text)
    ]
    if "mirroring" in found and not _TURNED.search(claim.text):
        found = [aspect for aspect in found if aspect != "rotation"]  # "flipped upside down"
    return found


def against_measurements(claim: Claim, measured: Sequence[Finding]) -> list[Check]:
    """One check for each measured finding on what ``claim`` is about."""
    aspects = aspects_of(claim)
    out = []
    for f in measured:
        if f.source != "measured" or f.dimension != claim.dimension or f.aspect not in aspects:
            continue
        if f.relation == "unknown":
            continue
        agrees = (f.relation == "different") == claim.different
        outcome = "agrees with the measurement"
        if not agrees:
            outcome = f"contradicted: measured as {f.relation}"
        elif claim.different and f.aspect in _DETAILS:
            wrong = _DETAILS[f.aspect](claim, f)
            outcome = f"contradicted: {wrong}" if wrong else outcome
        out.append(Check(kind="measurement", outcome=outcome, against=[f.id]))
    return out


def _wrong_way(claim: Claim, measured: Finding) -> str | None:
    """Whether the faster video is said to be the slower one. Speeds are B's relative to A."""
    try:
        speed = float((measured.measure.values if measured.measure else {})["B"])  # type: ignore[arg-type]
    except (KeyError, TypeError, ValueError):
        return None
    b_fast = bool(_FAST.search(claim.b) or _SLOW.search(claim.a))
    b_slow = bool(_SLOW.search(claim.b) or _FAST.search(claim.a))
    wrong = b_fast != b_slow and b_fast != (speed > 1)
    return "the other video is the faster one" if wrong else None


def _wrong_axis(claim: Claim, measured: Finding) -> str | None:
    """Whether another axis is named than the picture is mirrored about."""
    said = {axis for axis, pattern in _AXES.items() if pattern.search(claim.text)}
    found = measured.values.get("B")
    return "it is mirrored the other way" if len(said) == 1 and found not in said else None


def _wrong_turn(claim: Claim, measured: Finding) -> str | None:
    """Whether the turn that is named is far from the measured one, in degrees clockwise."""
    found = measured.values.get("B")
    if not isinstance(found, int | float):
        return None
    said = _DEGREES.search(claim.text)
    if said is None and _HALF_TURN.search(claim.text) is None:
        return None
    degrees = float(said.group(1)) if said is not None else 180.0
    if abs(_folded(degrees) - _folded(found)) <= TURN_DEG:
        return None
    return f"it is turned by {abs(found):.3g} degrees"


def _folded(degrees: float) -> float:
    """0 to 180: a turn by 270 degrees one way is one by 90 the other."""
    return min(degrees % 360, -degrees % 360)


_DETAILS = {"speed": _wrong_way, "mirroring": _wrong_axis, "rotation": _wrong_turn}


def against_each_other(claims: Sequence[Claim]) -> list[list[int]]:
    """For each claim the numbers of those that it cannot be true together with.

    That is: a difference whose two sides say the same contradicts itself; a similarity and a
    difference on one measured aspect, or in nearly the same words, contradict each other.
    """
    out: list[list[int]] = [[] for _ in claims]
    for i, one in enumerate(claims):
        if one.different and one.a and _words(one.a) == _words(one.b):
            out[i].append(i)
        for j in range(i):
            other = claims[j]
            if one.dimension != other.dimension or one.different == other.different:
                continue
            shared = set(aspects_of(one)) & set(aspects_of(other))
            if shared or alike(one.text, other.text) >= ALIKE:
                out[i].append(j)
                out[j].append(i)
    return out


def order_check(claim: Claim, swapped: Sequence[Claim]) -> Check:
    """``claim`` against the answer to the same videos with their letters exchanged."""
    best: tuple[float, float] = (0.0, 0.0)
    for other in swapped:
        if other.dimension != claim.dimension or other.different != claim.different:
            continue
        kept = alike(claim.a, other.b) + alike(claim.b, other.a)
        stuck = alike(claim.a, other.a) + alike(claim.b, other.b)
        best = max(best, (kept, stuck), key=max)
    kept, stuck = best
    if max(kept, stuck) < ALIKE:
        outcome = "not said again with the videos swapped"
    elif stuck > kept:
        outcome = "flipped: said of the other video when they were swapped"
    else:
        outcome = "held when the videos were swapped"
    return Check(kind="order", outcome=outcome)


def alike(one: str, other: str) -> float:
    """Share of words in common, 0 to 1 (Jaccard)."""
    a, b = _words(one), _words(other)
    return len(a & b) / len(a | b) if a and b else 0.0


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))
