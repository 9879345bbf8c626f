"""The kinds of error of a run, for the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from triptych.bench.tables import figures_table, interval, number
from triptych.bench.vidic.errors import CLASS, KINDS, PUBLISHED, Analysed, classes
from triptych.record.errors import printable
from triptych.record.scores import Score

#: The kinds in short: eighty columns hold them all.
_HEADS = ("halluc.", "missed", "contrad.", "vague", "reason.", "no ans.", "unread.")


def render(found: Analysed, console: Console, examples: int = 1) -> None:
    """Print counts and shares, the counts of each class, and ``examples`` of each kind."""
    scores = found.scores
    told = (
        f"{scores.n} wrong answers of {scores.labelled}, sorted by {scores.judge}; "
        "percent of them, 95 % intervals over pairs"
    )
    console.print(Text(printable(told)), soft_wrap=True)
    table = figures_table("kind of error", "count", "%", "95 %", "published †")
    for kind in KINDS:
        s = scores.scores[kind]
        published = f"{PUBLISHED[kind]:.1f}" if kind in PUBLISHED else ""
        table.add_row(kind, _count(s), number(s, 1), interval(s), published)
    console.print(table)
    console.print(Text("† arXiv 2512.03405, section 4.2: Gemini-2.5-Pro, another set of errors"))
    console.print()
    names = classes(scores)
    by_class = figures_table("class", *_HEADS, "all")
    for name in names:
        cells = [scores.scores[f"{CLASS}{name}/{k}"] for k in KINDS]
        by_class.add_row(Text(printable(name)), *map(_count, cells), str(cells[0].n))
    if names:
        console.print(by_class)
    for kind in KINDS:
        some = [e for e in found.errors if e.kind == kind]
        for e in some[:examples]:
            why = e.failed or e.explanation
            line = (
                f"{kind}: {e.ident}: {e.question} "
                f"(right: {e.correct or '-'}, given: {e.answer or '-'}) {why}"
            )
            console.print(Text(printable(line)), soft_wrap=True)


def _count(s: Score) -> str:
    return "0" if s.value is None else str(round(s.value * s.n / 100))
