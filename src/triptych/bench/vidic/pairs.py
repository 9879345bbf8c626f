"""Pairs of videos that have no questions yet: two files, a folder, or a list in JSON or CSV.

A list has ``video1_path`` and ``video2_path`` for each pair, as a checklist has, or ``a`` and
``b``, as the truth of made pairs has. Paths are relative to its folder and may not leave it.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from triptych.bench.vidic.load import (
    MAX_BYTES,
    clean_path,
    find_checklist,
    read_rows,
    sample,
    unsafe,
    video,
)
from triptych.bench.vidic.records import Checklist, Pair
from triptych.make.annotate.records import VideoPair
from triptych.record.errors import NotFoundError, SourceError, UnreadableError, UsageError

_NAMES = (("video1_path", "a"), ("video2_path", "b"))


def read_pairs(
    given: Sequence[str], *, videos: str | Path | None = None, limit: int | None = None,
    seed: int = 0,
) -> list[VideoPair]:  # fmt: skip
    """The pairs that ``given`` names: two videos, or one list or folder of them.

    ``limit`` of them are drawn by ``seed``, in their order. A pair that cannot be looked at has its
    reason in ``wrong``. Raises a :class:`~triptych.record.errors.TriptychError` where there are no
    pairs at all.
    """
    if len(given) == 2:
        if videos is not None:
            raise UsageError("--videos goes with a list of pairs, not with two videos")
        missing = next((g for g in given if not Path(g).is_file()), None)
        if missing is not None:
            raise NotFoundError(missing, "no such file", "give two video files")
        return [VideoPair(0, given[0], given[1])]
    if len(given) != 1:
        raise UsageError("give two videos, or one list or folder of pairs")
    path = _find(Path(given[0]))
    rows = _csv(path) if path.suffix.lower() == ".csv" else read_rows(path, "list of pairs")
    pairs = tuple(_pair(i, row) for i, row in enumerate(rows))
    if not any(p.wrong is None for p in pairs):
        raise UnreadableError(
            str(path), "names no pair of videos", "each needs video1_path and video2_path"
        )
    drawn = sample(Checklist(path=str(path), pairs=pairs, problems=()), seed, limit)
    folder = Path(videos) if videos is not None else path.parent
    return [_files(folder, p) for p in drawn.pairs]


def _find(data: Path) -> Path:
    """The list in a folder: its checklist, else the only CSV file."""
    if not data.is_dir():
        return find_checklist(data)
    lists = sorted(p for p in data.glob("*.csv") if p.is_file())
    if not (data / "checklist.json").is_file() and len(lists) == 1:
        return lists[0]
    return find_checklist(data)


def _csv(path: Path) -> list[Any]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UnreadableError(str(path), "is too large for a list of pairs")
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows: list[Any] = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as e:
        raise UnreadableError(str(path), "is no CSV in UTF-8") from e
    if not rows:
        raise UnreadableError(str(path), "holds no pair", "name the columns in the first line")
    return rows


def _pair(position: int, row: Any) -> Pair:
    row = row if isinstance(row, dict) else {}
    names = [clean_path(next((row[k] for k in keys if k in row), None)) for keys in _NAMES]
    reasons = [unsafe(n) if n else "is missing" for n in names]
    wrong = next((f"{keys[0]} {r}" for keys, r in zip(_NAMES, reasons, strict=True) if r), None)
    return Pair(position=position, index=None, a=names[0], b=names[1], questions=(), wrong=wrong)


def _files(folder: Path, pair: Pair) -> VideoPair:
    number = pair.position
    if pair.wrong is not None:
        return VideoPair(number, pair.a, pair.b, pair.wrong)
    try:
        return VideoPair(number, str(video(folder, pair.a)), str(video(folder, pair.b)))
    except SourceError as e:
        return VideoPair(number, pair.a, pair.b, str(e))
