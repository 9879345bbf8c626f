"""The folder of a made set: what counts, and how work is taken up again.

::

    DIR/pairs.json      what the set was asked to be; its presence makes the folder ours
    DIR/sources/        the A sides, one for each clip
    DIR/videos/         the B sides
    DIR/truth.jsonl     one line a pair; a video without its line does not count
    DIR/left_out.jsonl  clip, edit and the reason why there is no such pair
    DIR/checklist.json  the questions about the pairs, in ViDiC's format
    DIR/run/            a benchmark's run on the set, not of our making
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from triptych.record.errors import OutputError, UsageError, printable
from triptych.record.files import make_folder, write_text

SCHEMA = "triptych.pairs/1"
_OURS = {
    *("pairs.json", "sources", "videos", "truth.jsonl", "left_out.jsonl", "checklist.json", "run")
}


def line(record: dict[str, Any]) -> str:
    """One line of JSON, keys as they stand."""
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


class Store:
    """One folder. Opening it raises :class:`UsageError` where something else lies there."""

    def __init__(self, folder: str | Path, request: dict[str, Any]) -> None:
        self.folder = Path(folder)
        self.truth = self.folder / "truth.jsonl"
        name = printable(str(folder))
        request = json.loads(json.dumps({"schema": SCHEMA, **request}))
        marker = self.folder / "pairs.json"
        if self.folder.exists() and not self.folder.is_dir():
            raise UsageError(f"{name}: is a file; name a folder")
        try:
            present = {p.name for p in self.folder.iterdir()} if self.folder.exists() else set()
        except OSError as e:
            raise OutputError(f"{name}: cannot be read: {e.strerror or e}") from e
        present = {p for p in present if not p.startswith(".")}
        if present:
            try:
                before = json.loads(marker.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                before = None
            if not isinstance(before, dict) or before.get("schema") != SCHEMA or present - _OURS:
                raise UsageError(f"{name}: holds other files; name an empty folder")
            if before != request:
                odd = [k for k in request if before.get(k) != request[k]]
                raise UsageError(
                    f"{name}: holds another set of pairs (other {', '.join(odd) or 'settings'}); "
                    "name another folder"
                )
        else:
            make_folder(self.folder)
            write_text(marker, json.dumps(request, ensure_ascii=False, indent=2) + "\n")
        for part in ("sources", "videos"):
            make_folder(self.folder / part)
        self._sweep()

    def _sweep(self) -> None:
        """Remove what a killed run left half-written: names that begin with a dot."""
        for part in (self.folder, self.folder / "videos", self.folder / "sources"):
            if part.is_dir():
                for path in part.glob(".*-*"):
                    if path.is_file() and not path.is_symlink():
                        path.unlink(missing_ok=True)

    def path(self, relative: str) -> Path:
        """Where ``relative`` (of our own making) lies."""
        return self.folder / relative

    def kept(self) -> dict[str, dict[str, Any]]:
        """Truth lines by id whose video is there; a torn or foreign line is passed over."""
        out: dict[str, dict[str, Any]] = {}
        try:
            text = self.truth.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return out
        for row in text.split("\n"):
            try:
                record = json.loads(row)
                video = self.folder / str(record["b"])
                if video.parent == self.folder / "videos" and video.is_file():
                    out[str(record["id"])] = record
            except (ValueError, KeyError, TypeError):
                continue
        return out

    def append(self, record: dict[str, Any]) -> None:
        """Add a pair whose video is in place."""
        try:
            with self.truth.open("a", encoding="utf-8") as file:
                file.write(line(record))
                file.flush()
                os.fsync(file.fileno())
        except OSError as e:
            raise OutputError(
                f"{printable(str(self.truth))}: cannot be written: {e.strerror or e}"
            ) from e

    def write(self, name: str, records: Iterable[dict[str, Any]]) -> None:
        """Write a whole file of lines at once."""
        write_text(self.folder / name, "".join(line(r) for r in records))
