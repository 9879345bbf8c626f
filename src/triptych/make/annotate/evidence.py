"""Drafted claims and merged questions held against what was measured, and questions against drafts.

The measurements are those of ``triptych diff``. They know little of what a video shows, but what
they do know is not a model's opinion: this goes beyond the paper.
"""

from __future__ import annotations

from collections.abc import Sequence

from triptych.diff.caption import Claim, parse_caption
from triptych.diff.claims import against_measurements
from triptych.make.annotate.records import Fault, Question
from triptych.make.annotate.words import plain, words
from triptych.record.report import Check, Finding, Report

CONTRADICTED = "contradicts the measurement"
#: Classes of which a measured difference denies that nothing in the class differs. A change of
#: sharpness is no other style, and a changed region may be no other subject.
_WHOLE = ("background", "camera", "motion", "position", "playback technique")
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
    elif agrees:
        # Something that it names does differ; the rest of its words may be in passing.
        denied = [c for c in denied if "measured as" not in c.outcome]
    if not denied:
        return None, agrees
    told = "; ".join(f"{c.outcome}: {_told(said[i])}" for c in denied for i in c.against)
    return Fault(CONTRADICTED, told), False


def supported(question: Question, claims: Sequence[Claim]) -> Fault | None:
    """A question is about something that a draft says.

    Of a difference one word at least that is no name of a category stands in a drafted difference,
    in whatever category; a similarity needs a drafted one in its category.
    """
    if question.side == "Similarities":
        if any(c.dimension == question.klass and not c.different for c in claims):
            return None
        return Fault("no draft says it")
    asked = stems(question.text)
    if any(c.different and asked & stems(c.text) for c in claims):
        return None
    return Fault("no draft says it")


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


def _told(finding: Finding) -> str:
    return f"{finding.aspect}: {finding.statement}"


def stems(text: str) -> set[str]:
    """The beginnings of the words of ``text`` that are no grammar and no names of categories."""
    # A letter on its own is a video's.
    return {w[:_STEM] for w in words().concrete(plain(text)) if len(w) > 1}
