"""The folder of a run: what is done stays done, and is taken up by the next run.

::

    RUN/run.json      which benchmark this is; its presence makes the folder ours
    RUN/reports/      one file a pair, named by the hash of all that it depends on
    RUN/...           what the run found, written anew each time
"""

from __future__ import annotations

import functools
import hashlib
import json
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import triptych
from triptych.record.errors import OutputError, UsageError, printable
from triptych.record.files import make_folder, write_text
from triptych.record.report import Report, json_text

SCHEMA = "triptych.run/1"
#: What a measured report depends on besides its videos: our own rooms, and these packages.
_ROOMS = ("record", "media", "measure", "diff")
_PACKAGES = ("av", "numpy", "opencv-python-headless", "rapidocr", "onnxruntime", "faster-whisper")


class RunFolder:
    """One folder. Opening it raises :class:`UsageError` where something else lies there."""

    def __init__(self, folder: str | Path, bench: str) -> None:
        self.folder = Path(folder)
        name, marker = printable(str(folder)), self.folder / "run.json"
        mark = {"schema": SCHEMA, "bench": bench}
        if self.folder.exists() and not self.folder.is_dir():
            raise UsageError(f"{name}: is a file; name a folder")
        try:
            empty = not self.folder.exists() or not any(self.folder.iterdir())
        except OSError as e:
            raise OutputError(f"{name}: cannot be read: {e.strerror or e}") from e
        if empty:
            make_folder(self.folder)
            write_text(marker, json_text(mark))
            return
        try:
            before = json.loads(marker.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            before = None
        if before != mark:
            raise UsageError(f"{name}: holds something else than a run of {bench}; name another")

    def kept(self, key: str) -> tuple[Report, float] | None:
        """The report of an earlier run and the seconds it took; ``None`` where it is not whole."""
        try:
            data = json.loads(self._path(key).read_text(encoding="utf-8"))
            return Report.model_validate(data["report"]), float(data["seconds"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, key: str, report: Report, seconds: float) -> None:
        """Store a report, whole or not at all."""
        data = {
            "seconds": seconds,
            "report": report.model_dump(mode="json", by_alias=True),
        }
        make_folder(self._path(key).parent)
        write_text(self._path(key), json_text(data))

    def _path(self, key: str) -> Path:
        return self.folder / "reports" / f"{key}.json"


def key(videos: list[str], settings: dict[str, Any]) -> str:
    """The name of a result: a hash of the ``videos``' contents (as hashes), settings and code."""
    text = json.dumps([_code(), videos, settings], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@functools.cache
def _code() -> str:
    """A hash of the code that measures, so that no result outlives a change of it."""
    state = hashlib.sha256()
    home = Path(triptych.__file__).parent
    for room in _ROOMS:
        for path in sorted((home / room).rglob("*.py")):
            state.update(path.relative_to(home).as_posix().encode())
            state.update(path.read_bytes())
    for package in _PACKAGES:
        try:
            state.update(f"{package} {version(package)}\n".encode())
        except PackageNotFoundError:
            state.update(f"{package} absent\n".encode())
    return state.hexdigest()
