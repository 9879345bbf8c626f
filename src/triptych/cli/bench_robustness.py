"""``triptych bench robustness``."""

from __future__ import annotations

from typing import Annotated

import typer

EPILOG = """\
\b
Examples:
  triptych bench robustness pairs --model measured --judge facts
  triptych bench robustness pairs --model M --judge J --kinds noise,blur --out noisy
  triptych bench robustness ViDiC-1K --model vllm/Qwen3-VL-8B --judge openai/gpt-5-mini

First a run on the clean videos, then one for each strength of each kind, held against it: normal
noise (sigma 15, 30, 45; seed 42), Gaussian blur (kernels 5, 9, 15), saturation (0.75, 0.5, 0.25),
the same on both videos. A model gets frames that were changed at the video's own size and then
scaled. For measured both videos are written anew, without loss, which takes room: up to 1.6 bytes a
pixel for noise. Each run has a folder of its own below RUN (DATA/vidic-robustness); RUN gets
series.json, scores.json and robustness.png. Running again takes up where a run ended.

\b
Exit code: 0 the scores are there, 2 trouble, or not one question was answered, 130 interrupted.
"""


def command(
    data: Annotated[str, typer.Argument(metavar="DATA", help="A set: a folder or its checklist.")],
    model: Annotated[str, typer.Option(metavar="NAME", help="A model, or measured.")],
    judge: Annotated[
        str, typer.Option(metavar="NAME", help="A model, or facts: a made set's truth, by code.")
    ],
    kinds: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,...", help="Of noise, blur, saturation; else all."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", metavar="N", min=1, help="This many pairs, by chance."),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="What chance starts from: sample, intervals.")
    ] = 0,
    out: Annotated[
        str | None, typer.Option(metavar="RUN", help="Where the runs are kept.", show_default=False)
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
    budget: Annotated[
        float | None, typer.Option(metavar="USD", help="Dollars that all calls may cost at most.")
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
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no hints.")] = False,
) -> int:
    """What noise, blur and pale colours on both videos cost (ViDiC)."""
    from triptych.bench.vidic.robustness import robustness
    from triptych.bench.vidic.shown import from_preset
    from triptych.cli import streams
    from triptych.cli.asked import read_size
    from triptych.cli.bench_series import tell
    from triptych.cli.bench_vidic import judging

    asked = judging(judge, protocol, 1, budget, prices) if judge != "facts" else None
    shape = read_size(size) if size is not None else None
    with streams.progress(quiet) as told:
        found = robustness(
            data, asked, model=model, kinds=streams.names(kinds),
            how=from_preset(preset, frames=frames, fps=fps, size=shape), videos=videos, out=out,
            limit=limit, seed=seed, skip=streams.names(skip) or (), workers=workers,
            progress=told and (lambda done, of, name: told(f"{done}/{of} {name}", done / of)),
        )  # fmt: skip
    return tell(found, "robustness.png", json, quiet)
