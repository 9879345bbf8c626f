"""``triptych bench compare RUN RUN``."""

from __future__ import annotations

from typing import Annotated

import typer

EPILOG = """\
\b
Examples:
  triptych bench compare run-a run-b
  triptych bench compare run-a run-b --json - | jq '.scores.Avg'

Both are folders that bench vidic wrote with --out. The difference is B less A, over the questions
that both asked; its interval is a paired bootstrap over pairs of videos.
"""


def command(
    a: Annotated[str, typer.Argument(metavar="RUN", help="The run to start from.")],
    b: Annotated[str, typer.Argument(metavar="RUN", help="The run held against it.")],
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="What chance starts from.")] = 0,
    json: Annotated[
        str | None,
        typer.Option(metavar="F|-", help="Write the differences as JSON; - prints them, alone."),
    ] = None,
) -> int:
    """Hold one run against another: the difference, and whether it may be chance."""
    from triptych.bench.compare import compare
    from triptych.bench.compare_table import render
    from triptych.cli.scored import show
    from triptych.cli.trouble import say
    from triptych.record.scores import Scores

    found = compare(a, b, seed)
    scores = Scores(
        bench="compare", model=f"{b} less {a}", n=found.n, failed=0, scores=found.scores, seconds=0
    )
    show(scores, json, lambda console: render(found, console))
    for run, count in zip((a, b), found.alone, strict=True):
        if count:
            say(f"{count} questions are in {run} only; they are left out")
    return 0
