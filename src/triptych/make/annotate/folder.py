"""The folder of a set that was annotated: everything in it by a name within it.

::

    DIR/made.json        what was made, and by whom; its presence makes the folder ours
    DIR/checklist.json   ViDiC's format, for triptych bench vidic
    DIR/videos/          the videos, under the hash of what is in them
    DIR/questions.jsonl  what speaks for each question: a measurement, and whose drafts
    DIR/drafts.jsonl     one line a call: drafts, and the merging of them
    DIR/dropped.jsonl    each claim and each question that did not stay, and why
    DIR/left_out.jsonl   pairs without a question, and why
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from triptych.make.load import digest
from triptych.record.errors import OutputError, UsageError, printable
from triptych.record.files import atomic_path, make_folder, write_text
from triptych.record.report import json_text

SCHEMA = "triptych.checklist/1"


class Folder:
    """One folder. Opening it raises :class:`UsageError` where something else lies there."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        name, marker = printable(str(folder)), self.folder / "made.json"
        if self.folder.exists() and not self.folder.is_dir():
            raise UsageError(f"{name}: is a file; name a folder")
        try:
            empty = not self.folder.exists() or not any(self.folder.iterdir())
        except OSError as e:
            raise OutputError(f"{name}: cannot be read: {e.strerror or e}") from e
        if not empty and not _ours(marker):
            raise UsageError(f"{name}: holds something else than a checklist; name another folder")
        make_folder(self.folder / "videos")
        if empty:
            write_text(marker, json_text({"schema": SCHEMA}))

    def take(self, video: str | Path) -> str:
        """The name within the folder of ``video``, which is linked, or copied, into it.

        A hard link takes no room and leads nowhere; across file systems it is a copy. Raises a
        :class:`~triptych.record.errors.TriptychError` where it cannot be had.
        """
        source = Path(video).resolve()
        slug = re.sub(r"[^A-Za-z0-9_]+", "-", source.stem).strip("-")[:40] or "video"
        ending = source.suffix if re.fullmatch(r"\.[A-Za-z0-9]{1,8}", source.suffix) else ""
        name = f"videos/{slug}-{digest(source)[:12]}{ending}"
        target = self.folder / name
        if not target.is_file():
            try:
                os.link(source, target)
            except OSError:
                with atomic_path(target) as temporary:
                    shutil.copyfile(source, temporary)
        return name

    def write(self, name: str, rows: Iterable[dict[str, Any]]) -> None:
        """A file of one JSON object a line, whole or not at all."""
        lines = (json.dumps(row, ensure_ascii=True, allow_nan=False) + "\n" for row in rows)
        write_text(self.folder / name, "".join(lines))

    def write_checklist(self, entries: list[dict[str, Any]]) -> None:
        """The checklist; without an entry there is none, and none of an earlier run either."""
        target = self.folder / "checklist.json"
        if entries:
            write_text(target, json.dumps(entries, ensure_ascii=False, indent=1) + "\n")
        else:
            target.unlink(missing_ok=True)

    def write_summary(self, summary: dict[str, Any]) -> None:
        """What was made."""
        write_text(self.folder / "made.json", json_text({"schema": SCHEMA, **summary}))


def _ours(marker: Path) -> bool:
    try:
        found = json.loads(marker.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("schema") == SCHEMA
