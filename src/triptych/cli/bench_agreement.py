"""``triptych bench agreement RUN LABELS``."""

from __future__ import annotations

from typing import Annotated

import typer

EPILOG = """\
\b
Examples:
  triptych bench agreement run labels.json

LABELS is the set's checklist with "answer" filled in by people, about the captions of the RUN (its
captions.json). Questions are joined on the videos' paths and on their text.
"""


def command(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run of bench vidic.")],
    labels: Annotated[str, typer.Argument(metavar="LABELS", help="What people answered.")],
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="What chance starts from.")] = 0,
    json: Annotated[
        str | None, typer.Option(metavar="F|-", help="Write it as JSON; - prints it, alone.")
    ] = None,
) -> int:
    """How far the judge of a run agrees with people: percent, and kappa beside it."""
    from triptych.bench.vidic.human import agreement
    from triptych.bench.vidic.table import agreement as render
    from triptych.cli.scored import show
    from triptych.cli.trouble import say

    found = agreement(run, labels, seed)
    show(found.scores, json, lambda console: render(found.scores, console))
    if found.unlabelled:
        say(f"{found.unlabelled} questions have no label that is yes or no; they are left out")
    if found.alone:
        say(f"{found.alone} questions are in one of the two only; they are left out")
    return 0
