"""``triptych bench vidic``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from triptych.cli import vidic_options as options
from triptych.cli.trouble import TROUBLE, say

EPILOG = """\
\b
Examples:
  triptych make pairs clips/*.mp4 -o pairs -n 100
  triptych bench vidic pairs --model measured --judge facts
  triptych bench vidic pairs --model scripted/blind --judge facts --out blind
  triptych bench vidic pairs --responses captions.json --judge facts
  triptych bench vidic ViDiC-1K --responses captions.json --judge openai/gpt-5-mini --out run
  triptych bench vidic ViDiC-1K --model vllm/Qwen3-VL-8B --judge openai/gpt-5-mini --preset qwen3-vl
  triptych bench vidic pairs --model google/gemini-2.5-pro --judge openai/gpt-5-mini --dry-run
  triptych bench vidic pairs --model vllm/M --judge vllm/J --temperature 0.1 --no-thinking
  triptych bench vidic --judged judged.json --json - | jq '.scores.Avg'

DATA is a folder with a checklist and its videos, or the checklist itself. Captions come from
--model, or from a response file, joined on the paths. A judged file is a checklist whose answers
were filled in; it needs no videos and no model. What gets no answer counts as wrong and is listed.
RUN (DATA/vidic-run) gets scores.json, judgments.jsonl (one line a question), captions.json and
problems.txt; bench compare holds one RUN against another.

\b
Exit code: 0 the scores are there, 2 trouble, or not one question was answered, 130 interrupted.
"""


def command(
    data: Annotated[
        str | None,
        typer.Argument(metavar="DATA", help="A set: a folder or its checklist."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A model, measured, scripted/blind or scripted/oracle."),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A model, or facts: a made set's truth, by code."),
    ] = None,
    responses: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Captions made elsewhere, in the official format."),
    ] = None,
    judged: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Score a checklist whose answers are filled in."),
    ] = None,
    limit: options.Limit = None,
    seed: options.Seed = 0,
    out: Annotated[
        str | None, typer.Option(metavar="RUN", help="Where the run is kept.", show_default=False)
    ] = None,
    json: options.Json = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would cost; nothing is sent.")
    ] = False,
    videos: options.Videos = None,
    protocol: options.Protocol = None,
    per_call: options.PerCall = 1,
    preset: options.Preset = "default",
    frames: options.Frames = None,
    fps: options.Fps = None,
    size: options.Size = None,
    whole_video: options.WholeVideo = False,
    assisted: options.Assisted = False,
    reverse: Annotated[
        bool, typer.Option("--reverse", help="Show Video B first; names stay with the videos.")
    ] = False,
    temperature: options.Temperature = None,
    top_p: options.TopP = None,
    repetition_penalty: options.RepetitionPenalty = None,
    max_tokens: options.MaxTokens = None,
    thinking: options.Thinking = None,
    budget: options.Budget = None,
    prices: options.Prices = None,
    skip: options.Skip = None,
    workers: options.Workers = None,
    published: Annotated[
        bool, typer.Option(help="Show the published table beside the run's.")
    ] = True,
    quiet: options.Quiet = False,
) -> int:
    """Score captions of what differs between two videos by a checklist (ViDiC)."""
    from triptych.bench.vidic.table import render
    from triptych.cli import streams
    from triptych.cli.scored import show
    from triptych.record.errors import UsageError, printable

    if judged is not None:
        from triptych.bench.vidic.judged import score_judged

        if data is not None or responses is not None or dry_run:
            raise UsageError("bench vidic: --judged takes no DATA, --responses or --dry-run")
        found = score_judged(
            judged, model=model or "captions judged elsewhere", judge=judge, out=out, limit=limit,
            seed=seed,
        )  # fmt: skip
    elif data is None:
        raise UsageError("bench vidic: give DATA, or --judged FILE")
    elif (model is None) == (responses is None):
        raise UsageError("bench vidic: give --model NAME or --responses FILE")
    elif judge is None:
        raise UsageError("bench vidic: give --judge MODEL, or --judge facts for a made set")
    else:
        asked = options.Asked(
            judge, preset, frames, fps, size, reverse, whole_video, assisted, temperature, top_p,
            repetition_penalty, max_tokens, thinking, protocol, per_call, budget, prices,
        )  # fmt: skip
        with streams.progress(quiet) as told:
            how: dict[str, Any] = {
                "model": model or "captions from a file", "responses": responses, "out": out,
                "limit": limit, "seed": seed, "skip": streams.names(skip) or (),
                "workers": workers, "progress": streams.counted(told),
            }  # fmt: skip
            if dry_run:
                return _told(asked, data, json, videos=videos, **how)
            found = options.run_vidic(data, asked, videos=videos, **how)
    shown = published and judge != "facts"
    show(found.scores, json, lambda console: render(found, console, published=shown))
    for problem in found.problems:
        say(f"{problem.kind}: {problem.line}")
    if found.out is not None and not quiet:
        say(f"the run is in {printable(str(found.out))}")
    if found.scores.failed == found.scores.n:
        say("not one question was answered")
        return TROUBLE
    return 0


def _told(asked: options.Asked, data: str, json: str | None, **how: Any) -> int:
    """Print what the run would take."""
    from triptych.cli import streams
    from triptych.record.errors import UsageError
    from triptych.record.files import write_text
    from triptych.record.report import json_text

    if asked.judge == "facts":
        raise UsageError("bench vidic: the judge facts makes no calls; leave --dry-run out")
    judging = asked.judging()
    from triptych.bench.vidic.estimate import estimate

    found = estimate(data, judging, how=asked.shown(), **how)
    if json:
        text = json_text(found.as_json())
        if json == "-":
            streams.write(text)
            return 0
        write_text(json, text)
    streams.write("".join(f"{line}\n" for line in found.lines()))
    return 0
