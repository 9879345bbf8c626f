"""The files that ``triptych diff`` is asked to write."""

from __future__ import annotations

import os
import re
import shlex
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.record.errors import UsageError

if TYPE_CHECKING:
    from triptych.cli.streams import Progress
    from triptych.media.video import Video
    from triptych.record.report import Report


@dataclass(frozen=True, slots=True)
class Outputs:
    """What to write and where; ``json == "-"`` is stdout. ``video``: moving pictures in pages."""

    html: str | None = None
    json: str | None = None
    side_by_side: str | None = None
    markers: str | None = None
    video: bool = True

    def check(self, inputs: Sequence[str], *, single: bool) -> None:
        """Refuse early what would be refused after minutes of measuring.

        ``single``: there is one pair, not several.
        """
        if not single and (self.side_by_side or self.markers):
            raise UsageError("--side-by-side and --markers take exactly two videos")
        from triptych.record.files import check_target

        files = [f for f in (self.html, self.json, self.side_by_side, self.markers) if f]
        files = [f for f in files if f is not self.json or f != "-"]
        pages: str | None = None
        if self.html and not single:
            # A folder is written as the index in it, and a page a pair in the folder beside that.
            index, folder = self.pages()
            files[0], pages = str(index), os.path.realpath(folder)
        seen: list[str] = []
        for name in files:
            where = os.path.realpath(name)
            if _is_input(name, where, inputs):
                raise UsageError(f"{name}: is one of the videos, and would be overwritten")
            if os.path.lexists(name) and any(_holds(i, where) for i in inputs):
                raise UsageError(f"{name}: is there already, in a folder that is compared")
            if where in seen:
                raise UsageError(f"{name}: is asked for twice")
            if any(_within(where, s) for s in seen) or (pages and _within(pages, where)):
                raise UsageError(f"{name}: is where the pages of --html go; name another place")
            seen.append(where)
            # The folder of an index is made when it is needed; that of a file has to be there.
            if not (pages and len(seen) == 1 and self._names_folder):
                check_target(name)

    @property
    def shows_pictures(self) -> bool:
        """Whether anything is asked for that the videos must be read again for."""
        return bool(self.html or self.side_by_side)

    def write_records(self, report: Report) -> list[str]:
        """Write what the report alone is enough for; returns the names of the files."""
        written = []
        if self.json and self.json != "-":
            from triptych.record.files import write_text
            from triptych.record.report import dumps

            write_text(self.json, dumps(report))
            written.append(self.json)
        if self.markers:
            from triptych.report.markers import write_markers

            write_markers(report, self.markers)
            written.append(self.markers)
        return written

    def write_pictures(
        self, report: Report, sources: dict[str, Video], progress: Progress | None
    ) -> list[str]:
        """Write what shows the videos themselves; returns the names of the files."""
        written = []
        if self.html:
            self.write_page(report, self.html, sources, progress)
            written.append(self.html)
        if self.side_by_side:
            from triptych.report.side_by_side import write_side_by_side

            write_side_by_side(report, self.side_by_side, progress=progress, sources=sources)
            written.append(self.side_by_side)
        return written

    def write_page(
        self,
        report: Report,
        path: str | Path,
        sources: dict[str, Video],
        progress: Progress | None,
    ) -> None:
        """Write one pair's page."""
        from triptych.report.html import write_html

        write_html(
            report, path, video=self.video, command=typed(), progress=progress, sources=sources
        )

    def pages(self) -> tuple[Path, Path]:
        """Where the index page goes, and the folder of the pages it links to."""
        index = Path(self.html or "index.html")
        if self._names_folder:
            index = index / "index.html"
        return index, index.with_name(f"{index.stem}_pages")

    def make_pages(self) -> None:
        """Make the folders of :meth:`pages`."""
        from triptych.record.files import make_folder

        make_folder(self.pages()[1])

    @property
    def _names_folder(self) -> bool:
        return Path(self.html or "").suffix.lower() not in (".html", ".htm")


def typed() -> str:
    """The command line that was given, fit to be pasted into a shell."""
    return shlex.join(["triptych", *sys.argv[1:]])


def page_name(number: int, name: str) -> str:
    """A file name for a pair's page: plain, short, and unique by its number."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:60]
    return f"{number:03d}{'-' if plain else ''}{plain}.html"


def _holds(given: str, where: str) -> bool:
    """Whether ``where``, a real path, lies in the folder or numbered pattern ``given``."""
    if given == "-":
        return False
    if os.path.isdir(given):  # noqa: PTH112 - a name that no file can have is no folder
        root = os.path.realpath(given)
    elif "%" in given:
        root = os.path.realpath(Path(given).parent)
    else:
        return False
    return _within(root, where)


def _leads_to(given: str, where: str) -> bool:
    """Whether a link somewhere in the folder ``given`` leads to ``where``, a real path."""
    return any(
        os.path.islink(path) and os.path.realpath(path) == where  # noqa: PTH114
        for folder, _, names in os.walk(given)
        for path in (os.path.join(folder, n) for n in names)  # noqa: PTH118
    )


def _within(folder: str, where: str) -> bool:
    """Whether ``where`` lies somewhere in ``folder``; both are real paths."""
    return os.path.commonpath([folder, where]) == folder


def _is_input(name: str, where: str, inputs: Sequence[str]) -> bool:
    """Whether to write ``name``, which really lies at ``where``, is to lose one of the inputs."""
    named = [i for i in inputs if i != "-"]
    if where in map(os.path.realpath, named) or any(_leads_to(i, where) for i in named):
        return True
    if "-" not in inputs:
        return False
    # The shell has opened what stands behind "<", so there is no name to compare.
    try:
        stdin, there = os.fstat(0), os.stat(name)  # noqa: PTH116
    except OSError:
        return False
    return stat.S_ISREG(stdin.st_mode) and os.path.samestat(stdin, there)
