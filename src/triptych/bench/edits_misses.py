"""What a run got wrong, one by one, each with the command that shows it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from triptych.bench.edits_judge import Judged
from triptych.diff.options import NAMES
from triptych.record.errors import printable


@dataclass(frozen=True, slots=True)
class Miss:
    """``line`` tells it, ``command`` shows it.

    ``kind``: "missed", "false", "failed", or "inexact" where the alignment states another speed,
    direction or mirroring than the true one.
    """

    kind: str
    pair: str
    aspect: str | None
    line: str
    command: str


def misses(judged: Sequence[Judged], folder: str | Path) -> Iterator[Miss]:
    """Failed pairs, aspects missed, false differences, inexact alignment; pair by pair."""
    for j in judged:
        if j.error is not None:
            line = f"failed   {printable(j.id)}: {printable(j.error)}"
            yield Miss("failed", j.id, None, line, _command(j, folder, None))
            continue
        for name, outcome in j.missed.items():
            line = f"missed   {printable(j.id)}: {name} is {outcome}"
            yield Miss("missed", j.id, name, line, _command(j, folder, name))
        for name in j.false:
            line = f"false    {printable(j.id)}: {printable(name)} is different"
            yield Miss("false", j.id, name, line, _command(j, folder, name))
        for aspect, told in _inexact(j):
            line = f"inexact  {printable(j.id)}: {told}"
            yield Miss("inexact", j.id, aspect, line, _command(j, folder, aspect))


def _inexact(j: Judged) -> Iterator[tuple[str, str]]:
    if not j.direction:
        yield "playback technique: direction", "the alignment's direction is not the true one"
    if not j.mirroring:
        yield "position: mirroring", "the alignment's mirroring is not the true one"
    if j.one_speed and not j.speed.ok:
        said = "unknown" if j.speed.said is None else f"{j.speed.said:.4g}"
        yield "playback technique: speed", f"the speed is {j.speed.true:.4g}, stated is {said}"


def _command(j: Judged, folder: str | Path, aspect: str | None) -> str:
    only = ["--only", aspect] if aspect in NAMES and aspect is not None else []
    names = [str(Path(folder) / name) for name in (j.a, j.b)]
    return printable(shlex.join(["triptych", "diff", *only, "--", *names]))
