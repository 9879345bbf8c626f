"""``triptych bench NAME``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from triptych.cli import (
    bench_agreement,
    bench_compare,
    bench_errors,
    bench_order,
    bench_robustness,
    bench_stability,
    bench_sweep,
    bench_vidic,
)
from triptych.cli.trouble import TROUBLE, guarded, need_verb, say

if TYPE_CHECKING:
    from rich.console import Console

app = typer.Typer(name="bench", rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def _root(context: typer.Context) -> None:
    """Score what was measured, on sets whose truth is known."""
    need_verb(context)


EDITS_EPILOG = """\
\b
Examples:
  triptych make pairs clips/*.mp4 -o pairs -n 200
  triptych bench edits pairs
  triptych bench edits pairs -n 30 --skip speech --out quick --misses
  triptych bench edits pairs --json - | jq '.scores["recall/all"]'

RUN gets the reports, scores.json, pairs.jsonl (what each pair contributed), misses.txt and
recall.png. Running again takes up where a run ended, Ctrl-C included; only what the videos, the
options or the program have changed since is measured again.

\b
Exit code: 0 the scores are there, 2 trouble, or not one pair could be compared, 130 interrupted.
"""


def edits(
    folder: Annotated[
        str, typer.Argument(metavar="DIR", help="What make pairs wrote.", show_default=False)
    ],
    model: Annotated[
        str, typer.Option(metavar="NAME", help="Only measured: no model takes part.")
    ] = "measured",
    judge: Annotated[
        str, typer.Option(metavar="NAME", help="Only facts: the truth, compared by code.")
    ] = "facts",
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", metavar="N", min=1, help="This many pairs, spread evenly."),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="What chance starts from: sample, intervals.")
    ] = 0,
    out: Annotated[
        str | None, typer.Option(metavar="RUN", help="Where the run is kept; else DIR/run.")
    ] = None,
    json: Annotated[
        str | None,
        typer.Option(metavar="F|-", help="Write the scores as JSON; - prints them, alone."),
    ] = None,
    skip: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,...", help="As for diff; what is left out is not asked for."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes; else one for each core.")
    ] = None,
    misses: Annotated[
        bool, typer.Option("--misses", help="List what went wrong, with the command to see it.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no hints.")] = False,
) -> int:
    """Compare pairs whose edits are known, and score the reports."""
    from triptych.bench.edits import JUDGE, MODEL, bench_edits
    from triptych.bench.edits_misses import misses as listed
    from triptych.bench.edits_plot import plot
    from triptych.bench.edits_table import render
    from triptych.cli import streams
    from triptych.cli.scored import show
    from triptych.record.errors import UsageError, printable

    if (model, judge) != (MODEL, JUDGE):
        raise UsageError(f"bench edits takes --model {MODEL} and --judge {JUDGE} only")
    with streams.progress(quiet) as told:
        result = bench_edits(
            folder,
            out=out,
            limit=limit,
            seed=seed,
            skip=streams.names(skip) or (),
            workers=workers,
            progress=streams.counted(told),
        )
        plot(result.scores, result.out / "recall.png")

    def tables(console: Console) -> None:
        render(result.scores, console)
        for miss in listed(result.judged, folder) if misses else ():
            console.print(f"{miss.line}\n    {miss.command}", markup=False, soft_wrap=True)

    show(result.scores, json, tables)
    failed = [j for j in result.judged if j.error is not None]
    for j in failed:
        say(f"{j.id}: {j.error}")
    if not quiet:
        say(f"the run is in {printable(str(result.out))}")
    return TROUBLE if len(failed) == len(result.judged) else 0


app.command("edits", epilog=EDITS_EPILOG)(guarded(edits))
app.command("vidic", epilog=bench_vidic.EPILOG)(guarded(bench_vidic.command))
app.command("compare", epilog=bench_compare.EPILOG)(guarded(bench_compare.command))
app.command("agreement", epilog=bench_agreement.EPILOG)(guarded(bench_agreement.command))
app.command("errors", epilog=bench_errors.EPILOG)(guarded(bench_errors.command))
app.command("order", epilog=bench_order.EPILOG)(guarded(bench_order.command))
app.command("stability", epilog=bench_stability.EPILOG)(guarded(bench_stability.command))
app.command("sweep", epilog=bench_sweep.EPILOG)(guarded(bench_sweep.command))
app.command("robustness", epilog=bench_robustness.EPILOG)(guarded(bench_robustness.command))
