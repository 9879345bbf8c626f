"""The figures of a run as tables for the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from triptych.bench.tables import figures_table, interval, number
from triptych.record.scores import Score, Scores

_STRENGTHS = ("light", "medium", "heavy")
_HEAD = (
    ("recall, all", "recall/all"),
    ("recall, medium and heavy", "recall/medium and heavy"),
    ("recall, light", "recall/strength/light"),
    ("  of all, said to be unknown", "unknown/all"),
    ("  of all, not spoken of", "absent/all"),
    ("false differences", "false/all"),
    ("controls not left alone", "controls/different"),
    ("direction right", "alignment/direction"),
    ("mirroring right", "alignment/mirroring"),
    ("speed right", "speed/ok"),
    ("  within 2 %", "speed/within 2 %"),
    ("  error, median", "speed/error, median"),
    ("  error, 95 % of pairs", "speed/error, 95 %"),
    ("  interval covers the truth", "speed/interval covers"),
    ("  interval, either way, median", "speed/interval width, median"),
    ("speed right where it is 1", "speed unchanged/ok"),
)


def render(scores: Scores, console: Console) -> None:
    """Print all of it: the figures in short, by edit and strength, and by aspect."""
    found = scores.scores
    failed = f", {scores.failed} failed" if scores.failed else ""
    each = scores.seconds / scores.n
    told = f"{scores.n} pairs{failed}, {each:.1f} s each; percent, 95 % intervals over clips"
    console.print(Text(told), soft_wrap=True)
    reasons: list[str] = []
    head = figures_table("", "%", "95 %", "count")
    for label, name in _HEAD:
        s = found[name]
        if s.value is not None:
            head.add_row(label, number(s, 1), interval(s), str(s.n))
        elif not label.startswith(" "):  # the reason once, not for each part of it
            head.add_row(label, "-", "", "0")
            reasons.append(f"{label}: {s.reason}")
    console.print(head)
    for reason in reasons:
        console.print(Text(reason), soft_wrap=True)
    console.print()
    console.print(_by_edit(found))
    console.print()
    console.print(_by_aspect(found))


def _by_edit(found: dict[str, Score]) -> Table:
    table = figures_table("edit", *_STRENGTHS, "unknown", "false")
    edits = {n.partition("/")[0] for n in _under(found, "recall/edit/")}
    for edit in sorted({*edits, *_under(found, "false/edit/"), *_under(found, "controls/")}):
        if edit == "different":
            continue
        cells = [_cell(found.get(f"recall/edit/{edit}/{s}")) for s in _STRENGTHS]
        control = found.get(f"controls/{edit}")
        label = f"{edit} (control)" if control is not None else edit
        more = (found.get(f"unknown/edit/{edit}"), found.get(f"false/edit/{edit}"))
        table.add_row(label, *cells, *map(_cell, more))
    return table


def _by_aspect(found: dict[str, Score]) -> Table:
    """Each dimension, and under it its aspects."""
    table = figures_table("aspect", "recall", "95 %", "count", "false", "95 %", "count")

    def add(label: str, name: str, style: str) -> None:
        row: list[str] = []
        for kind in ("recall", "false"):
            s = found.get(f"{kind}/{name}")
            row += [number(s, 1), interval(s), str(s.n)] if s is not None else ["", "", ""]
        table.add_row(Text(label), *row, style=style)

    dimensions = {*_under(found, "recall/dimension/"), *_under(found, "false/dimension/")}
    aspects = {*_under(found, "recall/aspect/"), *_under(found, "false/aspect/")}
    for dimension in sorted(dimensions):
        add(dimension, f"dimension/{dimension}", "bold")
        for aspect in sorted(a for a in aspects if a.startswith(f"{dimension}: ")):
            add(f"  {aspect.partition(': ')[2]}", f"aspect/{aspect}", "")
    return table


def _under(found: dict[str, Score], prefix: str) -> list[str]:
    return [name[len(prefix) :] for name in found if name.startswith(prefix)]


def _cell(s: Score | None) -> str:
    return "" if s is None or s.value is None else f"{s.value:.0f} ({s.n})"
