"""Compare videos, ask questions across them, rebuild filmed scenes: measured first.

::

    import triptych

    report = triptych.diff("before.mp4", "after.mp4", skip=["text", "speech"])
    print(report.verdict)

Everything public is named here; what is not may change. Importing the package is cheap: each name
is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triptych.diff import diff as diff
    from triptych.media import open as open  # noqa: A004
    from triptych.record.errors import (
        ChangedError as ChangedError,
    )
    from triptych.record.errors import (
        MissingExtraError as MissingExtraError,
    )
    from triptych.record.errors import (
        NoPictureError as NoPictureError,
    )
    from triptych.record.errors import (
        NotFoundError as NotFoundError,
    )
    from triptych.record.errors import (
        OutputError as OutputError,
    )
    from triptych.record.errors import (
        SourceError as SourceError,
    )
    from triptych.record.errors import (
        TriptychError as TriptychError,
    )
    from triptych.record.errors import (
        UnreadableError as UnreadableError,
    )
    from triptych.record.errors import (
        UsageError as UsageError,
    )
    from triptych.record.report import Finding as Finding
    from triptych.record.report import Report as Report

    __version__: str

_HOME = {
    "open": "triptych.media",
    "Finding": "triptych.record.report",
    "Report": "triptych.record.report",
    "ChangedError": "triptych.record.errors",
    "MissingExtraError": "triptych.record.errors",
    "NoPictureError": "triptych.record.errors",
    "NotFoundError": "triptych.record.errors",
    "OutputError": "triptych.record.errors",
    "SourceError": "triptych.record.errors",
    "TriptychError": "triptych.record.errors",
    "UnreadableError": "triptych.record.errors",
    "UsageError": "triptych.record.errors",
}

__all__ = [
    "ChangedError",
    "Finding",
    "MissingExtraError",
    "NoPictureError",
    "NotFoundError",
    "OutputError",
    "Report",
    "SourceError",
    "TriptychError",
    "UnreadableError",
    "UsageError",
    "__version__",
    "diff",
    "open",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "diff":  # a package that can be called: see its last lines
        return import_module("triptych.diff")
    if name == "__version__":
        from importlib.metadata import version

        return version("triptych")
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'triptych' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
