"""Which pairs to make: every cell of the table filled evenly, clips taking turns.

A cell is an edit at a strength, a control, or a strength of combined edits. The plan is an
endless-looking supply: what turns out to change nothing on a clip is replaced by the cell's next.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

import triptych.make.edits  # noqa: F401  (fills EDITS)
from triptych.make.eligible import COLOUR_FLOOR, MOTION_FLOOR, SOUND_FLOOR, Survey
from triptych.make.registry import EDITS, KINDS, STRENGTHS, Edit, Parameter, Strength
from triptych.record.errors import UsageError

#: Of a sample of n pairs, this share is two or three edits at once.
COMBINED_SHARE = 0.1
COMBINED = "combined"
_CAMERA = {"pan", "tilt", "zoom-over-time", "roll-over-time", "shake"}
#: Edits of which the second undoes what there is to see of the first.
_CLASHES = (
    ({"freeze", "irregular-drops"}, _CAMERA | {"noise"}),
    ({e for e in EDITS if EDITS[e].kind == "time"}, {"sound-shift"}),
)


@dataclass(frozen=True)
class Task:
    """One pair to make: which clip (by its place in the list) and which edits."""

    clip: int
    strength: Strength
    parts: tuple[tuple[str, Parameter], ...]
    turn: int = 0

    @property
    def edit(self) -> str:
        """The edit's name, or "combined"."""
        return self.parts[0][0] if len(self.parts) == 1 else COMBINED

    @property
    def name(self) -> str:
        """What is special about it, for the pair's id: safe in a file name."""
        parts = "+".join(f"{edit}-{shown(parameter)}" for edit, parameter in self.parts)
        return f"{self.strength}-{parts}" + (f"-{self.turn}" if self.turn else "")

    def rng(self, seed: int, digest: str) -> np.random.Generator:
        """Random numbers of this pair alone, the same whatever else is made."""
        return generator(seed, digest, self.name)


def shown(parameter: Parameter) -> str:
    """A parameter as a file name shows it."""
    return re.sub(
        r"[^a-z0-9.-]", "", f"{parameter:g}" if isinstance(parameter, float) else parameter
    )


def generator(seed: int, *what: str) -> np.random.Generator:
    """A generator that depends on ``seed`` and the texts only."""
    text = "\0".join([str(seed), *what]).encode()
    return np.random.default_rng(int.from_bytes(hashlib.sha256(text).digest()[:16], "big"))


def chosen(
    edits: Sequence[str] | None, strengths: Sequence[str] | None
) -> list[tuple[Edit, Strength]]:
    """Edits and strengths in a fixed order; unknown names raise :class:`UsageError`."""
    for given, known, what in (
        (edits, [*EDITS, COMBINED], "edit"),
        (strengths, STRENGTHS, "strength"),
    ):
        unknown = sorted(set(given or ()) - set(known))
        if unknown:
            raise UsageError(f"no {what} {unknown[0]!r}; there are: {', '.join(sorted(known))}")
    ordered = sorted(EDITS.values(), key=lambda e: (KINDS.index(e.kind), e.name))
    return [
        (edit, strength)
        for edit in ordered
        if edits is None or edit.name in edits
        for strength in STRENGTHS
        if strength in edit.strengths and (strengths is None or strength in strengths)
    ]


def unsuited(edit: Edit, survey: Survey) -> str | None:
    """Why ``edit`` makes no sense on that clip at all, or ``None``."""
    if "sound" in edit.needs:
        if survey.loudness is None:
            return "the clip has no sound"
        if survey.loudness < SOUND_FLOOR:
            return "the clip has only silence"
    if "motion" in edit.needs and survey.motion < MOTION_FLOOR:
        return f"too little motion: {survey.motion:.2f} levels in half a second"
    if "colour" in edit.needs and survey.colour < COLOUR_FLOOR:
        return f"hardly any colour: {survey.colour:.2f} levels from grey"
    return None


class Plan:
    """The supply of tasks. ``surveys``: what is known of each usable clip, by its place."""

    def __init__(
        self,
        surveys: dict[int, Survey],
        seed: int,
        edits: Sequence[str] | None,
        strengths: Sequence[str] | None,
    ) -> None:
        self.surveys = surveys
        self.seed = seed
        self.cells = chosen(edits, strengths)
        wanted = edits is None or COMBINED in edits
        self.levels: list[Strength] = [
            s for s in ("light", "medium", "heavy") if wanted and (not strengths or s in strengths)
        ]
        if edits is not None and COMBINED in edits and len(set(edits)) == 1:
            self.pool = chosen(None, strengths)
        else:
            self.pool = self.cells

    def everything(self) -> list[Task]:
        """Each clip with each edit, and combined edits once a clip and strength."""
        tasks = [
            Task(clip, strength, ((edit.name, parameter),))
            for edit, strength in self.cells
            for clip, survey in self.surveys.items()
            if unsuited(edit, survey) is None
            for parameter in edit.strengths[strength]
        ]
        once = len(self.surveys) * len(self.levels)
        supply = self._combined()
        return tasks + [t for t in (next(supply, None) for _ in range(once)) if t is not None]

    def supply(self) -> Iterator[Task]:
        """Tasks in the order in which a sample takes them."""
        single, combined = self._single(), self._combined()
        taken = mixed = 0
        while True:
            task = next(combined, None) if mixed < COMBINED_SHARE * (taken + 1) - 0.5 else None
            mixed += task is not None
            task = task or next(single, None)
            if task is None:
                task = next(combined, None)
                if task is None or mixed > 40 * len(self.surveys):
                    return
                mixed += 1
            taken += 1
            yield task

    def _single(self) -> Iterator[Task]:
        cells: list[tuple[Edit, Strength, tuple[Parameter, ...]]] = []
        for edit, strength in self.cells:
            values = edit.strengths[strength]
            # Each control is a cell of its own: none of them may be missed by chance.
            cells += (
                [(edit, strength, (v,)) for v in values]
                if edit.kind == "control"
                else [(edit, strength, values)]
            )
        rng = generator(self.seed, "cells")
        queues = []
        clips = list(self.surveys)
        for place, cell in enumerate(int(i) for i in rng.permutation(len(cells))):
            edit, strength, values = cells[cell]
            turn = (place + self.seed) % max(1, len(clips))
            rotated = clips[turn:] + clips[:turn]
            fit = [c for c in rotated if unsuited(edit, self.surveys[c]) is None]
            first = int(rng.integers(len(values)))
            queues.append(
                iter(
                    [
                        Task(c, strength, ((edit.name, values[(first + k + i) % len(values)]),))
                        for k in range(len(values))
                        for i, c in enumerate(fit)
                    ]
                )
            )
        while queues:
            left = []
            for queue in queues:
                task = next(queue, None)
                if task is not None:
                    left.append(queue)
                    yield task
            queues = left

    def _combined(self) -> Iterator[Task]:
        """Two or three edits of different kinds, clips and strengths taking turns."""
        clips = list(self.surveys)
        rounds = len(clips) * len(self.levels)
        for turn in range(20 * rounds):
            clip = clips[turn % len(clips)]
            level = self.levels[(turn // len(clips) + turn) % len(self.levels)]
            rng = generator(self.seed, COMBINED, str(turn))
            parts: list[tuple[str, Parameter]] = []
            kinds = rng.permutation([k for k in KINDS if k != "control"])
            for kind in kinds[: int(rng.integers(2, 4))]:
                fit = [
                    edit
                    for edit, strength in self.pool
                    if strength == level and edit.kind == kind
                    and unsuited(edit, self.surveys[clip]) is None
                    and not any(_clash(edit.name, other) for other, _ in parts)
                ]  # fmt: skip
                if fit:
                    edit = fit[int(rng.integers(len(fit)))]
                    values = edit.strengths[level]
                    parts.append((edit.name, values[int(rng.integers(len(values)))]))
            if len(parts) >= 2:
                parts.sort(key=lambda p: KINDS.index(EDITS[p[0]].kind))
                yield Task(clip, level, tuple(parts), turn)


def _clash(one: str, other: str) -> bool:
    return any(
        (one in first and other in second) or (other in first and one in second)
        for first, second in _CLASHES
    )
