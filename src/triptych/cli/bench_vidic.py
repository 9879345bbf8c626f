"""``triptych bench vidic``."""

from __future__ import annotations

from typing import Annotated

import typer

from triptych.cli.trouble import TROUBLE, say

EPILOG = """\
\b
Examples:
  triptych bench vidic --judged judged.json
  triptych bench vidic --judged judged.json --out run-a --json - | jq '.scores.Avg'

A judged file is a checklist whose answers were filled in; it needs no videos and no model. What is
no answer counts as wrong and is listed. RUN gets scores.json, judgments.jsonl (one line a question)
and problems.txt.

\b
Exit code: 0 the scores are there, 2 trouble, or not one question was answered, 130 interrupted.
"""


def command(
    judged: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Score a checklist whose answers are filled in."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", metavar="N", min=1, help="This many pairs, by chance."),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="What chance starts from: sample, intervals.")
    ] = 0,
    out: Annotated[
        str | None, typer.Option(metavar="RUN", help="Where the run is kept.", show_default=False)
    ] = None,
    json: Annotated[
        str | None,
        typer.Option(metavar="F|-", help="Write the scores as JSON; - prints them, alone."),
    ] = None,
    published: Annotated[
        bool, typer.Option(help="Show the published table beside the run's.")
    ] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no hints.")] = False,
) -> int:
    """Score captions of what differs between two videos by a checklist (ViDiC)."""
    from triptych.bench.vidic.judged import score_judged
    from triptych.cli import streams
    from triptych.record.errors import UsageError, printable
    from triptych.record.files import write_text
    from triptych.record.scores import dumps

    if judged is None:
        raise UsageError("bench vidic: give --judged FILE")
    found = score_judged(judged, out=out, limit=limit, seed=seed)
    text = dumps(found.scores)
    if json == "-":
        streams.write(text)
    else:
        if json:
            write_text(json, text)
        with streams.stdout() as console:
            from triptych.bench.vidic.table import render

            render(found, console, published=published)
    for problem in found.problems:
        say(f"{problem.kind}: {problem.line}")
    if found.out is not None and not quiet:
        say(f"the run is in {printable(str(found.out))}")
    if found.scores.failed == found.scores.n:
        say("not one question was answered")
        return TROUBLE
    return 0
