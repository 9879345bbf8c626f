"""``triptych diff``."""

from __future__ import annotations

import textwrap
from typing import Annotated

import typer

from triptych.diff.options import NAMES as _NAMES
from triptych.diff.options import SLOW, names_by_dimension
from triptych.record.errors import UnreadableError, UsageError


def _names() -> str:
    slow = f"slow measurers ({', '.join(s for s in SLOW if s in _NAMES)})"
    lines = [textwrap.wrap(n, 76, subsequent_indent="  ") for n in (*names_by_dimension(), slow)]
    return "\n".join(f"  {line}" for wrapped in lines for line in wrapped)


EPILOG = f"""\
\b
Examples:
  triptych diff before.mp4 after.mp4
  triptych diff before.mp4 after.mp4 --html report.html
  triptych diff master.mov web.webm --skip text,speech --json -
  triptych diff take1.mp4 take2.mp4 take3.mp4 --html takes.html
  triptych diff renders/old renders/new --html compared/
  curl ... | triptych diff - local.mp4
  triptych diff a.mp4 b.mp4 --model openai/gpt-5-mini --dry-run
  triptych diff a.mp4 b.mp4 --model vllm/MODEL@http://HOST:8000/v1 --repair
  triptych diff -- -starts-with-a-dash.mp4 other.mp4

\b
Names for --only and --skip, aspects under their dimension:
{_names()}
  An aspect that stands under two is written "motion: direction".

What a model says is checked against what was measured; docs/models.md tells
how models are named, and what is kept.

\b
Exit code: 0 no difference found, 1 different, 2 trouble (one line on stderr),
130 interrupted. What is unknown counts as no difference: of two folders, a
pair that is "unknown" leaves it at 0. Files of the same bytes are "same".
"""


def command(
    videos: Annotated[
        list[str],
        typer.Argument(
            metavar="A B [C...]",
            show_default=False,
            help="Video files, folders or patterns of numbered images, or - for stdin. Three and "
            "more are compared each with the first; two folders file by file.",
        ),
    ],
    html: Annotated[
        str | None,
        typer.Option(
            metavar="F",
            help="Write a self-contained page. For folders or more than two videos an index and "
            "a page for each pair; F may be a folder then.",
        ),
    ] = None,
    json: Annotated[
        str | None,
        typer.Option(metavar="F|-", help="Write the report as JSON; - prints it, and it alone."),
    ] = None,
    no_video: Annotated[
        bool, typer.Option("--no-video", help="Leave the moving pictures out of the page.")
    ] = False,
    side_by_side: Annotated[
        str | None,
        typer.Option(
            metavar="F.mp4", help="Write both videos aligned side by side, differences boxed."
        ),
    ] = None,
    markers: Annotated[
        str | None,
        typer.Option(metavar="F.csv", help="Write the times of differences, for an editor."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME,...",
            help="Measure only these: dimensions, aspects, text, speech, people; see below.",
        ),
    ] = None,
    skip: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,...", help="Leave these out. Repeatable."),
    ] = None,
    lang: Annotated[
        str | None,
        typer.Option(metavar="xx", help="Language of text and speech; else it is found out."),
    ] = None,
    offset: Annotated[
        float | None,
        typer.Option(metavar="S", help="A's first moment lies S seconds into B: do not search."),
    ] = None,
    stream: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Which video stream of A.")
    ] = None,
    stream_b: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Which video stream of the others.")
    ] = None,
    fps: Annotated[
        float | None, typer.Option(metavar="F", help="Frames a second of numbered images.")
    ] = None,
    allow_url: Annotated[
        bool, typer.Option("--allow-url", help="Take names with :// for URLs and fetch them.")
    ] = False,
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Let this model describe differences too; see below."),
    ] = None,
    frames: Annotated[
        int | None, typer.Option(metavar="N", help="Frames of each video for the model; else 16.")
    ] = None,
    sample_fps: Annotated[
        float | None, typer.Option(metavar="F", help="Frames a second for the model instead.")
    ] = None,
    size: Annotated[
        str | None, typer.Option(metavar="N|WxH", help="Their longest side, or both; else 640.")
    ] = None,
    whole_video: Annotated[
        bool, typer.Option("--whole-video", help="Send the files themselves, not frames.")
    ] = False,
    unaided: Annotated[
        bool, typer.Option("--unaided", help="Uniform frames, and no measured facts.")
    ] = False,
    check_order: Annotated[
        bool, typer.Option("--check-order", help="Ask again with the videos swapped.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="One chance to correct what is at odds.")
    ] = False,
    temperature: Annotated[
        float | None, typer.Option(metavar="T", help="The model's temperature.")
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
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no hints.")] = False,
) -> int:
    """Compare videos: what is the same, what differs, and where to look."""
    from triptych.cli import compared
    from triptych.cli.asked import Asked
    from triptych.cli.outputs import Outputs
    from triptych.cli.streams import names, progress
    from triptych.diff.folders import LOOKED_FOR, holds_videos, is_folder_of_videos
    from triptych.diff.options import Options

    if len(videos) < 2:
        raise UsageError("diff takes two videos or more (see 'triptych diff --help')")
    if videos.count("-") > 1:
        raise UsageError("-: stdin can only be read once")
    outputs = Outputs(
        html=html, json=json, side_by_side=side_by_side, markers=markers, video=not no_video
    )
    folders = [v for v in videos if is_folder_of_videos(v)]
    if folders and (len(folders) < len(videos) or len(videos) > 2):
        empty = next((f for f in folders if not holds_videos(f)), None)
        if empty is not None:
            raise UnreadableError(empty, "no video in it", LOOKED_FOR)
        raise UsageError(f"{folders[0]}: folders of videos are compared two at a time")
    single = len(videos) == 2 and not folders
    outputs.check(videos, single=single)
    asked: Asked | None = None
    if model is not None:
        if not single or stream is not None or stream_b is not None or fps is not None:
            raise UsageError("--model takes exactly two videos, without --stream and --fps")
        asked = Asked(
            model,
            frames=frames,
            sample_fps=sample_fps,
            size=size,
            whole_video=whole_video,
            unaided=unaided,
            check_order=check_order,
            repair=repair,
            temperature=temperature,
            max_tokens=max_tokens,
            dry_run=dry_run,
            budget=budget,
            prices=prices,
            cache=cache,
        )
        asked.check()
    elif dry_run or unaided or check_order or repair or whole_video:
        raise UsageError(
            "--dry-run, --unaided, --check-order, --repair and --whole-video need a --model"
        )
    with progress(quiet) as show:
        options = Options(
            only=names(only) or (),
            skip=names(skip) or (),
            lang=lang,
            offset_s=offset,
            stream_a=stream,
            stream_b=stream_b,
            fps=fps,
            allow_url=allow_url,
            progress=show,
        )
        if folders:
            finish = compared.folders(videos[0], videos[1], options, outputs)
        elif len(videos) > 2:
            finish = compared.several(videos, options, outputs)
        else:
            finish = compared.two(videos[0], videos[1], options, outputs, asked)
    return finish(quiet)
