"""The pairs of a made set, as the benchmark reads them."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from triptych.make.checklist import read_truth
from triptych.record.errors import UnreadableError
from triptych.record.report import Direction, Mirroring

CONTROL = "control"


class TrueAlignment(BaseModel):
    """How B's time and picture lie to A's."""

    model_config = ConfigDict(frozen=True)
    speed: float = 1.0
    direction: Direction = "forward"
    mirrored: Mirroring = "none"


class Part(BaseModel):
    """One edit of a pair."""

    model_config = ConfigDict(frozen=True)
    name: str
    parameter: Any = None


class Pair(BaseModel):
    """One line of the truth; ``a`` and ``b`` are names within the set's folder."""

    model_config = ConfigDict(frozen=True)
    id: str
    a: str
    b: str
    clip: str
    edit: str
    strength: str
    edits: tuple[Part, ...]
    must: tuple[str, ...]
    may: tuple[str, ...]
    alignment: TrueAlignment


def read_pairs(folder: str | Path) -> list[Pair]:
    """The pairs of the set in ``folder``.

    Raises a :class:`~triptych.record.errors.SourceError` where there is no such set, or where a
    line is no pair of it.
    """
    folder = Path(folder)
    truth = str(folder / "truth.jsonl")
    pairs: list[Pair] = []
    seen: set[str] = set()
    for i, row in enumerate(read_truth(folder), 1):
        try:
            pair = Pair.model_validate(row)
        except ValidationError as e:
            where = ".".join(map(str, e.errors()[0]["loc"]))
            raise UnreadableError(
                truth, f"pair {i} is not one of a made set: {where}", "make the set again"
            ) from e
        for name in (pair.a, pair.b):
            if not (folder / name).resolve().is_relative_to(folder.resolve()):
                raise UnreadableError(truth, f"pair {i} names a file outside the set")
        if pair.id in seen:
            raise UnreadableError(truth, f"pair {i} has the id of another", "make the set again")
        seen.add(pair.id)
        pairs.append(pair)
    if not pairs:
        raise UnreadableError(truth, "holds no pairs", "make the set again")
    return pairs


def sample(pairs: Sequence[Pair], n: int | None, seed: int) -> list[Pair]:
    """``n`` of the pairs, spread evenly over edits and strengths, in their order in the set."""
    if n is None or n >= len(pairs):
        return list(pairs)
    rng = np.random.default_rng(seed)
    cells: dict[tuple[str, str], deque[int]] = defaultdict(deque)
    for i in rng.permutation(len(pairs)):
        cells[pairs[i].edit, pairs[i].strength].append(int(i))
    taken: list[int] = []
    while len(taken) < n:
        for cell in cells.values():
            if cell and len(taken) < n:
                taken.append(cell.popleft())
    return [pairs[i] for i in sorted(taken)]
