"""``triptych make WHAT``."""

from __future__ import annotations

from typing import Annotated

import typer

from triptych.cli import make_checklist
from triptych.cli.trouble import guarded, need_verb

app = typer.Typer(name="make", rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def _root(context: typer.Context) -> None:
    """Make data: video pairs whose truth is known, and checklists for pairs of one's own."""
    need_verb(context)


PAIRS_EPILOG = """\
\b
Examples:
  triptych make pairs clips/*.mp4 -o pairs -n 200
  triptych make pairs talk.mp4 -o pairs --edits mirror,speed

The folder gets the videos, truth.jsonl with a line for each pair, and left_out.jsonl with what
could not be made, and why. The same arguments make the same truth, byte for byte; running again
takes up where a run ended.
"""


def pairs(
    clips: Annotated[list[str], typer.Argument(metavar="CLIP...", show_default=False)],
    out: Annotated[str, typer.Option("--out", "-o", metavar="DIR", help="Where the pairs go.")],
    n: Annotated[
        int | None, typer.Option("-n", metavar="N", min=1, help="How many; else every edit once.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="What chance starts from.")] = 0,
    edits: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME,...", help="Only these edits. A wrong name lists them all."),
    ] = None,
    strengths: Annotated[
        list[str] | None, typer.Option(metavar="NAME,...", help="Only these strengths.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> int:
    """Edit clips, and write what a comparison must, may and must not say of each pair."""
    from triptych.cli import streams
    from triptych.make.pairs import make_pairs
    from triptych.record.errors import printable

    with streams.progress(quiet) as show:
        made = make_pairs(
            clips,
            out,
            n=n,
            seed=seed,
            edits=streams.names(edits),
            strengths=streams.names(strengths),
            progress=show and (lambda done, of, name: show(f"{done}/{of} {name}", done / of)),
        )
    with streams.stdout() as console:
        told = f"{len(made.pairs)} pairs ({made.made} new), {len(made.left_out)} left out: "
        console.print(told + printable(str(made.folder)), markup=False, soft_wrap=True)
    return 0


app.command("pairs", epilog=PAIRS_EPILOG)(guarded(pairs))
app.command("checklist", epilog=make_checklist.EPILOG)(guarded(make_checklist.command))
