"""``triptych make checklist``."""

from __future__ import annotations

from typing import Annotated

import typer

from triptych.cli.trouble import TROUBLE, say

EPILOG = """\
\b
Examples:
  triptych make checklist a.mp4 b.mp4 -o set --model openai/gpt-5 --model google/gemini-2.5-pro
  triptych make checklist pairs -o set --model vllm/Qwen3-VL-8B --merge openai/gpt-5-mini --dry-run
  triptych make checklist pairs.csv -o set --model vllm/Qwen3-VL-8B --budget 5 -n 20
  triptych bench vidic set --model openai/gpt-5-mini --judge openai/gpt-5-mini

PAIRS is a folder with a checklist or with one list, or a list itself: JSON or CSV with
video1_path and video2_path, relative to it. Each model drafts a comparison of each pair from
frames; another merges the drafts into questions. What breaks a rule, or what a measurement
contradicts, is dropped, and is in dropped.jsonl with its reason. DIR gets checklist.json in
ViDiC's format and the videos, linked or copied. Running again makes only the calls that are
missing. People have yet to check the list: see docs/checklist.md.

\b
Exit code: 0 a checklist is there, 2 trouble, or not one question came out, 130 interrupted.
"""


def command(
    pairs: Annotated[
        list[str],
        typer.Argument(metavar="PAIRS|A B", show_default=False, help="A set of pairs, or a pair."),
    ],
    out: Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="Where the set goes.")],
    model: Annotated[
        list[str], typer.Option(metavar="NAME", help="A model that drafts. Repeatable.")
    ],
    merge: Annotated[
        str | None, typer.Option(metavar="NAME", help="The model that merges; else the first.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", "-n", metavar="N", min=1, help="This many pairs, by chance."),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="What chance starts from: the sample.")
    ] = 0,
    videos: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Where the videos are, else beside the list."),
    ] = None,
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Do not hold what is said against measurements.")
    ] = False,
    skip: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,...", help="Do not measure these; as for diff."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Processes that measure; else one for each core."),
    ] = None,
    frames: Annotated[
        int | None, typer.Option(metavar="N", help="Frames of each video for the models; else 16.")
    ] = None,
    sample_fps: Annotated[
        float | None, typer.Option(metavar="F", help="Frames a second instead.")
    ] = None,
    size: Annotated[
        str | None, typer.Option(metavar="N|WxH", help="Their longest side, or both; else 640.")
    ] = None,
    temperature: Annotated[
        float | None, typer.Option(metavar="T", help="The models' temperature.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Longest answer in tokens.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what asking would take; ask nothing.")
    ] = False,
    budget: Annotated[
        float | None, typer.Option(metavar="USD", help="Dollars that are never passed.")
    ] = None,
    prices: Annotated[
        str | None, typer.Option(metavar="F.toml", help="Prices instead of those that ship.")
    ] = None,
    cache: Annotated[
        str | None, typer.Option(metavar="DIR", help="Where calls and frames are kept.")
    ] = None,
    json: Annotated[
        str | None,
        typer.Option(metavar="F|-", help="Write the summary as JSON; - prints it, and it alone."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no hints.")] = False,
) -> int:
    """Let models draft the questions of a checklist (ViDiC), and drop what breaks a rule."""
    from pathlib import Path

    from triptych.bench.vidic.pairs import read_pairs
    from triptych.cli import streams
    from triptych.cli.asked import cache_folder, read_size
    from triptych.make.annotate.draft import Shown
    from triptych.make.annotate.run import Asking, estimate, make_checklist
    from triptych.make.annotate.told import render
    from triptych.models import Budget, Prices, Settings
    from triptych.record.errors import printable
    from triptych.record.files import write_text
    from triptych.record.report import json_text

    how = Shown(frames, sample_fps, read_size(size), Settings(temperature, max_tokens=max_tokens))
    asking = Asking(
        model, merge, cache_folder(cache), how,
        budget=Budget(budget) if budget is not None else None, prices=Prices(prices),
        only_counted=dry_run,
    )  # fmt: skip
    asking.check()
    found = read_pairs(pairs, videos=videos, limit=limit, seed=seed)
    if dry_run:
        for name, total in estimate(found, asking):
            streams.write(f"{printable(total.told(name))}\n")
        return 0
    with streams.progress(quiet) as show:

        def told(done: int, of: int, name: str) -> None:
            if show is not None:
                show(f"{done}/{of} {name}", done / max(of, 1))

        measure = None
        if not unchecked:
            from triptych.bench.reports import measurer

            # ViDiC has no class for sound.
            left = ("sound", *(streams.names(skip) or ()))
            home = asking.cache / "measured"
            measure = measurer(home, "make checklist", left, workers, told)
        made = make_checklist(found, out, asking, measure=measure, progress=told)
    text = json_text(made.summary)
    if json == "-":
        streams.write(text)
    else:
        if json:
            write_text(json, text)
        with streams.stdout() as console:
            render(made, console)
    if not quiet:
        say(f"the set is in {printable(str(Path(out)))}")
    if made.empty:
        say("not one question came out")
        return TROUBLE
    return 0
