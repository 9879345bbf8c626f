"""What a name stands for: a file, a folder of images, a numbered pattern, stdin or a URL."""

from __future__ import annotations

import os
import re
import stat
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from triptych.record.errors import ChangedError, NotFoundError, UnreadableError

_URL = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]+://")
_CHUNK = 1 << 20
_SPECIAL = (
    (stat.S_ISFIFO, "is a named pipe", "feed it by stdin instead: - < PIPE"),
    (stat.S_ISSOCK, "is a socket, not a file", ""),
    (stat.S_ISCHR, "is a device, not a file", ""),
    (stat.S_ISBLK, "is a device, not a file", ""),
)

#: Size, time of the last change in nanoseconds, and number of a file.
Stamp = tuple[int, int, int]


def stamp_of(path: str | Path) -> Stamp | None:
    """What changes when another file is put there or the file is written to; ``None``: no file."""
    try:
        s = os.stat(path)  # noqa: PTH116
    except OSError:
        return None
    return (s.st_size, s.st_mtime_ns, s.st_ino)


@dataclass
class Source:
    """A file to read. ``name`` is what the user gave, ``location`` an absolute path.

    ``temporary`` files are removed by :meth:`close`.
    """

    name: str
    location: str
    temporary: bool = False
    _stamp: Stamp | None = None

    def __post_init__(self) -> None:
        self._stamp = stamp_of(self.location)

    def check_unchanged(self) -> None:
        """Raise ChangedError when the file is not what it was when it was opened."""
        now = stamp_of(self.location)
        if now != self._stamp:
            what = "was removed" if now is None else "changed"
            raise ChangedError(self.name, f"{what} while it was being read", "try again when done")

    def head(self, size: int) -> bytes:
        """The first ``size`` bytes."""
        try:
            with Path(self.location).open("rb") as f:
                return f.read(size)
        except OSError as e:
            raise UnreadableError(self.name, f"cannot be read: {e.strerror}") from e

    def close(self) -> None:
        """Remove a temporary copy."""
        if self.temporary:
            Path(self.location).unlink(missing_ok=True)
            self.temporary = False


def resolve(
    name: str, *, allow_url: bool = False, progress: Callable[[int, int | None], None] | None = None
) -> Source | Path:
    """The file that ``name`` means, or the folder or pattern of images as a path.

    A local file comes first, whatever its name looks like; then ``-`` is stdin, and a URL is
    fetched whole if ``allow_url``. Nothing is opened that could hang. ``progress`` is told the
    bytes fetched and, where it is known, how many there are.
    """
    if "\0" in name or not name:
        raise NotFoundError(name, "is not a file name")
    path = Path(os.path.abspath(name))  # noqa: PTH100 - resolve() would follow links
    try:
        found = os.stat(path)  # noqa: PTH116
    except (FileNotFoundError, NotADirectoryError):
        return _elsewhere(name, path, allow_url, progress)
    except OSError as e:
        raise UnreadableError(name, f"cannot be read: {e.strerror}") from e
    for test, what, hint in _SPECIAL:
        if test(found.st_mode):
            raise UnreadableError(name, what, hint)
    if stat.S_ISDIR(found.st_mode):
        return path
    if found.st_size == 0:
        # Not even read: what a kernel shows as files without a size (/proc/kmsg) may wait for ever
        # for its next byte, and what was read of it is gone.
        raise UnreadableError(name, "is empty", "or has no size: if so, feed it by stdin: - < FILE")
    source = Source(name, str(path))
    if not source.head(1):
        raise UnreadableError(name, "is empty")
    return source


def _elsewhere(
    name: str,
    path: Path,
    allow_url: bool,
    progress: Callable[[int, int | None], None] | None,
) -> Source | Path:
    if name == "-":
        return _spool(getattr(sys.stdin, "buffer", None))
    if _URL.match(name):
        if not allow_url:
            raise NotFoundError(
                name, "no such file, and URLs are not fetched", "allow it with --allow-url"
            )
        from triptych.media.download import download  # loads Python's whole web client

        copy = _temporary()
        try:
            download(name, copy, progress)
            return Source(name, str(copy), temporary=True)
        except BaseException:
            copy.unlink(missing_ok=True)
            raise
    if "%" in path.name and path.parent.is_dir():
        return path
    raise NotFoundError(name, "no such file")


def _spool(stream: BinaryIO | None) -> Source:
    """All of stdin in a temporary file: many containers cannot be read without seeking."""
    if stream is None or stream.closed:
        raise UnreadableError("-", "stdin is closed")
    if stream.isatty():
        raise UnreadableError("-", "stdin is a terminal", "pipe a video into it")
    copy = _temporary()
    try:
        with copy.open("wb") as f:
            while chunk := stream.read(_CHUNK):
                f.write(chunk)
        if copy.stat().st_size == 0:
            raise UnreadableError("-", "stdin is empty")
        return Source("-", str(copy), temporary=True)
    except OSError as e:
        copy.unlink(missing_ok=True)
        raise UnreadableError("-", f"stdin cannot be kept: {e.strerror}") from e
    except BaseException:
        copy.unlink(missing_ok=True)
        raise


def _temporary() -> Path:
    handle, name = tempfile.mkstemp(prefix="triptych-")
    os.close(handle)
    return Path(name)
