"""One report held against what is true of its pair."""

from __future__ import annotations

from typing import Literal

import triptych.make.edits  # noqa: F401  (fills EDITS)
from triptych.bench.edits_pairs import CONTROL, Pair
from triptych.diff.options import Options
from triptych.make.registry import EDITS
from triptych.record.report import ASPECTS, Alignment, Mirroring, Number, Record, Relation, Report

#: What became of an aspect that must be reported different. "absent": the report does not speak
#: of it; "failed": there is no report. All but "different" are misses.
Outcome = Literal["different", "same", "unknown", "absent", "failed"]

#: What the speed is held to, in percent: exact within this, or inside an interval this narrow.
SPEED_WITHIN = 2.0
SPEED_INTERVAL = 5.0
#: Edits of time that leave one speed for the whole of the clip.
_ONE_SPEED = {"speed", "reversal"}


class Speed(Record):
    """A speed that was to be found. ``error`` and ``width`` (the wider side) are in percent.

    They are ``None`` where the report states no speed, or no interval.
    """

    true: Number
    said: Number | None = None
    error: Number | None = None
    width: Number | None = None
    covered: bool | None = None
    ok: bool = False


class Judged(Record):
    """What one report got right.

    ``must`` and ``quiet`` go by ``"dimension: aspect"``; ``quiet`` holds what the report says of
    aspects that must not differ. ``direction`` and ``mirroring``: whether the alignment has them
    right. ``different``: what was reported different, whether it may be or not.
    """

    id: str
    clip: str
    edit: str
    strength: str
    a: str
    b: str
    edits: list[str]
    error: str | None = None
    seconds: Number = 0.0
    must: dict[str, Outcome]
    quiet: dict[str, Relation]
    different: list[str]
    direction: bool = False
    mirroring: bool = False
    speed: Speed

    @property
    def control(self) -> bool:
        """Whether nothing at all may differ."""
        return self.strength == CONTROL

    @property
    def one_speed(self) -> bool:
        """Whether one speed holds for all of the pair, so that it can be right or wrong."""
        kinds = {name: EDITS[name].kind for name in self.edits if name in EDITS}
        return all(kind != "time" or name in _ONE_SPEED for name, kind in kinds.items())

    @property
    def false(self) -> list[str]:
        """Aspects that were reported different and must not be."""
        return [name for name, relation in self.quiet.items() if relation == "different"]

    @property
    def missed(self) -> dict[str, Outcome]:
        """Aspects that must be reported different and were not."""
        return {name: outcome for name, outcome in self.must.items() if outcome != "different"}


def judge(
    pair: Pair, report: Report | None, options: Options, error: str | None, seconds: float
) -> Judged:
    """Hold ``report`` (``None``: there is none, see ``error``) against ``pair``.

    Aspects that ``options`` leave out are not asked for.
    """
    said = _said(report) if report is not None else {}
    must = [name for name in pair.must if options.wants(*_split(name))]
    open_to = {*pair.must, *pair.may}
    # One that did not match states nothing, whatever its fields hold.
    alignment = report.alignment if report is not None and report.alignment.matched else None
    outcomes: dict[str, Outcome] = {}
    for name in must:
        outcomes[name] = "failed" if report is None else said.get(name, "absent")
    return Judged(
        id=pair.id, clip=pair.clip, edit=pair.edit, strength=pair.strength, a=pair.a, b=pair.b,
        edits=[part.name for part in pair.edits], error=error, seconds=seconds,
        must=outcomes,
        quiet={name: relation for name, relation in said.items() if name not in open_to},
        different=[name for name, relation in said.items() if relation == "different"],
        direction=alignment is not None and alignment.direction == pair.alignment.direction,
        mirroring=alignment is not None and _mirrored(alignment, pair.alignment.mirrored),
        speed=_speed(alignment, pair.alignment.speed),
    )  # fmt: skip


def _split(name: str) -> tuple[str, str]:
    dimension, _, aspect = name.partition(": ")
    return dimension, aspect


def _said(report: Report) -> dict[str, Relation]:
    """What the report says of each aspect it speaks of, in the order of the report's aspects.

    Several findings on one aspect: different if one is, else unknown if one is.
    """
    rank = {"same": 0, "unknown": 1, "different": 2}
    said: dict[str, Relation] = {}
    for finding in report.findings:
        name = f"{finding.dimension}: {finding.aspect}"
        if name not in said or rank[finding.relation] > rank[said[name]]:
            said[name] = finding.relation
    order = {f"{d}: {aspect}": i for i, (d, aspect) in enumerate(
        (d, aspect) for d, aspects in ASPECTS.items() for aspect in aspects)}  # fmt: skip
    return {name: said[name] for name in sorted(said, key=lambda n: (order.get(n, 99), n))}


def _mirrored(alignment: Alignment, true: Mirroring) -> bool:
    """Mirrored across one axis is mirrored across the other and turned by 180 degrees."""
    if alignment.mirrored == true:
        return True
    turned = abs(alignment.rotation_deg or 0.0) > 135
    return turned and "none" not in (alignment.mirrored, true)


def _speed(alignment: Alignment | None, true: float) -> Speed:
    if alignment is None:
        return Speed(true=true)
    said, error, width, covered = alignment.speed, None, None, None
    if said is not None:
        error = round(100 * abs(said / true - 1), 6)  # 0.51 of 0.5 is 2 %, not a hair more
    if alignment.speed_interval is not None:
        low, high = alignment.speed_interval
        middle = said or (low + high) / 2
        covered = low <= true <= high
        width = 100 * max(high / middle - 1, 1 - low / middle) if middle > 0 else None
    close = error is not None and error <= SPEED_WITHIN
    inside = bool(covered) and width is not None and width <= SPEED_INTERVAL
    return Speed(
        true=true, said=said, error=error, width=width, covered=covered, ok=close or inside
    )
