"""``triptych demo``."""

from __future__ import annotations

from typing import Annotated

import typer

EPILOG = """\
\b
Examples:
  triptych demo
  triptych demo --out /tmp/demo
"""


def command(
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="DIR", help="Where the clips and the page go.")
    ] = "demo",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> int:
    """Compare two clips at hand, to see what a report is like.

    Real clips are taken where they are found, else a pair is drawn.
    """
    from pathlib import Path

    from triptych.cli import compared, streams
    from triptych.cli.demo_clips import clips
    from triptych.cli.outputs import Outputs
    from triptych.cli.trouble import TROUBLE
    from triptych.diff.options import Options
    from triptych.record.files import make_folder

    folder = Path(out)
    make_folder(folder)
    outputs = Outputs(html=str(folder / "report.html"), json=str(folder / "report.json"))
    with streams.progress(quiet) as show:
        a, b = clips(folder)
        finish = compared.two(str(a), str(b), Options(progress=show), outputs)
    code = finish(True)
    if code == TROUBLE:
        return code
    with streams.stdout() as console:
        console.print()
        console.print(f"A: {a}\nB: {b}", markup=False, soft_wrap=True)
        page = (folder / "report.html").absolute().as_uri()
        console.print(f"The page to look at: {page}", markup=False, soft_wrap=True)
    return 0
