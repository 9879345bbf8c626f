"""Claims and questions against what was measured in a real pair, and against drafts."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.cli.demo_clips import draw
from triptych.diff.caption import Claim
from triptych.diff.compare import compare
from triptych.diff.options import Options
from triptych.make.annotate.evidence import CONTRADICTED, against, claim_of, supported
from triptych.make.annotate.records import Question, Side
from triptych.record.report import Evidence, Report


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The demonstration's pair: B plays 1.25 times as fast, is mirrored, in another light."""
    a, b = draw(tmp_path_factory.mktemp("evidence"))
    return compare(a, b, Options(skip=("text", "speech", "people", "sound")))


def asked(side: Side, klass: str, text: str) -> Question:
    return Question(side, klass, text, "yes" if side == "Differences" else "no")


@pytest.mark.parametrize(
    ("side", "klass", "text", "denied", "agrees"),
    [
        ("Differences", "position",
         "Is Video B mirrored, while Video A is not?", None, True),
        ("Differences", "position",
         "Is Video B rotated, while Video A is not?", "rotation", False),
        ("Differences", "playback technique",
         "Is Video B in fast-forward, while Video A is not?", None, True),
        ("Differences", "playback technique",
         "Is Video B in slow-motion, while Video A is not?", "faster one", False),
        ("Differences", "playback technique",
         "Is Video A in fast-forward, while Video B is not?", "faster one", False),
        ("Differences", "playback technique",
         "Does Video B play in reverse, while Video A does not?", "direction", False),
        ("Differences", "subject",
         "Does Video A show a dog, while Video B shows a cat?", None, False),
        ("Similarities", "position",
         "Is the spatial orientation different in Video A and Video B?", "mirroring", False),
        ("Similarities", "playback technique",
         "Is the playback technique different in Video A and Video B?", "speed", False),
        ("Similarities", "background",
         "Is the lighting different in Video A and Video B?", "lighting", False),
        ("Similarities", "background",
         "Is the background different in Video A and Video B?", "lighting", False),
        ("Similarities", "background",
         "Is the weather different in Video A and Video B?", None, False),
        ("Similarities", "subject",
         "Is the category of subjects different in Video A and Video B?", None, False),
        ("Similarities", "camera",
         "Is the number of cuts different in Video A and Video B?", None, True),
    ],
)  # fmt: skip
def test_questions_meet_measurements(
    report: Report, side: Side, klass: str, text: str, denied: str | None, agrees: bool
) -> None:
    fault, agreed = against(claim_of(asked(side, klass, text)), report)
    assert (fault is not None) == (denied is not None), fault
    if fault is not None and denied is not None:
        assert fault.reason == CONTRADICTED and denied in fault.detail
    assert agreed == agrees


def test_drafted_claims_meet_measurements(report: Report) -> None:
    fault, _ = against(Claim("position", False, "neither is mirrored"), report)
    assert fault is not None and "mirroring" in fault.detail
    fault, agrees = against(Claim("position", True, "A: as filmed; B: mirrored"), report)
    assert fault is None and agrees


def test_what_is_unknown_denies_nothing(report: Report) -> None:
    unknown = report.model_copy(deep=True)
    for f in unknown.findings:
        f.relation = "unknown"
    for question in (
        asked("Differences", "position", "Is Video B mirrored, unlike Video A?"),
        asked("Similarities", "position", "Is the orientation different in Video A and B?"),
    ):
        assert against(claim_of(question), unknown) == (None, False)


def test_the_sides_of_a_question() -> None:
    claim = claim_of(asked("Differences", "motion",
                           "In Video A, does he run, while in Video B he walks?"))  # fmt: skip
    assert "run" in claim.a and "walks" in claim.b and "walks" not in claim.a
    turned = claim_of(asked("Differences", "motion", "Does Video B run, unlike Video A walking?"))
    assert "run" in turned.b and "walking" in turned.a


DRAFTED = [
    Claim("subject", True, "A: a brown dog walks; B: a cat"),
    Claim("camera", False, "both are close-ups"),
]


@pytest.mark.parametrize(
    ("question", "held"),
    [
        (asked("Differences", "subject", "Does Video A show a DOG, unlike Video B?"), True),
        (asked("Differences", "motion", "Does it keep walking in Video A, unlike Video B?"), True),
        (asked("Differences", "subject", "Does Video A show a horse, unlike Video B?"), False),
        (asked("Differences", "camera", "Are there close-ups in Video A, unlike B?"), False),
        (asked("Similarities", "camera", "Is the shot scale different in both videos?"), True),
        (asked("Similarities", "style", "Is the style different in both videos?"), False),
        (asked("Similarities", "subject", "Is the count different in both videos?"), False),
    ],
)
def test_questions_stay_with_the_drafts(question: Question, held: bool) -> None:
    assert supported(question, DRAFTED) == held
    assert not supported(question, [])


def test_hostile_words_are_words(tmp_path: Path, report: Report) -> None:
    for text in ("[Style]\nDifferences:\n- In Video A, x", "</measured>", "\x00", "Video A " * 500):
        for side in ("Differences", "Similarities"):
            against(claim_of(asked(side, "style", text)), report)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        ('the text "SAMPLE"', True),
        ("the text “Market Street”", False),
        ("the text 'MARKET'", False),
        ('the text "MARXET STREFT"', False),  # misread, or mistyped
        ("a text", False),
        ('the text "◊◊"', False),
    ],
)
def test_text_that_is_quoted_was_read(report: Report, said: str, denied: bool) -> None:
    read = report.model_copy(deep=True)
    one = read.findings[0].model_copy(deep=True)
    one.id, one.dimension, one.aspect = "t1", "subject", "on-screen text"
    one.relation, one.values = "different", {"A": None, "B": "MARKETSTREET"}
    one.evidence = [Evidence(video="B", start_s=1, end_s=2)]
    read.findings.append(one)
    claim = claim_of(asked("Differences", "subject", f"Does Video B show {said}, unlike Video A?"))
    fault, agrees = against(claim, read)
    assert (fault is not None) == denied and agrees != denied
    if fault is not None:
        assert fault.detail == 'other text was read: "MARKETSTREET"'
    one.evidence = []  # "3 more on-screen texts differ"
    assert against(claim, read)[0] is None
