"""Both orders of the videos, for the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from triptych.bench.compare_table import verdict
from triptych.bench.tables import figures_table, number
from triptych.bench.vidic.order import FLIPS, FORWARD, PUBLISHED, REVERSE, Ordered, shown
from triptych.record.errors import printable


def render(found: Ordered, console: Console) -> None:
    """Print each score in both orders, the difference, and how many questions flip."""
    scores = found.scores
    told = (
        f"{scores.n} questions to {scores.labelled}, judged by {scores.judge}; percent, the "
        "difference in points with its 95 % interval over pairs of videos"
    )
    _say(console, told)
    for note in found.forward.notes:
        _say(console, note)
    table = figures_table("", "A/B", "B/A", "change", "95 %", "flips %", "questions")
    table.add_column("")
    for name in shown(scores):
        s = scores.scores[name]
        both = [number(scores.scores[f"{order}/{name}"], 2) for order in (FORWARD, REVERSE)]
        change = "-" if s.value is None else f"{s.value:+.2f}"
        interval = "" if s.lo is None or s.hi is None else f"{s.lo:+.1f} to {s.hi:+.1f}"
        flips = number(scores.scores[FLIPS + name], 1)
        said = verdict(s) if s.value is not None else ""
        table.add_row(Text(printable(name)), *both, change, interval, flips, str(s.n), said)
    console.print(table)
    lost, won, other = found.turned
    _say(
        console,
        f"{lost + won + other} questions are answered otherwise with B first: {lost} right to "
        f"wrong, {won} wrong to right, {other} otherwise",
    )
    rows = ", ".join(f"{m} {a:.2f} to {b:.2f}" for m, (a, b) in PUBLISHED.items())
    _say(console, f"published (arXiv 2512.03405, section 4.2; Avg of its own set): {rows}")


def _say(console: Console, text: str) -> None:
    console.print(Text(printable(text)), soft_wrap=True)
