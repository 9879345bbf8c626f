"""The scorecard from findings."""

from __future__ import annotations

import pytest

from triptych.diff.context import finding
from triptych.diff.verdict import dimensions_of, follows
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


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("B is softer", "softer"),
        ("B has bars that A has not", "with bars that A has not"),
        ("B's sound is 0.5 s late", "with its sound 0.5 s late"),
        ("B's hues are turned by +30 degrees", "with its hues turned by +30 degrees"),
        ("B's picture shakes by 0.3 % of the width against A's", None),
        ("B's sound does not follow its picture: it is late", None),
        ("the light in B is warmer", None),
    ],
)
def test_statements_follow_where_grammar_lets_them(statement: str, said: str | None) -> None:
    assert follows(statement) == said
