"""``triptych bench vidic``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from triptych.cli.trouble import TROUBLE, say

if TYPE_CHECKING:
    from triptych.bench.vidic.result import Result
    from triptych.bench.vidic.run_judged import Judging

EPILOG = """\
\b
Examples:
  triptych make pairs clips/*.mp4 -o pairs -n 100
  triptych bench vidic pairs --model measured --judge facts
  triptych bench vidic pairs --model scripted/blind --judge facts --out blind
  triptych bench vidic pairs --responses captions.json --judge facts
  triptych bench vidic ViDiC-1K --responses captions.json --judge openai/gpt-5-mini --out run
  triptych bench vidic ViDiC-1K --model vllm/Qwen3-VL-8B --judge openai/gpt-5-mini --preset qwen3-vl
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
    videos: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Where the videos are, else beside the checklist."),
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Take the prompts of this official checkout."),
    ] = None,
    per_call: Annotated[
        int,
        typer.Option(metavar="N", min=1, help="Questions a judge call; above 1 is checked."),
    ] = 1,
    preset: Annotated[
        str, typer.Option(metavar="NAME", help="What the model is shown: one of Table 5's rows.")
    ] = "default",
    frames: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Frames of each video.")
    ] = None,
    fps: Annotated[float | None, typer.Option(metavar="R", help="Or frames a second.")] = None,
    size: Annotated[
        str | None, typer.Option(metavar="N|WxH", help="Longest side of a frame, or its size.")
    ] = None,
    reverse: Annotated[
        bool, typer.Option("--reverse", help="Show Video B first; names stay with the videos.")
    ] = False,
    budget: Annotated[
        float | None, typer.Option(metavar="USD", help="Dollars that calls may cost at most.")
    ] = None,
    prices: Annotated[
        str | None, typer.Option(metavar="FILE", help="Prices of models, else those that ship.")
    ] = None,
    skip: Annotated[
        list[str] | None, typer.Option(metavar="NAME,...", help="As for diff; for measured only.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Processes; else one for each core.")
    ] = None,
    published: Annotated[
        bool, typer.Option(help="Show the published table beside the run's.")
    ] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no hints.")] = False,
) -> int:
    """Score captions of what differs between two videos by a checklist (ViDiC)."""
    from triptych.bench.vidic.table import render
    from triptych.cli import streams
    from triptych.cli.scored import show
    from triptych.record.errors import UsageError, printable

    if judged is not None:
        from triptych.bench.vidic.judged import score_judged

        if data is not None or responses is not None:
            raise UsageError("bench vidic: --judged takes no DATA and no --responses")
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
    elif judge != "facts":
        found = _by_model(
            data, judge, model=model, responses=responses, videos=videos, protocol=protocol,
            per_call=per_call, preset=preset, frames=frames, fps=fps, size=size, reverse=reverse,
            budget=budget, prices=prices, out=out, limit=limit, seed=seed,
            skip=streams.names(skip) or (), workers=workers,
        )  # fmt: skip
    else:
        from triptych.bench.vidic.run import bench_local

        with streams.progress(quiet) as told:
            found = bench_local(
                data, model=model or "captions from a file", responses=responses, videos=videos,
                out=out, limit=limit, seed=seed, skip=streams.names(skip) or (), workers=workers,
                progress=told and (lambda done, of, name: told(f"{done}/{of} {name}", done / of)),
            )  # fmt: skip
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


def _by_model(
    data: str, judge: str, *, model: str | None, protocol: str | None, per_call: int,
    preset: str, frames: int | None, fps: float | None, size: str | None, reverse: bool,
    budget: float | None, prices: str | None, **how: Any,
) -> Result:  # fmt: skip
    from triptych.cli.asked import read_size

    asked = judging(judge, protocol, per_call, budget, prices)
    from triptych.bench.vidic.run_judged import bench_judged
    from triptych.bench.vidic.shown import from_preset

    shape = read_size(size) if size is not None else None
    shown = from_preset(preset, frames=frames, fps=fps, size=shape, reverse=reverse)
    return bench_judged(data, asked, model=model or "captions from a file", how=shown, **how)


def judging(
    judge: str, protocol: str | None, per_call: int, budget: float | None, prices: str | None
) -> Judging:
    """How the judge is to be asked; raises MissingExtraError where models are not installed."""
    from triptych.models import Budget, Prices
    from triptych.record.errors import MissingExtraError

    try:
        from triptych.bench.vidic.run_judged import Judging
    except ModuleNotFoundError as e:
        if (e.name or "").partition(".")[0] != "inspect_ai":
            raise
        raise MissingExtraError("a model as the judge", "models") from e
    limit = Budget(budget) if budget is not None else None
    return Judging(judge, protocol, per_call, budget=limit, prices=Prices(prices))
