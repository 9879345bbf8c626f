"""The index of a comparison of two folders: a page for people, a summary for CI."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal
from urllib.parse import quote

from triptych.record.files import write_text
from triptych.record.report import DIMENSIONS, Report
from triptych.report import text as t
from triptych.report.assets import asset, environment, trusted

Outcome = Literal["same", "different", "unknown", "only in A", "only in B", "failed"]
_ORDER: tuple[Outcome, ...] = ("different", "failed", "only in A", "only in B", "unknown", "same")
_SYMBOL: dict[Outcome, str] = {
    "same": "=",
    "different": "≠",
    "unknown": "?",
    "only in A": "←",
    "only in B": "→",
    "failed": "!",
}


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One file name of the two folders.

    ``name`` is the path below both folders. With ``report`` it was compared, and ``page`` is where
    its page lies, relative to the index; with ``failure`` it could not be compared, and that is
    why; else it stands ``only_in`` one of them.
    """

    name: str
    report: Report | None = None
    page: str | None = None
    only_in: Literal["A", "B"] | None = None
    failure: str | None = None

    @property
    def outcome(self) -> Outcome:
        """How this file came out: ``same`` means no difference, and nothing unknown."""
        if self.failure is not None:
            return "failed"
        if self.report is None:
            return "only in B" if self.only_in == "B" else "only in A"
        relations = set(self.report.dimensions.values())
        if "different" in relations:
            return "different"
        return "unknown" if "unknown" in relations else "same"


def write_index(
    rows: Sequence[IndexRow], path: str | Path, *, folders: tuple[str, str] = ("A", "B")
) -> None:
    """Write the page to ``path``: what needs looking at first. ``folders`` are their names.

    Raises :class:`~triptych.record.errors.OutputError` where ``path`` cannot be written.
    """
    ordered = sorted(rows, key=lambda r: (_ORDER.index(r.outcome), r.name))
    counts = summary(rows)["counts"]
    page = environment().get_template("index.html.j2")
    write_text(
        path,
        page.render(
            css=trusted(asset("base.css") + asset("index.css")),
            folders=[t.clean(f) for f in folders],
            headline=_headline(counts, len(rows)),
            counts=[(o, _SYMBOL[o], counts[o]) for o in _ORDER if counts[o]],
            dimensions=DIMENSIONS,
            symbols=t.SYMBOL,
            rows=[_row(r) for r in ordered],
        ),
    )


def summary(rows: Sequence[IndexRow]) -> dict[str, Any]:
    """What CI needs: counts by outcome, and each file's outcome and verdict, by name.

    ``exit_code`` is that of ``diff`` on folders: 2 if any file failed, else 1 if any differs or
    stands on one side only, else 0.
    """
    counts = {o: sum(r.outcome == o for r in rows) for o in _ORDER}
    differ = counts["different"] + counts["only in A"] + counts["only in B"]
    return {
        "files": len(rows),
        "counts": counts,
        "exit_code": 2 if counts["failed"] else 1 if differ else 0,
        "results": [
            {
                "name": r.name,
                "outcome": r.outcome,
                "verdict": r.report.verdict if r.report else None,
                "dimensions": dict(r.report.dimensions) if r.report else None,
                "page": r.page,
                "failure": r.failure,
            }
            for r in sorted(rows, key=lambda r: r.name)
        ],
    }


def link(page: str) -> str:
    """A relative address of ``page`` (a path below the index), percent-encoded.

    Steps out of the folder and absolute paths are dropped, and a colon cannot become a scheme.
    """
    parts = [p for p in PurePosixPath(page).parts if p not in ("/", "..", ".")]
    # What UTF-8 cannot hold came from undecodable bytes of a file name: back to these.
    return "./" + "/".join(quote(p.encode("utf-8", "surrogateescape"), safe="") for p in parts)


def _headline(counts: dict[str, int], files: int) -> str:
    if not files:
        return "There was nothing to compare."
    said = [f"{counts[o]} {o}" for o in _ORDER if counts[o]]
    return f"{files} {'file' if files == 1 else 'files'}: {', '.join(said)}."


def _row(row: IndexRow) -> dict[str, Any]:
    if row.report is not None:
        told = t.clean(row.report.verdict, 300)
    else:
        told = t.clean(row.failure, 300) if row.failure else f"only in {row.only_in or 'A'}"
    return {
        "name": t.clean(row.name),
        "outcome": row.outcome,
        "symbol": _SYMBOL[row.outcome],
        "told": told,
        "href": link(row.page) if row.page else None,
        "dimensions": [row.report.dimensions.get(d, "unknown") for d in DIMENSIONS]
        if row.report
        else None,
    }
