"""``make pairs``: edited videos of which it is known what a comparison must, may and must not say.

Each clip gives one A side: a window of it, re-encoded once. The B sides are made from the same
decoded frames, so that nothing but the edit lies between the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from triptych.make.checklist import write_checklist
from triptych.make.clip import Clip
from triptych.make.donor import Donors
from triptych.make.eligible import Survey, need_seen, survey
from triptych.make.encode import remux, write_clip
from triptych.make.load import Window, digest, duration, load
from triptych.make.plan import Plan, Task, chosen, generator, unsuited
from triptych.make.registry import EDITS, KINDS, STRENGTHS, Context, Ineligible, Made
from triptych.make.store import Store
from triptych.make.truth import VERSION, record, settings_hash
from triptych.record.errors import SourceError, UsageError, printable
from triptych.record.processors import processors

#: Called with pairs done, pairs planned (some may turn out unfit) and the pair's id.
Progress = Callable[[int, int, str], None]


@dataclass
class Manifest:
    """What was made: ``pairs`` are the lines of the truth, ``left_out`` those of the other file.

    ``made`` pairs are new, ``kept`` ones were there from an earlier run.
    """

    folder: Path
    pairs: list[dict[str, Any]] = field(default_factory=list)
    left_out: list[dict[str, Any]] = field(default_factory=list)
    made: int = 0
    kept: int = 0


@dataclass(frozen=True)
class _Source:
    """One clip that can be used."""

    path: Path
    slug: str
    digest: str
    window: Window
    survey: Survey
    identity: dict[str, Any]


def make_pairs(
    clips: Sequence[str | Path],
    out: str | Path,
    *,
    n: int | None = None,
    seed: int = 0,
    edits: Sequence[str] | None = None,
    strengths: Sequence[str] | None = None,
    window_s: float = 12.0,
    min_s: float = 3.0,
    max_width: int | Mapping[str, int] = 640,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Manifest:
    """Make pairs from ``clips`` in the folder ``out``.

    ``n`` takes a sample of that many, spread evenly over edits and strengths with the clips
    taking turns; without it every clip gets every edit. A longer clip is cut to a window of
    ``window_s`` seconds that ``seed`` chooses; one shorter than ``min_s`` is left out.
    ``max_width`` (pixels) scales down; a mapping gives it by file name, ``"*"`` for the others.
    Running again with the same arguments takes up where a run ended. The same arguments give the
    same truth byte for byte.

    Raises :class:`UsageError` (arguments; a folder that holds something else),
    :class:`NotFoundError` (no such clip), :class:`SourceError` (not one clip can be used),
    :class:`OutputError` (disk full or not writable).
    """
    if not clips:
        raise UsageError("no clips given; name at least one video file")
    if n is not None and n < 1:
        raise UsageError(f"n is {n}; give a number of pairs of at least 1")
    if not 1 <= window_s <= 60:
        raise UsageError(f"a window of {window_s:g} s; give 1 to 60 seconds")
    cells = chosen(edits, strengths)
    paths = [Path(c) for c in clips]
    digests = [digest(p) for p in paths]
    store = Store(
        out,
        {
            "version": VERSION, "seed": seed, "n": n,
            "edits": None if edits is None else sorted(set(edits)),
            "strengths": None if strengths is None else sorted(set(strengths)),
            "window_s": window_s, "min_s": min_s,
            "max_width": max_width if isinstance(max_width, int) else dict(max_width),
            "clips": [{"name": p.name, "sha256": d} for p, d in zip(paths, digests, strict=True)],
        },
    )  # fmt: skip
    manifest = Manifest(store.folder)
    sources: dict[int, _Source] = {}
    slugs: set[str] = set()
    for i, path in enumerate(paths):
        width = (
            max_width
            if isinstance(max_width, int)
            else max_width.get(path.name, max_width.get("*", 640))
        )
        try:
            window = _window(path, digests[i], seed, window_s, width)
            sources[i] = _prepare(path, digests[i], window, min_s, seed, slugs, store)
        except SourceError as e:
            manifest.left_out.append(_left(path, None, None, None, f"{e.reason}"))
        except Ineligible as e:
            manifest.left_out.append(_left(path, None, None, None, str(e)))
    if not sources:
        reasons = manifest.left_out[0]
        raise SourceError(
            str(paths[0]), f"no clip can be used: {reasons['reason']}",
            f"give clips of {min_s:g} s and more",
        )  # fmt: skip
    for name in sorted({edit.name for edit, _ in cells}):
        for source in sources.values():
            reason = unsuited(EDITS[name], source.survey)
            if reason:
                manifest.left_out.append(_left(source.path, name, None, None, reason))
    _fill(
        _Run(store, sources, seed, manifest, workers or min(4, processors()), progress),
        Plan({i: s.survey for i, s in sources.items()}, seed, edits, strengths),
        n,
    )
    return manifest


def _window(path: Path, sha: str, seed: int, window_s: float, width: int) -> Window:
    seconds = duration(path)
    start = 0.0
    if seconds > window_s:
        start = round(float(generator(seed, "window", sha).uniform(0, seconds - window_s)), 3)
    return Window(start, window_s, width)


def _prepare(
    path: Path, sha: str, window: Window, min_s: float, seed: int, slugs: set[str], store: Store
) -> _Source:
    clip = load(path, window)
    if clip.seconds < min_s:
        raise Ineligible(f"too short: {clip.seconds:.2f} s, less than {min_s:g} s")
    slug = re.sub(r"[^A-Za-z0-9_]+", "-", path.stem).strip("-")[:40] or "clip"
    while slug.lower() in slugs:
        slug += "-2"
    slugs.add(slug.lower())
    target = store.path(f"sources/{slug}.mp4")
    if not target.exists():
        write_clip(clip, target)
    end = round(window.start_s + clip.seconds, 6)
    identity = {
        "clip": path.name, "sha256": sha, "seed": seed, "window_s": [window.start_s, end],
        "width": window.max_width,
    }  # fmt: skip
    return _Source(path, slug, sha, window, survey(clip), identity)


def _left(
    path: Path, edit: str | None, strength: str | None, parameter: Any, reason: str
) -> dict[str, Any]:
    return {
        "clip": path.name, "edit": edit, "strength": strength, "parameter": parameter,
        "reason": printable(reason),
    }  # fmt: skip


@dataclass
class _Run:
    store: Store
    sources: dict[int, _Source]
    seed: int
    manifest: Manifest
    workers: int
    progress: Progress | None
    total: int = 0

    def __post_init__(self) -> None:
        self.before = self.store.kept()
        self.donors = Donors({i: (s.path, s.window, s.survey) for i, s in self.sources.items()})

    def ident(self, task: Task) -> str:
        """The pair's id: a file name."""
        return f"{self.sources[task.clip].slug}-{task.name}"


def _fill(run: _Run, plan: Plan, n: int | None) -> None:
    """Make pairs until there are ``n``, or none is left; write the files of the set."""
    rows: dict[str, tuple[Any, dict[str, Any]]] = {}
    supply = plan.supply()
    tasks = plan.everything() if n is None else [t for _, t in zip(range(n), supply, strict=False)]
    run.total = len(tasks)
    valid = {run.ident(t) for t in tasks}
    run.store.write("truth.jsonl", (r for k, r in run.before.items() if k in valid))
    while tasks:
        for clip in sorted({t.clip for t in tasks}):
            _make_clip(run, [t for t in tasks if t.clip == clip], rows, n)
        missing = 0 if n is None else n - len(rows)
        tasks = [t for _, t in zip(range(missing), supply, strict=False)]
    manifest = run.manifest
    manifest.pairs = [rows[k][1] for k in sorted(rows, key=lambda k: rows[k][0])]
    manifest.left_out.sort(
        key=lambda r: [str(r[k]) for k in ("clip", "edit", "strength", "parameter")]
    )
    run.store.write("truth.jsonl", manifest.pairs)
    run.store.write("left_out.jsonl", manifest.left_out)
    write_checklist(run.store.folder)


def _place(task: Task) -> tuple[Any, ...]:
    edits = [(KINDS.index(EDITS[e].kind), e, str(p)) for e, p in task.parts]
    return task.clip, len(edits) > 1, edits, STRENGTHS.index(task.strength), task.turn


def _make_clip(
    run: _Run, tasks: list[Task], rows: dict[str, tuple[Any, dict[str, Any]]], n: int | None
) -> None:
    """All ``tasks`` of one clip, several at a time; the clip is decoded once, where needed."""
    source = run.sources[tasks[0].clip]
    todo: list[Task] = []
    for task in tasks:
        ident = run.ident(task)
        old = run.before.get(ident)
        if old is not None and old.get("settings") == settings_hash(task, source.identity):
            rows[ident] = (_place(task), old)
            run.manifest.kept += 1
        else:
            todo.append(task)
    if not todo:
        return
    clip = load(source.path, source.window)
    donor = None
    if any(EDITS[name].donor for t in todo for name, _ in t.parts):
        donor = run.donors.load(todo[0].clip, clip)

    def work(task: Task) -> dict[str, Any] | str:
        try:
            return _make(run, task, clip, donor)
        except Ineligible as e:
            return str(e)

    with ThreadPoolExecutor(run.workers) as pool:
        try:
            for task, result in zip(todo, pool.map(work, todo), strict=True):
                ident = run.ident(task)
                if isinstance(result, str):
                    parameter = [p for _, p in task.parts]
                    run.manifest.left_out.append(
                        _left(
                            source.path, "+".join(e for e, _ in task.parts), task.strength,
                            parameter[0] if len(parameter) == 1 else parameter, result,
                        )
                    )  # fmt: skip
                    continue
                run.store.append(result)
                rows[ident] = (_place(task), result)
                run.manifest.made += 1
                if run.progress is not None:
                    run.progress(len(rows), n or run.total, ident)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _make(run: _Run, task: Task, clip: Clip, donor: Clip | None) -> dict[str, Any]:
    """One pair: its video first, then (by the caller) its line of the truth."""
    source, ident = run.sources[task.clip], run.ident(task)
    context = Context(task.rng(run.seed, source.digest), donor)
    results: list[Made] = []
    now = clip
    for name, parameter in task.parts:
        made = EDITS[name].apply(now, parameter, context)
        if EDITS[name].kind in ("geometry", "colour", "picture", "overlay"):
            need_seen(now, made.clip, made.changed)
        results.append(made)
        now = made.clip
    encoding = next((m.encoding for m in reversed(results) if m.encoding), None)
    a = f"sources/{source.slug}.mp4"
    b = f"videos/{ident}{encoding.suffix if encoding else '.mp4'}"
    if results[-1].remux:
        remux(run.store.path(a), run.store.path(b))
    else:
        write_clip(now, run.store.path(b), encoding)
    return record(task, ident, results, source.identity, (a, b), has_sound=clip.sound is not None)
