"""``triptych bench errors RUN``."""

from __future__ import annotations

from typing import Annotated

import typer

EPILOG = """\
\b
Examples:
  triptych bench errors run --judge openai/gpt-5-mini
  triptych bench errors --judged judged.json --responses captions.json --judge vllm/Qwen3-32B
  triptych bench errors run --judge scripted/kinds.json --json - | jq '.scores["missed detection"]'

For each question that RUN, a run of bench vidic, answered wrongly, the judge is given caption,
question and right answer, and names one of five kinds: hallucination, missed detection,
self-contradiction, vague, reasoning error (ViDiC, appendix G.5). What cannot be read, and questions
without an answer, are counted as kinds of their own. RUN gets errors.json, errors.jsonl (one line
an error) and errors.png; running again makes only the calls that are missing.

\b
Exit code: 0 the figures are there, 2 trouble, or not one error could be sorted, 130 interrupted.
"""


def command(
    run: Annotated[
        str | None, typer.Argument(metavar="RUN", help="A run of bench vidic.", show_default=False)
    ] = None,
    judge: Annotated[
        str | None, typer.Option(metavar="NAME", help="The model that sorts the errors.")
    ] = None,
    judged: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Instead of RUN: a checklist whose answers are there."),
    ] = None,
    responses: Annotated[
        str | None, typer.Option(metavar="FILE", help="With --judged: the captions it is about.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", metavar="N", min=1, help="The first N pairs only."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="What chance starts from.")] = 0,
    out: Annotated[
        str | None, typer.Option(metavar="DIR", help="Where it is kept, else in RUN.")
    ] = None,
    json: Annotated[
        str | None,
        typer.Option(metavar="F|-", help="Write the figures as JSON; - prints them, alone."),
    ] = None,
    examples: Annotated[
        int, typer.Option(metavar="N", min=0, help="Errors of each kind that are listed.")
    ] = 1,
    budget: Annotated[
        float | None, typer.Option(metavar="USD", help="Dollars that calls may cost at most.")
    ] = None,
    prices: Annotated[
        str | None, typer.Option(metavar="FILE", help="Prices of models, else those that ship.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no hints.")] = False,
) -> int:
    """Sort the wrong answers of a run into kinds of error (ViDiC)."""
    from triptych.bench.vidic.errors import analyse, folder_for
    from triptych.bench.vidic.errors_table import render
    from triptych.bench.vidic.finished import read_judged, read_run
    from triptych.cli import streams
    from triptych.cli.scored import show
    from triptych.cli.trouble import TROUBLE, say
    from triptych.models import Budget, Prices, endpoint
    from triptych.record.errors import UsageError, printable

    if judge is None:
        raise UsageError("bench errors: give --judge MODEL, which sorts the errors")
    if run is not None and judged is None and responses is None:
        finished = read_run(run)
    elif run is None and judged is not None and responses is not None:
        finished = read_judged(judged, responses)
    else:
        raise UsageError("bench errors: give RUN, or --judged FILE with --responses FILE")
    kept = folder_for(finished, out, judged or "")
    end = endpoint(
        judge, "judge", calls=kept.folder / "calls", prices=Prices(prices),
        budget=Budget(budget) if budget is not None else None,
    )  # fmt: skip
    with streams.progress(quiet) as told:
        found = analyse(
            finished, end, kept, seed=seed, limit=limit,
            progress=streams.counted(told),
        )  # fmt: skip
    show(found.scores, json, lambda console: render(found, console, examples))
    for problem in finished.problems:
        say(f"{problem.kind}: {problem.line}")
    if not quiet:
        say(f"errors.json, errors.jsonl and errors.png are in {printable(str(found.out))}")
    if found.errors and found.scores.failed == found.scores.n:
        say("not one error could be sorted")
        return TROUBLE
    return 0
