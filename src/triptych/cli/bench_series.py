"""How ``bench sweep`` and ``bench robustness`` say what they found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triptych.cli.trouble import TROUBLE, say

if TYPE_CHECKING:
    from triptych.bench.vidic.series import Found


def tell(found: Found, plot_name: str, json: str | None, quiet: bool) -> int:
    """Print the tables, write the plot beside the runs, and give the exit code."""
    from triptych.bench.vidic.series_table import plot, render
    from triptych.cli.scored import show
    from triptych.record.errors import printable

    target = found.out / plot_name
    plot(found.series, target)
    scores = found.series.flat()
    show(scores, json, lambda console: render(found, console))
    told = {problem.line: problem.kind for r in found.results for problem in r.problems}
    for line, kind in told.items():
        say(f"{kind}: {line}")
    if not quiet:
        say(f"the runs are in {printable(str(found.out))}, the plot is {printable(str(target))}")
    if scores.failed == scores.n:
        say("not one question was answered")
        return TROUBLE
    return 0
