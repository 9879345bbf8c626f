"""The videos that are compared, such that each can be read more than once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

from triptych.media.source import Source, resolve
from triptych.record.errors import ChangedError, SourceError

if TYPE_CHECKING:
    from triptych.diff.options import Options
    from triptych.media.video import Video
    from triptych.record.report import Report


class Inputs:
    """Videos by name. What comes from stdin or a URL is kept in a temporary file until the end.

    A comparison reads a video once, a page reads it again, and the first of several videos is
    read for each of the others: stdin gives it only once.
    """

    def __init__(self, names: Sequence[str], options: Options) -> None:
        self._names = names
        self._options = options
        self._kept: dict[str, str] = {}
        self._stamps: dict[str, object] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Inputs:
        with ExitStack() as stack:
            for name in self._names:
                if name in self._kept or not _passing(name):
                    continue
                found = resolve(name, allow_url=self._options.allow_url)
                if isinstance(found, Source):
                    stack.callback(found.close)
                    self._kept[name] = found.location
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def compare(self, a: str, b: str, options: Options) -> Report:
        """Compare two of them; the report and errors say the names that the user gave.

        Raises ChangedError where one is not the file that an earlier comparison read.
        """
        from triptych.diff.compare import compare

        self._check(a, b)
        with self._named():
            report = compare(self._kept.get(a, a), self._kept.get(b, b), options)
        for media, name in zip(report.videos, (a, b), strict=True):
            media.path = name
        return report

    @contextmanager
    def opened(self, a: str, b: str) -> Iterator[dict[str, Video]]:
        """Readers of two of them by their id in the report, as they were read for it.

        Raises ChangedError where one is not the file that was compared: a page would show other
        pictures than the report is about.
        """
        from triptych import media

        o = self._options
        with self._named(), ExitStack() as stack:
            opened = {
                letter: stack.enter_context(
                    media.open(self._kept.get(name, name), stream=stream, fps=o.fps, id=letter)
                )
                for letter, name, stream in (("A", a, o.stream_a), ("B", b, o.stream_b))
            }
            self._check(a, b)
            yield opened

    def location(self, name: str) -> str:
        """The file to read for ``name``. Raises ChangedError where it is not what was compared."""
        self._check(name)
        return self._kept.get(name, name)

    def _check(self, *names: str) -> None:
        from triptych.media.opening import stamps

        for name in names:
            now = stamps(self._kept.get(name, name))
            if self._stamps.setdefault(name, now) != now:
                raise ChangedError(name, "changed after it was compared", "compare again")

    @contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except SourceError as e:
            for name, location in self._kept.items():
                if e.path == location:
                    raise type(e)(name, e.reason, e.hint) from e
            raise


def _passing(name: str) -> bool:
    """Whether ``name`` can give its video only once, or only slowly."""
    return name == "-" or "://" in name
