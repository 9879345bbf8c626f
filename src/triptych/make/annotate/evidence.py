"""Drafted claims and merged questions held against what was measured, and questions against drafts.

The measurements are those of ``triptych diff``. They know little of what a video shows, but what
they do know is not a model's opinion: this goes beyond the paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from triptych.diff.caption import Claim, parse_caption
from triptych.diff.claims import against_measurements, aspects_of
from triptych.make.annotate.records import Fault, Question
from triptych.make.annotate.words import plain, quoted, words
from triptych.record.report import Check, Finding, Report

CONTRADICTED = "contradicts the measurement"
#: Classes of which a measured difference denies that nothing in the class differs. A change of
#: sharpness is no other style, and a changed region may be no other subject.
_WHOLE = ("background", "camera", "motion", "position", "playback technique")
TEXT = "on-screen text"
#: Two readings are of one text if so much of their letters is the same; chosen by hand.
READ_ALIKE = 0.6
#: Words are the same to this many letters: "walks" and "walking".
_STEM = 4


def claim_of(question: Question) -> Claim:
    """What ``question`` claims, its right answer being given."""
    text = plain(question.text)
    dimension = question.klass
    if question.side == "Similarities":
        return Claim(dimension, False, text)  # type: ignore[arg-type]
    found = parse_caption(f"[{dimension}]\nDifferences:\n- {text}").claims
    a, b = ("; ".join(filter(None, (getattr(c, side) for c in found))) for side in "ab")
    return Claim(dimension, True, text, a, b)  # type: ignore[arg-type]


def against(claim: Claim, report: Report) -> tuple[Fault | None, bool]:
    """Why a measurement denies ``claim``, or ``None``; and whether one says the same."""
    checks = against_measurements(claim, report.findings)
    said = {f.id: f for f in report.findings}
    denied = [c for c in checks if c.outcome.startswith("contradicted")]
    agrees = any(c.outcome.startswith("agrees") for c in checks)
    if not claim.different:
        denied += _named(claim, report.findings)
    elif agrees and (read := _other_text(claim, report.findings)) is not None:
        return Fault(CONTRADICTED, f"other text was read: {read}"), False
    elif agrees:
        # Something that it names does differ; the rest of its words may be in passing.
        denied = [c for c in denied if "measured as" not in c.outcome]
    if not denied:
        return None, agrees
    told = "; ".join(f"{c.outcome}: {_told(said[i])}" for c in denied for i in c.against)
    return Fault(CONTRADICTED, told), False


def supported(question: Question, claims: Sequence[Claim]) -> bool:
    """Whether ``question`` is about something that the ``claims`` of a draft say.

    Of a difference one word at least that is no name of a category stands in a drafted difference,
    in whatever category; a similarity needs a drafted one in its category.
    """
    if question.side == "Similarities":
        return any(c.dimension == question.klass and not c.different for c in claims)
    asked = stems(question.text)
    return any(c.different and asked & stems(c.text) for c in claims)


def _named(claim: Claim, findings: Sequence[Finding]) -> list[Check]:
    """Measured differences in the part of its class that a similarity is about, or in any part
    where it names none.
    """
    about = words().aspects_of(claim.dimension, claim.text)
    whole = claim.dimension in _WHOLE and not words().facets_of(claim.dimension, claim.text)
    return [
        Check(kind="measurement", outcome="contradicted: measured as different", against=[f.id])
        for f in findings
        if f.source == "measured" and f.relation == "different"
        and f.dimension == claim.dimension and (whole or f.aspect in about)
    ]  # fmt: skip


def _other_text(claim: Claim, findings: Sequence[Finding]) -> str | None:
    """What was read where texts differ, if ``claim`` quotes something else; ``None`` if it fits."""
    if claim.dimension != "subject" or TEXT not in aspects_of(claim):
        return None
    differ = [f for f in findings if f.aspect == TEXT and f.relation == "different"]
    read = [v for f in differ for v in f.values.values() if isinstance(v, str)]
    said = [_letters(q) for q in quoted(plain(claim.text))]
    if not any(said) or not read or any(len(f.evidence) == 0 for f in differ):
        return None  # of many texts not all are told
    fits = any(_resemble(s, _letters(r)) for s in said if s for r in read)
    return None if fits else ", ".join(f'"{r}"' for r in read)


def _resemble(one: str, other: str) -> bool:
    """Whether two readings may be of one text: letters get lost and mistaken."""
    if not other or one in other or other in one:
        return True
    return SequenceMatcher(None, one[:200], other[:200], autojunk=False).ratio() >= READ_ALIKE


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _told(finding: Finding) -> str:
    return f"{finding.aspect}: {finding.statement}"


def stems(text: str) -> set[str]:
    """The beginnings of the words of ``text`` that are no grammar and no names of categories."""
    # A letter on its own is a video's.
    return {w[:_STEM] for w in words().concrete(plain(text)) if len(w) > 1}
