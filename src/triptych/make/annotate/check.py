"""What is left of drafts and of merged questions once each was held against the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from triptych.diff.caption import Claim
from triptych.make.annotate.evidence import against, claim_of, supported
from triptych.make.annotate.records import Draft, Dropped, Fault, Made, Question
from triptych.make.annotate.rules import broken, claim_broken
from triptych.make.annotate.together import consistent, fewer, once
from triptych.record.report import Report

#: Characters of a dropped text that are kept.
MOST_TOLD = 1000


def drafted(one: Made, draft: Draft, report: Report | None) -> list[Claim]:
    """The claims of a draft that keep the rules of drafts and are not denied by a measurement."""
    kept = []
    for claim in draft.claims:
        fault = claim_broken(claim)
        if fault is None and report is not None:
            fault, _ = against(claim, report)
        if fault is None:
            kept.append(claim)
            continue
        one.dropped.append(
            Dropped(
                pair=one.pair.id, stage="draft", model=draft.model, klass=claim.dimension,
                side="Differences" if claim.different else "Similarities",
                text=claim.text[:MOST_TOLD], reason=fault.reason, detail=fault.detail,
            )
        )  # fmt: skip
    return kept


def check(
    one: Made, questions: Sequence[Question], claims: Mapping[str, Sequence[Claim]],
    report: Report | None, model: str,
) -> None:  # fmt: skip
    """Leave in ``one`` the ``questions`` of ``model`` that keep all rules.

    ``claims`` are those of each drafting model, by its name.

    First each on its own, then the measurements, then the drafts, then all of them together.
    """

    def drop(question: Question, fault: Fault) -> None:
        one.dropped.append(
            Dropped(
                pair=one.pair.id, stage="merge", model=model, klass=question.klass[:MOST_TOLD],
                side=question.side, text=question.text[:MOST_TOLD], reason=fault.reason,
                detail=fault.detail,
            )
        )  # fmt: skip

    kept: list[Question] = []
    for question in questions:
        checked, fault = _single(question, claims, report)
        if fault is not None:
            drop(question, fault)
        else:
            kept.append(checked)
    for rule in (once, consistent, fewer):
        kept, gone = rule(kept)
        for question, fault in gone:
            drop(question, fault)
    one.questions = kept


def _single(
    question: Question, claims: Mapping[str, Sequence[Claim]], report: Report | None
) -> tuple[Question, Fault | None]:
    """Rules for one question, then the measurements, then the drafts."""
    fault = broken(question)
    said = tuple(name for name, of in claims.items() if supported(question, of))
    question = replace(question, text=" ".join(question.text.split()), models=said)
    if fault is None and report is not None:
        fault, agrees = against(claim_of(question), report)
        question = replace(question, agrees=agrees)
    return question, fault or (None if said else Fault("no draft says it"))
