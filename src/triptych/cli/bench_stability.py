"""``triptych bench stability DATA|RUN``."""

from __future__ import annotations

from typing import Annotated

import typer

from triptych.cli import vidic_options as options

EPILOG = """\
\b
Examples:
  triptych bench stability run --judge openai/gpt-5-mini
  triptych bench stability pairs --responses captions.json --judge vllm/Qwen3-32B --times 3
  triptych bench stability pairs --model measured --judge ollama/qwen3 --out stable

The captions of RUN, a run of bench vidic, are judged N times; or those of a set DATA, which
bench vidic then runs first. Printed are the share of questions that all rounds answer alike, that
of pairs of rounds which do, Fleiss' kappa, and the spread of each score (ViDiC, section 4.2, has
five rounds). RUN gets stability.json, stability.jsonl (one line a question) and stability.png;
running again makes only the calls that are missing, so that more rounds cost only themselves.

\b
Exit code: 0 the figures are there, 2 trouble, or not one question was answered, 130 interrupted.
"""


def command(
    data: Annotated[str, typer.Argument(metavar="DATA|RUN", help="A run, or a set.")],
    judge: Annotated[
        str | None, typer.Option(metavar="NAME", help="The model that judges.")
    ] = None,
    times: Annotated[int, typer.Option(metavar="N", min=2, help="How often.")] = 5,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="For a set: who captions it.")
    ] = None,
    responses: Annotated[
        str | None, typer.Option(metavar="FILE", help="For a set: captions made elsewhere.")
    ] = None,
    limit: options.Limit = None,
    seed: options.Seed = 0,
    out: Annotated[
        str | None,
        typer.Option(metavar="RUN", help="For a set: where its run is kept.", show_default=False),
    ] = None,
    json: options.Json = None,
    videos: options.Videos = None,
    protocol: options.Protocol = None,
    preset: options.Preset = "default",
    frames: options.Frames = None,
    fps: options.Fps = None,
    size: options.Size = None,
    budget: options.Budget = None,
    prices: options.Prices = None,
    skip: options.Skip = None,
    workers: options.Workers = None,
    quiet: options.Quiet = False,
) -> int:
    """How far a judge agrees with itself about the same captions (ViDiC)."""
    from triptych.bench.vidic.finished import is_run, read_run
    from triptych.bench.vidic.stability import stability
    from triptych.bench.vidic.stability_table import render
    from triptych.cli import streams
    from triptych.cli.scored import show
    from triptych.cli.trouble import TROUBLE, say
    from triptych.record.errors import UsageError, printable

    if judge is None or judge == "facts":
        raise UsageError("bench stability: give --judge MODEL; facts always says the same")
    asked = options.Asked(
        judge, preset, frames, fps, size, protocol=protocol, budget=budget, prices=prices
    )
    judging = asked.judging()
    with streams.progress(quiet) as told:
        if is_run(data):
            if (model, responses, out, limit, videos) != (None,) * 5:
                raise UsageError("bench stability: a RUN takes no options of a set's")
            run = read_run(data)
        elif (model is None) == (responses is None):
            raise UsageError("bench stability: for a set give --model NAME or --responses FILE")
        else:
            found = options.run_vidic(
                data, asked, videos=videos, model=model or "captions from a file",
                responses=responses, out=out, limit=limit, seed=seed,
                skip=streams.names(skip) or (), workers=workers, progress=streams.counted(told),
            )  # fmt: skip
            run = read_run(str(found.out))
        stable = stability(run, judging, times=times, seed=seed, progress=streams.counted(told))
    show(stable.scores, json, lambda console: render(stable, console))
    if not quiet:
        say(f"stability.json, .jsonl and .png are in {printable(str(stable.out))}")
    if stable.scores.failed == stable.scores.n:
        say("not one question was answered")
        return TROUBLE
    return 0
