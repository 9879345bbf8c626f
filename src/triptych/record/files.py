"""Writing results so that a reader sees the whole of them or nothing."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from triptych.record.errors import OutputError, printable

#: Read once, while there is one thread: the mask can only be read by setting it.
_MASK = os.umask(0o077)
os.umask(_MASK)
#: A name of something that is open already, such as ``/dev/stdout``.
_OPEN = re.compile(r"/dev/(stdin|stdout|stderr|fd/\d+)|/proc/[^/]+/fd/\d+")
_MAX_LINKS = 40


def check_target(target: str | Path) -> None:
    """Raise :class:`OutputError` where ``target`` can be told beforehand to be no place to write.

    That is: its folder is not there, or what stands under the name, links followed, is neither a
    regular file nor a character device (``/dev/null``) nor one of the standard streams.
    """
    _place(Path(target))


@contextmanager
def atomic_path(target: str | Path) -> Iterator[Path]:
    """A temporary path beside ``target`` that takes its place when the block ends well.

    The temporary name keeps ``target``'s ending, so that writers which go by the ending work.
    On an error or an interrupt it is removed, and what stood at ``target`` is left as it was.
    A link is followed: the file it points to is replaced, the link stays. Character devices and
    ``/dev/stdout`` are never replaced: the bytes go into them when the block ends well.
    Raises :class:`OutputError` as :func:`check_target` does, or when the folder cannot be written.
    """
    target = Path(target)
    place, stream = _place(target)
    try:
        handle, name = tempfile.mkstemp(
            prefix=f".{target.stem[:40]}-",
            suffix=target.suffix,
            dir=None if stream else place.parent,
        )
    except OSError as e:
        raise _failed(target, e) from e
    os.close(handle)
    temporary = Path(name)
    try:
        try:
            yield temporary
            if stream:
                _pour(temporary, place)
            else:
                # mkstemp makes files private; a result should have the user's usual permissions.
                temporary.chmod(0o666 & ~_MASK)
                temporary.replace(place)
        except BrokenPipeError:
            raise  # the reader went away, which is no fault of the output
        except OSError as e:
            raise _failed(target, e) from e
    finally:
        temporary.unlink(missing_ok=True)


def make_folder(folder: str | Path) -> None:
    """Make ``folder``, and those above it, where it is not there yet.

    For folders of results. A single file is never given a folder: a misspelt path would be made.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as e:
        raise OutputError(
            f"{printable(str(folder))}: cannot be made: {e.strerror or e} (name another folder)"
        ) from e


def write_text(target: str | Path, text: str) -> None:
    """Write ``text`` (UTF-8) to ``target``, whole or not at all."""
    with atomic_path(target) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_bytes(target: str | Path, data: bytes) -> None:
    """Write ``data`` to ``target``, whole or not at all."""
    with atomic_path(target) as temporary:
        temporary.write_bytes(data)


def _place(target: Path) -> tuple[Path, bool]:
    """Where ``target`` leads, and whether it takes bytes as a stream rather than as a file."""
    name = printable(str(target))
    try:
        place = _followed(target)
        if _OPEN.fullmatch(str(place)):
            place.stat()  # is it open at all?
            return place, True
        if not place.parent.is_dir():
            missing = printable(str(place.parent))
            there = "is not a folder" if place.parent.exists() else "does not exist"
            raise OutputError(
                f"{name}: cannot be written: {missing} {there} (make the folder first)"
            )
        mode = place.stat().st_mode
    except FileNotFoundError as e:
        if _OPEN.fullmatch(str(place)):
            raise _failed(target, e) from e
        return place, False
    except OSError as e:
        raise _failed(target, e) from e
    if stat.S_ISDIR(mode):
        raise OutputError(f"{name}: is a folder, not a regular file (name a file)")
    if not stat.S_ISREG(mode) and not stat.S_ISCHR(mode):
        raise OutputError(f"{name}: is not a regular file (name another)")
    return place, stat.S_ISCHR(mode)


def _followed(target: Path) -> Path:
    """``target`` with all links followed, but for the name of an open stream.

    Such a name is a link too, on Linux, but to "pipe:[4711]" or to a file that the shell holds
    open: to replace that file would lose what else is written to it.
    """
    place = Path(os.path.abspath(target))  # noqa: PTH100 - resolve() would follow the last link
    for _ in range(_MAX_LINKS):
        place = Path(os.path.realpath(place.parent)) / place.name
        if _OPEN.fullmatch(str(place)) or not place.is_symlink():
            return place
        # Steps up in a link count from where it lies.
        place = Path(os.path.normpath(place.parent / place.readlink()))
    raise OSError(f"{_MAX_LINKS} links, one to another")


def _pour(source: Path, stream: Path) -> None:
    # Not truncated, and at the end: standard output may be a file that others write to as well.
    with (
        source.open("rb") as read,
        os.fdopen(os.open(stream, os.O_WRONLY | os.O_APPEND), "wb") as out,
    ):
        shutil.copyfileobj(read, out)


def _failed(target: Path, error: OSError) -> OutputError:
    return OutputError(f"{printable(str(target))}: cannot be written: {error.strerror or error}")
