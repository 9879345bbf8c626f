"""``triptych bench sweep``."""

from __future__ import annotations

from typing import Annotated

import typer

from triptych.cli import vidic_options as options

EPILOG = """\
\b
Examples:
  triptych bench sweep ViDiC-1K --model vllm/Qwen3-VL-8B --judge openai/gpt-5-mini
  triptych bench sweep pairs --model M --judge J --fps 1,2,4 --size 448
  triptych bench sweep pairs --model M --judge J --fps 2 --size 224,448,720 --out sizes

One of --fps and --size takes several values and varies; the other takes one, and stays. What is
left out is the paper's: 2 frames a second where sizes vary, 1280 where rates do; without either,
0.5, 1, 2 and 4 frames a second. Each value is a run of bench vidic in a folder of its own below
RUN (DATA/vidic-sweep), so that bench compare reads it; finished calls and cut frames are shared.
Every value is held against the first. RUN gets series.json, scores.json and sweep.png; running
again makes only the calls that are missing.

\b
Exit code: 0 the scores are there, 2 trouble, or not one question was answered, 130 interrupted.
"""


def command(
    data: Annotated[str, typer.Argument(metavar="DATA", help="A set: a folder or its checklist.")],
    model: Annotated[str, typer.Option(metavar="NAME", help="The model that is shown frames.")],
    judge: Annotated[str, typer.Option(metavar="NAME", help="The model that judges captions.")],
    fps: Annotated[
        list[str] | None, typer.Option(metavar="R,...", help="Frames a second; several vary.")
    ] = None,
    size: Annotated[
        list[str] | None,
        typer.Option(metavar="N|WxH,...", help="Longest side of a frame, or its size."),
    ] = None,
    limit: options.Limit = None,
    seed: options.Seed = 0,
    out: Annotated[
        str | None, typer.Option(metavar="RUN", help="Where the runs are kept.", show_default=False)
    ] = None,
    json: options.Json = None,
    videos: options.Videos = None,
    protocol: options.Protocol = None,
    preset: Annotated[
        str, typer.Option(metavar="NAME", help="How the model is sampled: a row of Table 5.")
    ] = "default",
    budget: options.Budget = None,
    prices: options.Prices = None,
    quiet: options.Quiet = False,
) -> int:
    """Vary the frames a second or the size of frames that a model is shown (ViDiC)."""
    from triptych.cli.asked import read_size
    from triptych.cli.bench_series import tell
    from triptych.cli.streams import names, numbers

    asked = options.Asked(judge, preset, protocol=protocol, budget=budget, prices=prices)
    judging = asked.judging()
    from triptych.bench.vidic.sweep import sweep

    found = sweep(
        data, judging, model=model, fps=numbers(fps, "--fps"),
        sizes=[read_size(s) for s in names(size) or ()], how=asked.shown(), videos=videos,
        out=out, limit=limit, seed=seed,
    )  # fmt: skip
    return tell(found, "sweep.png", json, quiet)
