"""The scorecard from findings."""

from __future__ import annotations

from triptych.diff.context import finding
from triptych.diff.verdict import dimensions_of
from triptych.record.report import DIMENSIONS, Relation


def card(*relations: Relation) -> Relation:
    findings = [finding("style", "colour", r, "so it is") for r in relations]
    return dimensions_of(findings)["style"]


def test_a_dimension_differs_if_a_finding_does() -> None:
    assert card("same", "unknown", "different") == "different"
    assert card("same", "unknown") == "unknown"
    assert card("same", "same") == "same"


def test_what_was_not_measured_is_unknown() -> None:
    assert card() == "unknown"
    assert list(dimensions_of([])) == list(DIMENSIONS)
