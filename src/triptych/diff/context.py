"""What every dimension's findings are made from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from triptych.diff.options import Options
from triptych.measure.align import Match
from triptych.measure.matched import Registered
from triptych.measure.pairs import Pair
from triptych.measure.survey import Survey
from triptych.measure.timemap import TimeMap
from triptych.media.video import Video
from triptych.record.report import Alignment, Dimension, Evidence, Finding, Measure, Relation


@dataclass(slots=True)
class Context:
    """Both videos as surveyed, how they align, and frames of the same moments.

    ``observed`` holds what the slow or optional observers kept, by name, for A and B: for
    example ``observed["texture"] == (texture_of_a, texture_of_b)``.
    ``match`` is ``None`` and ``pairs`` is empty when the videos are unrelated: then each is
    measured on its own. ``registered`` still says how the best candidates fitted.
    ``network`` is held while a network runs: those that read text and find people use several
    hundred MB each.
    """

    options: Options
    a: Survey
    b: Survey
    video_a: Video
    video_b: Video
    alignment: Alignment
    timemap: TimeMap
    match: Match | None = None
    registered: Registered | None = None
    pairs: Sequence[Pair] = ()
    observed: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    network: Lock = field(default_factory=Lock)


#: A dimension's module offers one of these.
Findings = Callable[[Context], Iterator[Finding]]


def finding(
    dimension: Dimension,
    aspect: str,
    relation: Relation,
    statement: str,
    *,
    values: dict[str, Any] | None = None,
    measure: Measure | None = None,
    evidence: Sequence[Evidence] = (),
    confidence: float = 1.0,
) -> Finding:
    """A measured finding; its ``id`` is given when the report is put together."""
    return Finding(
        id="",
        dimension=dimension,
        aspect=aspect,
        relation=relation,
        statement=_plain(statement),
        values=values or {},
        measure=measure,
        evidence=list(evidence),
        confidence=min(max(confidence, 0.0), 1.0),
    )


def _plain(statement: str) -> str:
    """``statement`` as a phrase: it stands behind a colon in one place and in brackets in another.

    No full stop, and no capital but where the word needs one ("A", "B", a quotation).
    """
    statement = statement.rstrip()
    if statement.endswith(".") and not statement.endswith(".."):
        statement = statement[:-1]
    first = statement.split(" ", 1)[0]
    if first.isalpha() and len(first) > 1 and first[1:].islower():
        statement = statement[0].lower() + statement[1:]
    return statement
