"""Writing results so that a reader sees the whole of them or nothing."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from triptych.record.errors import OutputError, printable


@contextmanager
def atomic_path(target: str | Path) -> Iterator[Path]:
    """A temporary path beside ``target`` that takes its place when the block ends well.

    The temporary name keeps ``target``'s ending, so that writers which go by the ending work.
    On an error or an interrupt it is removed, and what stood at ``target`` is left as it was.
    Raises :class:`OutputError` when the folder cannot be written.
    """
    target = Path(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(
            prefix=f".{target.stem[:40]}-", suffix=target.suffix, dir=target.parent
        )
    except OSError as e:
        raise OutputError(f"{printable(str(target))}: cannot be written: {e.strerror or e}") from e
    os.close(handle)
    temporary = Path(name)
    try:
        try:
            yield temporary
            # mkstemp makes files private; a result should have the user's usual permissions.
            mask = os.umask(0)
            os.umask(mask)
            temporary.chmod(0o666 & ~mask)
            temporary.replace(target)
        except OSError as e:
            raise OutputError(
                f"{printable(str(target))}: cannot be written: {e.strerror or e}"
            ) from e
    finally:
        temporary.unlink(missing_ok=True)


def write_text(target: str | Path, text: str) -> None:
    """Write ``text`` (UTF-8) to ``target``, whole or not at all."""
    with atomic_path(target) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_bytes(target: str | Path, data: bytes) -> None:
    """Write ``data`` to ``target``, whole or not at all."""
    with atomic_path(target) as temporary:
        temporary.write_bytes(data)
