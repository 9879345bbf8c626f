"""Two runs side by side, for the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from triptych.bench.compare import Compared
from triptych.bench.tables import change_interval, figures_table, leaves_out_zero
from triptych.bench.vidic.scores import CATEGORY
from triptych.record.errors import printable
from triptych.record.scores import Score


def render(found: Compared, console: Console) -> None:
    """Print what both runs scored, their difference, and whether its interval leaves out 0."""
    told = f"{found.n} questions in both; points of percent, 95 % intervals over pairs of videos"
    console.print(Text(told), soft_wrap=True)
    for letter, labels in zip("AB", found.labels, strict=True):
        if labels:
            said = f"{letter}: {', '.join(labels)}; not the paper's protocol"
            console.print(Text(printable(said)), soft_wrap=True)
    table = figures_table("", "A", "B", "B less A", "95 %", "questions")
    table.add_column("")
    for figure, s in found.scores.items():
        name = f"  {figure.removeprefix(CATEGORY)}" if figure.startswith(CATEGORY) else figure
        if s.value is None:
            table.add_row(Text(printable(name)), "-", "-", "-", "", "0", "")
            continue
        a = found.before[figure]
        values = (f"{a:.2f}", f"{a + s.value:.2f}", f"{s.value:+.2f}")
        cells = (*values, change_interval(s), str(s.n))
        table.add_row(Text(printable(name)), *cells, verdict(s))
    console.print(table)


def verdict(s: Score) -> str:
    """Whether the interval leaves out 0, in words."""
    if s.lo is None or s.hi is None:
        return "of one pair"
    return "differs" if leaves_out_zero(s) else "may be chance"
