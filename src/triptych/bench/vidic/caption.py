"""A caption of what differs, written from findings by code, and read back by code.

The form is ViDiC's: by category, similarities and differences. Each line names its aspect::

    [Position]
    Differences:
    - mirroring: Video B is mirrored left to right
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from triptych.record.aspects import ASPECTS, DIMENSIONS
from triptych.record.errors import printable
from triptych.record.report import Finding, Relation, Report

#: ViDiC has no class for sound.
_CLASSES = tuple(d for d in DIMENSIONS if d != "sound")
_SECTIONS: tuple[tuple[str, Relation], ...] = (
    ("Similarities", "same"), ("Differences", "different"),
)  # fmt: skip
#: "A" and "B" where they stand for the videos, which they do outside of quotation marks.
_QUOTED = re.compile(r"(“[^”]*”|\"[^\"]*\")")
_VIDEO = re.compile(r"\b([AB])\b(?='s| |\)|,|\.|;|:|$)")


@dataclass(frozen=True, slots=True)
class Claim:
    """One line of a caption: ``relation`` of ``dimension: aspect``, and what it states."""

    dimension: str
    aspect: str
    relation: Relation
    statement: str


def from_report(report: Report, *, swapped: bool = False) -> str:
    """The caption of a measured report. What is unknown is left out: a caption does not guess.

    ``swapped``: the report's A is Video B, and its B is Video A.
    """
    return write(_claim(f, swapped) for f in report.findings if f.dimension in _CLASSES)


def write(claims: Iterable[Claim]) -> str:
    """``claims`` as a caption; empty where nothing is the same or different."""
    claims = list(claims)
    out: list[str] = []
    for dimension in _CLASSES:
        part: list[str] = []
        for title, relation in _SECTIONS:
            lines = [
                f"- {c.aspect}: {_line(c.statement)}" for c in claims
                if (c.dimension, c.relation) == (dimension, relation)
            ]  # fmt: skip
            part += [f"{title}:", *lines] if lines else []
        if part:
            out += [f"[{dimension.capitalize()}]", *part, ""]
    return "\n".join(out)


def read(caption: str) -> list[Claim]:
    """The claims of a caption in the form that :func:`write` gives it; other lines are none."""
    dimension = relation = None
    heads = {f"[{d.capitalize()}]": d for d in _CLASSES}
    sections = {f"{title}:": r for title, r in _SECTIONS}
    claims: list[Claim] = []
    for line in caption.splitlines():
        if line in heads:
            dimension, relation = heads[line], None
        elif line in sections:
            relation = sections[line]
        elif dimension and relation and line.startswith("- "):
            aspect, colon, statement = line[2:].partition(": ")
            if colon and aspect in ASPECTS[dimension]:
                claims.append(Claim(dimension, aspect, relation, statement))
    return claims


def _claim(finding: Finding, swapped: bool) -> Claim:
    said = spelled(finding.statement, swapped=swapped)
    return Claim(finding.dimension, finding.aspect, finding.relation, said)


def spelled(statement: str, *, swapped: bool = False) -> str:
    """``statement`` with A and B spelled out as Video A and Video B, but not within quotes.

    ``swapped`` calls A Video B, and B Video A.
    """
    names = {"A": "Video B", "B": "Video A"} if swapped else {"A": "Video A", "B": "Video B"}
    parts = _QUOTED.split(statement)
    parts[::2] = [_VIDEO.sub(lambda m: names[m[1]], part) for part in parts[::2]]
    return "".join(parts)


def _line(text: str) -> str:
    """One line: text read from a video must not begin a section of its own."""
    return printable(" ".join(text.split()))
