"""The one error tree.

::

    TriptychError
    ├── SourceError            a file, folder, pattern, stream or URL that cannot be used
    │   ├── NotFoundError      there is nothing under that name
    │   ├── UnreadableError    it is there, but it cannot be opened or is not what it should be
    │   ├── NoPictureError     it opens, but holds no video stream or image
    │   └── ChangedError       it changed while it was being read
    ├── UsageError             options that contradict each other or are out of range
    ├── OutputError            a result could not be written
    └── MissingExtraError      an optional part is not installed

Every message says which file, what is wrong and what to do about it.
"""

from __future__ import annotations


class TriptychError(Exception):
    """Base of all errors that Triptych raises on purpose."""


class SourceError(TriptychError):
    """A video source that cannot be used.

    ``path`` is the name as the caller gave it, ``reason`` what is wrong with it, ``hint`` what
    to do; ``str()`` is one line made of the three.
    """

    def __init__(self, path: str, reason: str, hint: str = "") -> None:
        self.path = path
        self.reason = reason
        self.hint = hint
        super().__init__(f"{printable(path)}: {reason}" + (f" ({hint})" if hint else ""))


class NotFoundError(SourceError):
    """There is nothing under that name."""


class UnreadableError(SourceError):
    """The source exists but cannot be opened, or is damaged beyond use."""


class NoPictureError(SourceError):
    """The source opens but holds no moving picture."""


class ChangedError(SourceError):
    """The file changed while it was being read, so what was measured cannot be trusted."""


class UsageError(TriptychError):
    """Options that contradict each other or are out of range."""


class OutputError(TriptychError):
    """A result could not be written; nothing half-written was left behind."""


class MissingExtraError(TriptychError):
    """An optional part is needed but not installed."""

    def __init__(self, what: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{what} needs an extra: pip install 'triptych[{extra}]'")


def printable(text: str) -> str:
    """``text`` with control characters shown as escapes, so that a name cannot steer a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
