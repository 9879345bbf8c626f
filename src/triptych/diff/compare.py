"""The comparison: both videos are looked at, then concluded from."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from threading import Event

from triptych import media
from triptych.diff.options import Options
from triptych.diff.see import see_both
from triptych.record.aside import aside
from triptych.record.processors import processors
from triptych.record.report import Report


def compare(a: str | Path, b: str | Path, options: Options | None = None) -> Report:
    """Compare ``b`` with ``a`` and report what is the same, what differs and what is unknown.

    Raises :class:`~triptych.record.errors.SourceError` when either cannot be used.
    """
    options = options or Options()
    # Both are decoded at once, so each gets half the processors.
    threads = max(1, processors() // 2)
    with ExitStack() as stack:
        videos = [
            stack.enter_context(
                media.open(
                    str(path),
                    stream=stream,
                    fps=options.fps,
                    allow_url=options.allow_url,
                    id=name,
                    threads=threads,
                )
            )
            for name, path, stream in (("A", a, options.stream_a), ("B", b, options.stream_b))
        ]
        # Loading what concludes takes a third of a second, which decoding can hide.
        seen = see_both(videos, options, meanwhile=_load)
        from triptych.diff.conclude import conclude

        return aside(lambda left: conclude(seen[0], seen[1], _ended_by(left, options)))


def _ended_by(left: Event, options: Options) -> Options:
    """``options`` whose progress ends what tells it once ``left`` is set."""

    def progress(stage: str, share: float) -> None:
        if left.is_set():
            raise InterruptedError
        if options.progress is not None:
            options.progress(stage, share)

    return replace(options, progress=progress)


def _load() -> None:
    import_module("triptych.diff.conclude")
