"""Where things are printed: results to stdout, progress to stderr."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from triptych.record.errors import OutputError, UsageError

if TYPE_CHECKING:
    from rich.console import Console

Progress = Callable[[str, float], None]


@contextmanager
def stdout() -> Iterator[Console]:
    """A console on stdout: plain when piped. What was printed is out when the block ends.

    Raises ``BrokenPipeError`` when the reader went away and :class:`OutputError` when the output
    cannot be written otherwise, as on a full disk.
    """
    from rich.console import Console

    class Strict(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # rich would leave with 1, which means "different" here

    with _told():
        yield Strict(file=sys.stdout, highlight=False)


def write(text: str) -> None:
    """Print ``text`` as it is, in UTF-8 whatever the locale: JSON has no other encoding."""
    with _told():
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()


@contextmanager
def _told() -> Iterator[None]:
    if sys.stdout is None:  # the shell's >&-
        raise OutputError("standard output: is closed")
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _drop()
        raise
    except OSError as e:
        _drop()
        raise OutputError(f"standard output: cannot be written: {e.strerror or e}") from e


def _drop() -> None:
    """Let what is still buffered go nowhere, or Python complains of it at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def progress(quiet: bool = False) -> Iterator[Progress | None]:
    """A function that shows how far a stage is, or ``None`` where nobody would see it."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("starting", total=1.0)

        def show(stage: str, share: float) -> None:
            bar.update(task, description=stage, completed=min(max(share, 0.0), 1.0))

        yield show


def counted(told: Progress | None) -> Callable[[int, int, str], None] | None:
    """``told`` for what counts: so many done, of so many, and the name of one."""
    if told is None:
        return None
    return lambda done, of, name: told(f"{done}/{of} {name}", done / of)


def names(given: Sequence[str] | None) -> tuple[str, ...] | None:
    """The names of a repeatable option whose value may list several, with commas between."""
    if given is None:
        return None
    return tuple(n.strip() for part in given for n in part.split(",") if n.strip())


def numbers(given: Sequence[str] | None, option: str) -> list[float]:
    """The numbers of such an option; raises :class:`UsageError` for what is none."""
    out = []
    for name in names(given) or ():
        try:
            out.append(float(name))
        except ValueError as e:
            raise UsageError(f"{option}: {name!r} is no number") from e
    return out
