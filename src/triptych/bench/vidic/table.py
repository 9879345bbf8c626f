"""A run's figures as tables for the terminal, the published ones beside them."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from triptych.bench.tables import figures_table, interval, number
from triptych.bench.vidic.published import SOURCE
from triptych.bench.vidic.published import table as published_table
from triptych.bench.vidic.result import Result, counted
from triptych.bench.vidic.scores import CATEGORY, TOTALS, class_names
from triptych.record.errors import printable
from triptych.record.scores import Score, Scores

#: How many of the failed are told one by one.
LISTED = 10
#: Longest name of a run in the table of published ones, and what marks these.
_NAME = 25
_MARK = "†"


def render(found: Result, console: Console, *, published: bool = True) -> None:
    """Print the figures, what failed, and the published table, marked as such."""
    scores = found.scores
    failed = f", {scores.failed} failed and counted as wrong" if scores.failed else ""
    pairs = len({j.pair for j in found.judged})
    told = f"{scores.n} questions of {pairs} pairs{failed}; percent, 95 % intervals over pairs"
    _say(console, told)
    if scores.labels:
        _say(console, f"{scores.labelled}: not the paper's protocol")
    for note in found.notes:
        _say(console, note)
    if found.problems:
        _say(console, f"wrong with the set: {counted(found.problems)}")
    console.print()
    console.print(_figures(scores.scores))
    _failed(found, console)
    if published:
        console.print()
        console.print(_beside(found))
        _say(console, f"{_MARK} published: {SOURCE}; with its questions and its judge")


def agreement(scores: Scores, console: Console) -> None:
    """Print how far a judge agrees with people."""
    told = f"{scores.n} labelled questions, {scores.failed} of them without an answer of the judge"
    _say(console, told)
    table = figures_table("", "%", "95 %", "kappa", "questions")
    for name, s in scores.scores.items():
        if not name.startswith("kappa/"):
            cells = (number(s, 2), interval(s), number(scores.scores[f"kappa/{name}"], 2), str(s.n))
            table.add_row(name, *cells)
    console.print(table)


def _figures(found: dict[str, Score]) -> Table:
    table = figures_table("", "%", "95 %", "questions")
    for name in (*TOTALS, *class_names(found), *(n for n in found if n.startswith(CATEGORY))):
        s = found[name]
        label = name.removeprefix(CATEGORY)
        label = f"  {label}" if name.startswith(CATEGORY) else label
        table.add_row(Text(printable(label)), number(s, 2), interval(s), str(s.n))
    return table


def _failed(found: Result, console: Console) -> None:
    for j in found.failed[:LISTED]:
        _say(console, f"failed  {j.ident}: {j.failed}")
    if len(found.failed) > LISTED:
        _say(console, f"... and {len(found.failed) - LISTED} more failed")


def _beside(found: Result) -> Table:
    """One decimal, and short names: eighty columns hold the whole of it."""
    names = (*TOTALS, *list(published_table()[0].scores)[len(TOTALS) :])
    table = figures_table("model", *(n if n in TOTALS else n[:4] for n in names))
    by_name = {n.casefold(): s for n, s in found.scores.scores.items()}
    cells = [number(by_name.get(n.casefold()), 1) for n in names]
    table.add_row(Text(_short(found.scores)), *cells, style="bold")
    for row in published_table():
        cells = [f"{row.scores[n]:.1f}" for n in names]
        table.add_row(Text(f"{row.model} {row.size}".strip() + f" {_MARK}"), *cells)
    return table


def _short(scores: Scores) -> str:
    """The name of a run, cut short before its labels are."""
    labels = scores.labelled.removeprefix(scores.model)
    return printable(scores.model)[: max(8, _NAME - len(labels))] + printable(labels)


def _say(console: Console, text: str) -> None:
    console.print(Text(printable(text)), soft_wrap=True)
