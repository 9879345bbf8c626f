"""``triptych bench robustness``."""

from __future__ import annotations

from typing import Annotated

import typer

from triptych.cli import vidic_options as options

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
    limit: options.Limit = None,
    seed: options.Seed = 0,
    out: Annotated[
        str | None, typer.Option(metavar="RUN", help="Where the runs are kept.", show_default=False)
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
    """What noise, blur and pale colours on both videos cost (ViDiC)."""
    from triptych.bench.vidic.robustness import robustness
    from triptych.cli import streams
    from triptych.cli.bench_series import tell

    asked = options.Asked(
        judge, preset, frames, fps, size, protocol=protocol, budget=budget, prices=prices
    )
    with streams.progress(quiet) as told:
        found = robustness(
            data, asked.judging() if judge != "facts" else None, model=model,
            kinds=streams.names(kinds),
            how=asked.shown(), videos=videos, out=out,
            limit=limit, seed=seed, skip=streams.names(skip) or (), workers=workers,
            progress=streams.counted(told),
        )  # fmt: skip
    return tell(found, "robustness.png", json, quiet)
