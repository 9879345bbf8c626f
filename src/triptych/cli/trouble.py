"""What goes wrong, as one line on stderr and an exit code."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import ParamSpec

import typer

from triptych.record.errors import TriptychError, printable

P = ParamSpec("P")

#: Exit codes, as diff(1) has them; those above 128 are the shell's way to name a signal.
SAME, DIFFERENT, TROUBLE = 0, 1, 2
INTERRUPTED = 128 + signal.SIGINT
BROKEN_PIPE = 128 + 13  # SIGPIPE, which not every platform names


def say(message: str) -> None:
    """One line on stderr; nothing in it can steer the terminal."""
    with contextlib.suppress(OSError, ValueError):  # stderr may be closed
        print(f"triptych: {printable(message)}", file=sys.stderr, flush=True)


def unexpected(error: Exception) -> str:
    """One line about an error that nobody foresaw, and how to see more of it."""
    first = next(iter(str(error).splitlines()), "")
    if os.environ.get("TRIPTYCH_DEBUG"):
        import traceback

        traceback.print_exception(error)
    return (
        f"unexpected {type(error).__name__}{': ' if first else ''}{first} "
        "(this is a fault of triptych; set TRIPTYCH_DEBUG=1 to see the traceback)"
    )


def need_verb(context: typer.Context) -> None:
    """Show help on stderr and leave as for wrong use where a verb is missing."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(TROUBLE)


def guarded(command: Callable[P, int]) -> Callable[P, None]:
    """``command`` such that every outcome is an exit code: its own, or that of what went wrong."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        raise typer.Exit(_code(functools.partial(command, *args, **kwargs)))

    return run


def _code(command: Callable[[], int]) -> int:
    try:
        return command()
    except TriptychError as e:
        say(str(e))
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        return BROKEN_PIPE
    except Exception as e:
        say(unexpected(e))
    return TROUBLE


def on_terminate() -> None:
    """Make a polite kill leave as Ctrl-C does: with half-written and temporary files removed."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks
            signal.signal(number, _leave)


#: Until an import that the signal came into has given back its lock. Asked again at this interval,
#: as a signal that comes just before a system call that waits is only seen when that is over.
_SOON_S = 0.01


def _leave(number: int, frame: FrameType | None) -> None:
    """Raise what ends the program, now or, from within the machinery of imports, very soon.

    That machinery holds a lock of all threads over a few lines, some of which run where whatever
    is raised gets lost: the lock would stay held, and threads that import wait for ever.
    """
    if hasattr(signal, "setitimer"):
        if _importing(frame):
            signal.signal(signal.SIGALRM, lambda _, later: _leave(number, later))
            signal.setitimer(signal.ITIMER_REAL, _SOON_S, _SOON_S)
            return
        # First ignored: one under way would else raise once more, in the midst of cleaning up.
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 0.0)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(128 + number)


def _importing(frame: FrameType | None) -> bool:
    return frame is not None and frame.f_code.co_filename.startswith("<frozen importlib")
