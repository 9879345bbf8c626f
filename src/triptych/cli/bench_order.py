"""``triptych bench order DATA``."""

from __future__ import annotations

from typing import Annotated

import typer

from triptych.cli import vidic_options as options

EPILOG = """\
\b
Examples:
  triptych bench order pairs --model vllm/Qwen3-VL-8B --judge openai/gpt-5-mini
  triptych bench order pairs --model measured --judge facts --out order
  triptych bench order pairs --model m/M --judge j/J --json - | jq .scores.Avg

Runs bench vidic twice: Video A shown before Video B, and B before A; the names stay with the
videos (ViDiC, section 4.2). Prints each score in both orders, the paired difference with its
bootstrap interval, and the share of questions that are answered otherwise. Equal calls are made
once. DIR (DATA/vidic-order) gets both runs, order.json, flips.jsonl and order.png. For measured
the order is that in which diff takes the files; participants that never look have none.

\b
Exit code: 0 the figures are there, 2 trouble, or not one question was answered, 130 interrupted.
"""


def command(
    data: Annotated[str, typer.Argument(metavar="DATA", help="A set: a folder or its checklist.")],
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A model, measured, scripted/blind or scripted/oracle."),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A model, or facts: a made set's truth, by code."),
    ] = None,
    limit: options.Limit = None,
    seed: options.Seed = 0,
    out: Annotated[
        str | None, typer.Option(metavar="DIR", help="Where both are kept.", show_default=False)
    ] = None,
    json: options.Json = None,
    videos: options.Videos = None,
    protocol: options.Protocol = None,
    per_call: options.PerCall = 1,
    preset: options.Preset = "default",
    frames: options.Frames = None,
    fps: options.Fps = None,
    size: options.Size = None,
    whole_video: options.WholeVideo = False,
    assisted: options.Assisted = False,
    temperature: options.Temperature = None,
    top_p: options.TopP = None,
    repetition_penalty: options.RepetitionPenalty = None,
    max_tokens: options.MaxTokens = None,
    thinking: options.Thinking = None,
    budget: options.Budget = None,
    prices: options.Prices = None,
    skip: options.Skip = None,
    workers: options.Workers = None,
    quiet: options.Quiet = False,
) -> int:
    """Whether it matters which video is shown first (ViDiC)."""
    from triptych.bench.vidic.order import order
    from triptych.bench.vidic.order_table import render
    from triptych.cli import streams
    from triptych.cli.scored import show
    from triptych.cli.trouble import TROUBLE, say
    from triptych.record.errors import UsageError, printable

    if model is None or judge is None:
        raise UsageError("bench order: give --model NAME and --judge NAME")
    asked = options.Asked(
        judge, preset, frames, fps, size, False, whole_video, assisted, temperature, top_p,
        repetition_penalty, max_tokens, thinking, protocol, per_call, budget, prices,
    )  # fmt: skip
    judging = None if judge == "facts" else asked.judging()
    with streams.progress(quiet) as told:
        found = order(
            data, judging, model=model, how=asked.shown(), out=out, seed=seed, videos=videos,
            limit=limit, skip=streams.names(skip) or (), workers=workers,
            progress=streams.counted(told),
        )  # fmt: skip
    show(found.scores, json, lambda console: render(found, console))
    for problem in dict.fromkeys((*found.forward.problems, *found.reverse.problems)):
        say(f"{problem.kind}: {problem.line}")
    if not quiet:
        say(f"order.json, flips.jsonl, order.png and both runs are in {printable(str(found.out))}")
    if found.scores.failed == found.scores.n:
        say("not one question was answered in both orders")
        return TROUBLE
    return 0
