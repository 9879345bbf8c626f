"""The program ``triptych``: gathers the verbs and turns what happens into an exit code."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
from typing import Annotated, NoReturn

import typer

from triptych.cli import bench, demo, diff, doctor, make
from triptych.cli.trouble import (
    BROKEN_PIPE,
    INTERRUPTED,
    TROUBLE,
    guarded,
    need_verb,
    on_terminate,
    say,
    unexpected,
)
from triptych.record.aside import left_behind
from triptych.record.errors import TriptychError

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
    # Two videos are worked on side by side already, and sums that are split among as many threads
    # as a machine has come out otherwise in their last digits. Read when numpy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Nothing that happens to be installed may change what a report is, or how long it takes.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Looking for cycles among all that was imported holds up both videos, and finds next to none.
    gc.set_threshold(50_000, 20, 20)
    try:
        code = app(prog_name="triptych", standalone_mode=False)
    # What happens before any command runs and after it, where "guarded" does not reach.
    except KeyboardInterrupt:
        code = _interrupted()
    except BrokenPipeError:
        code = BROKEN_PIPE
    except TriptychError as e:
        say(str(e))
        code = TROUBLE
    except SystemExit as e:  # a polite kill
        code = e.code
    except Exception as e:
        code = _trouble(e)
    if not left_behind():
        atexit._run_exitfuncs()
    _end(code if isinstance(code, int) else TROUBLE if code else 0)


def _end(code: int) -> NoReturn:
    """Leave without taking the interpreter apart, which takes a fifth of a second for nothing."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # it may be closed
            stream.flush()
    os._exit(code)


def _trouble(error: Exception) -> int:
    # By shape and name: the classes of typer and of click have no base in common across versions,
    # and click need not be there at all.
    if type(error).__name__ == "Abort":  # what Ctrl-C at a prompt or in a callback becomes
        return _interrupted()
    if hasattr(error, "format_message"):
        command = getattr(getattr(error, "ctx", None), "command_path", "triptych")
        say(f"{' '.join(error.format_message().split())} (see '{command} --help')")
    else:
        say(unexpected(error))
    return TROUBLE


def _interrupted() -> int:
    say("interrupted")
    return INTERRUPTED
