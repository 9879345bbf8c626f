"""Comparing two videos: findings from measurements.

The package itself can be called: ``triptych.diff(a, b)`` is :func:`diff`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triptych.record.report import Report


def diff(
    a: str | Path,
    b: str | Path,
    *,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
    lang: str | None = None,
    offset_s: float | None = None,
    stream_a: int | None = None,
    stream_b: int | None = None,
    fps: float | None = None,
    allow_url: bool = False,
    progress: Callable[[str, float], None] | None = None,
) -> Report:
    """Compare video ``b`` with video ``a``; each is a file, a folder or pattern of images, or "-".

    ``only`` and ``skip`` name dimensions, aspects, or the slow measurers ``text``, ``speech`` and
    ``people``. ``lang`` is the language of text and speech (ISO 639-1). ``offset_s``: where A's
    first moment lies in B, in seconds, if it is known. ``stream_a`` and ``stream_b`` choose a
    video stream, ``fps`` is the rate of image sequences. ``progress`` is called with the name of
    a stage and the share of it that is done, 0 to 1.

    Raises :class:`triptych.SourceError` where a video cannot be used, :class:`triptych.UsageError`
    where the options make no sense.
    """
    for name, given in (("only", only), ("skip", skip)):
        if isinstance(given, str):  # or each letter would be taken for a name
            raise TypeError(f"{name} takes a list of names, not one string")
    from triptych.diff.compare import compare
    from triptych.diff.options import Options

    options = Options(
        only=tuple(only),
        skip=tuple(skip),
        lang=lang,
        offset_s=offset_s,
        stream_a=stream_a,
        stream_b=stream_b,
        fps=fps,
        allow_url=allow_url,
        progress=progress,
    )
    return compare(a, b, options)


class _Room(ModuleType):
    """A module that can be called.

    Importing any ``triptych.diff.x`` binds this package to the name ``triptych.diff``, over any
    function that had it. So the package is the function, whatever was imported first.
    """

    __call__ = staticmethod(diff)


sys.modules[__name__].__class__ = _Room
