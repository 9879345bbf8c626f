"""Perturbed copies of a set's videos, for a participant that reads files.

A folder holds the copies under the names of the set, and ``copies.json``: which video each was
made of, and how. A copy without its line does not count.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triptych.bench.reports import Progress
from triptych.bench.vidic.load import video
from triptych.bench.vidic.perturbed import Perturbation
from triptych.bench.vidic.records import Pair
from triptych.make.load import digest
from triptych.make.rewrite import rewrite
from triptych.record.errors import SourceError
from triptych.record.files import make_folder, write_text
from triptych.record.pool import run_all

#: Raise it when copies come out otherwise.
VERSION = 1


@dataclass(frozen=True, slots=True)
class _Job:
    source: Path
    target: Path
    how: Perturbation


def copy_all(
    folder: Path, pairs: Sequence[Pair], how: Perturbation, target: Path,
    workers: int | None = None, progress: Progress | None = None,
) -> list[Pair]:  # fmt: skip
    """``pairs`` with a copy of each of their videos in ``target``, made now or by an earlier run.

    A pair whose video cannot be read or copied is ``wrong``, and says why.
    """
    failed: dict[str, str] = {}
    sources: dict[str, tuple[Path, str]] = {}
    for name in dict.fromkeys(n for p in pairs if p.wrong is None for n in (p.a, p.b)):
        try:
            path = video(folder, name)
            sources[name] = (path, digest(path))
        except SourceError as e:
            failed[name] = str(e)
    make_folder(target)
    index = target / "copies.json"
    kept = _read(index)
    lines = {n: {"version": VERSION, "of": d, "how": how.name} for n, (_, d) in sources.items()}
    todo = [n for n in lines if kept.get(n) != lines[n] or not (target / n).is_file()]
    for name in todo:
        make_folder((target / name).parent)
    jobs = [_Job(sources[n][0], target / n, how) for n in todo]
    for count, done in enumerate(run_all(_copy, jobs, workers), 1):
        name = todo[done.index]
        if done.error is not None:
            failed[name] = done.error
            continue
        kept[name] = lines[name]
        write_text(index, json.dumps(kept, indent=1) + "\n")
        if progress is not None:
            progress(count, len(todo), f"copying {name}")
    reasons = [failed.get(p.a) or failed.get(p.b) for p in pairs]
    return [
        p if reason is None else p.model_copy(update={"wrong": reason})
        for p, reason in zip(pairs, reasons, strict=True)
    ]


def _copy(job: _Job) -> bool:
    """One video, in a process of its own."""
    import cv2

    cv2.setNumThreads(1)
    rewrite(job.source, job.target, job.how)
    return True


def _read(index: Path) -> dict[str, Any]:
    try:
        data = json.loads(index.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
