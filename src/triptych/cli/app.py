"""The program ``triptych``: gathers the verbs and turns what happens into an exit code."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from triptych.cli import bench, demo, diff, doctor, make
from triptych.cli.trouble import guarded, need_verb, on_terminate, say

# Plain help: the coloured kind takes three times as long to show.
app = typer.Typer(name="triptych", add_completion=False, rich_markup_mode=None)

for verb, module in {"diff": diff, "doctor": doctor, "demo": demo}.items():
    app.command(verb, epilog=getattr(module, "EPILOG", None))(guarded(module.command))
app.add_typer(make.app)
app.add_typer(bench.app)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Compare videos: what is the same, what differs, and where to look.

    Measured from the files, offline and repeatable.
    """
    if version:
        from triptych import __version__

        typer.echo(f"triptych {__version__}")
        raise typer.Exit
    need_verb(context)


def main() -> None:
    """Run the command line and leave with its exit code."""
    on_terminate()
    try:
        code = app(prog_name="triptych", standalone_mode=False)
    # TyperException and click's ClickException have no base in common across typer's versions.
    except Exception as e:
        if not hasattr(e, "format_message"):
            raise
        command = getattr(getattr(e, "ctx", None), "command_path", "triptych")
        message = " ".join(e.format_message().split())
        say(f"{message} (see '{command} --help')")
        code = 2
    sys.exit(code or 0)
