"""A judge's agreement with itself, for the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from triptych.bench.tables import figures_table, interval, number
from triptych.bench.vidic.scores import TOTALS, class_names
from triptych.bench.vidic.stability import PUBLISHED, SIDES, Stable
from triptych.record.errors import printable

#: Questions that are told one by one.
_LISTED = 5


def render(found: Stable, console: Console) -> None:
    """Print the agreement of the rounds, the spread of each score, and what was not answered so."""
    scores, times = found.scores.scores, len(found.each)
    told = (
        f"{found.scores.n} questions about captions of {found.scores.labelled}, each judged "
        f"{times} times by {found.scores.judge}"
    )
    _say(console, told)
    if found.unasked:
        _say(console, f"{found.unasked} more cannot be put to a judge: no caption, or no question")
    table = figures_table(
        "", "all alike %", "95 %", "two alike %", "95 %", "Fleiss' kappa", "questions"
    )
    for name, _ in SIDES:
        alike, two = scores[f"alike/{name}"], scores[f"pairwise/{name}"]
        cells = (number(alike, 1), interval(alike), number(two, 1), interval(two))
        table.add_row(name, *cells, number(scores[f"kappa/{name}"], 3), str(alike.n))
    console.print(table)
    console.print()
    table = figures_table("score over the rounds", "mean", "lowest", "highest", "sd", "questions")
    for name in (*TOTALS, *class_names(found.each[0])):
        mean = scores.get(f"mean/{name}")
        if mean is not None:
            kinds = ("mean", "lowest", "highest", "sd")
            row = [number(scores[f"{kind}/{name}"], 2) for kind in kinds]
            table.add_row(Text(printable(name)), *row, str(mean.n))
    console.print(table)
    low, high = PUBLISHED
    _say(
        console,
        f"published (arXiv 2512.03405, section 4.2; five rounds of GPT-5-mini on its own set): "
        f"Avg {low:.2f} to {high:.2f}",
    )
    wavering = [r for r in found.rounds if not r.alike]
    for r in wavering[:_LISTED]:
        said = " ".join(a or "-" for a in r.answers)
        _say(console, f"not alike: {r.ident}: {r.question} {said} (right: {r.correct})")
    if len(wavering) > _LISTED:
        _say(console, f"... and {len(wavering) - _LISTED} more in stability.jsonl")


def _say(console: Console, text: str) -> None:
    console.print(Text(printable(text)), soft_wrap=True)
