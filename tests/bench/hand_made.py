"""Pairs and reports written by hand."""

from __future__ import annotations

from typing import Any

from triptych.bench.edits_judge import Judged, judge
from triptych.bench.edits_pairs import Pair
from triptych.diff.options import Options
from triptych.record.report import Alignment, Finding, Report


def pair(ident: str, clip: str = "c.mp4", **truth: Any) -> Pair:
    given = {"edit": "blur", "strength": "light", "must": [], "may": [], "alignment": {}} | truth
    edits = given.pop("edits", [given["edit"]])
    return Pair.model_validate(
        {"id": ident, "clip": clip, "a": "sources/a.mp4", "b": f"videos/{ident}.mp4"}
        | {"edits": [{"name": name} for name in edits]}
        | given
    )


def report(said: dict[str, str], **alignment: Any) -> Report:
    """``said``: relation by "dimension: aspect"; a "!" at the end gives a second finding on it."""
    findings = [
        Finding.model_validate(
            {
                "id": f"f{i}",
                "dimension": name.split(": ")[0],
                "aspect": name.split(": ")[1].rstrip("!"),
                "relation": relation,
                "statement": "",
                "confidence": 1,
            }
        )
        for i, (name, relation) in enumerate(said.items())
    ]
    given = {"matched": True, "score": 0.9, "speed": 1.0, "speed_interval": [0.99, 1.01]}
    return Report(
        created="", verdict="", videos=[], dimensions={}, findings=findings,
        alignment=Alignment.model_validate(given | alignment),
    )  # fmt: skip


def judged(p: Pair, r: Report | None, skip: tuple[str, ...] = (), error: str = "") -> Judged:
    return judge(p, r, Options(skip=skip), error or None, 1.0)
