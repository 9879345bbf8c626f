"""The figures of a run on known edits.

Names are paths: ``recall/all``, ``recall/edit/blur/light``, ``recall/aspect/style: noise``,
``false/all``, ``controls/different``, ``speed/ok``. All are percentages, and the speed's errors
and widths are percent of the true speed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from triptych.bench.edits_judge import SPEED_WITHIN, Judged
from triptych.bench.statistics import figure, percentage
from triptych.make.registry import STRENGTHS
from triptych.record.scores import Score

_MADE = [s for s in STRENGTHS if s != "control"]
#: A pair, an aspect, and what the report says of it.
_Ask = tuple[Judged, str, str]


def scores(judged: Sequence[Judged], seed: int = 0) -> dict[str, Score]:
    """All figures, in a stable order. A pair that failed misses all that it must report."""
    out: dict[str, Score] = {}
    out |= _recall(judged, seed)
    out |= _unknown(judged, seed)
    out |= _false(judged, seed)
    out |= _controls(judged, seed)
    direction = ((j.clip, j.direction) for j in judged)
    mirroring = ((j.clip, j.mirroring) for j in judged)
    out["alignment/direction"] = percentage(direction, seed)
    out["alignment/mirroring"] = percentage(mirroring, seed)
    out |= _speed("speed", [j for j in judged if "speed" in j.edits], seed)
    kept = [j for j in judged if j.speed.true == 1 and j.one_speed]
    out["speed unchanged/ok"] = percentage(((j.clip, j.speed.ok) for j in kept), seed)
    return out


def _asks(judged: Iterable[Judged]) -> list[_Ask]:
    """Every aspect that must be reported different, with its pair and what became of it."""
    return [(j, name, outcome) for j in judged for name, outcome in j.must.items()]


def _shares(
    prefix: str, asks: Iterable[_Ask], label: Callable[[Judged, str], str], what: str, seed: int
) -> dict[str, Score]:
    """For each ``label``, sorted: how much of ``asks`` came out as ``what``."""
    groups: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for j, name, outcome in asks:
        groups[label(j, name)].append((j.clip, outcome == what))
    return {f"{prefix}/{k}": percentage(groups[k], seed) for k in sorted(groups)}


def _recall(judged: Sequence[Judged], seed: int) -> dict[str, Score]:
    asks, found = _asks(judged), "different"
    out = {"recall/all": percentage(((j.clip, o == found) for j, _, o in asks), seed)}
    strong = ((j.clip, o == found) for j, _, o in asks if j.strength in ("medium", "heavy"))
    out["recall/medium and heavy"] = percentage(strong, seed)
    for s in _MADE:
        rows = ((j.clip, o == found) for j, _, o in asks if j.strength == s)
        out[f"recall/strength/{s}"] = percentage(rows, seed)
    out |= _shares("recall/edit", asks, lambda j, n: j.edit, found, seed)
    out |= _shares("recall/edit", asks, lambda j, n: f"{j.edit}/{j.strength}", found, seed)
    out |= _shares("recall/dimension", asks, lambda j, n: n.partition(": ")[0], found, seed)
    return out | _shares("recall/aspect", asks, lambda j, n: n, found, seed)


def _unknown(judged: Sequence[Judged], seed: int) -> dict[str, Score]:
    """How much of what must be reported different is said to be unknown: misses that are owned.

    "absent" is what the report does not speak of at all.
    """
    asks = _asks(judged)
    out = {
        f"{what}/all": percentage(((j.clip, o == what) for j, _, o in asks), seed)
        for what in ("unknown", "absent")
    }
    return out | _shares("unknown/edit", asks, lambda j, n: j.edit, "unknown", seed)


def _false(judged: Sequence[Judged], seed: int) -> dict[str, Score]:
    """False differences among aspects that must not differ and of which the report decides.

    What it calls unknown is in neither count: that would make the share smaller.
    """
    decided = [(j, n, r) for j in judged for n, r in j.quiet.items() if r != "unknown"]
    out = {"false/all": percentage(((j.clip, r == "different") for j, _, r in decided), seed)}
    out |= _shares("false/edit", decided, lambda j, n: j.edit, "different", seed)
    out |= _shares("false/dimension", decided, lambda j, n: n.partition(": ")[0], "different", seed)
    return out | _shares("false/aspect", decided, lambda j, n: n, "different", seed)


def _controls(judged: Sequence[Judged], seed: int) -> dict[str, Score]:
    """Controls of which anything was reported different; one that failed is none that passed."""
    controls = [j for j in judged if j.control]

    def share(of: Sequence[Judged]) -> Score:
        rows = ((j.clip, bool(j.different) or j.error is not None) for j in of)
        return percentage(rows, seed)

    out = {"controls/different": share(controls)}
    for edit in sorted({j.edit for j in controls}):
        out[f"controls/{edit}"] = share([j for j in controls if j.edit == edit])
    return out


def _speed(name: str, judged: Sequence[Judged], seed: int) -> dict[str, Score]:
    """How close the stated speed is. What states none misses the shares, but has no error."""
    none = "no pair has a speed to be found"
    unstated = "no report states it"

    def numbers(get: Callable[[Judged], float | None]) -> list[tuple[str, float]]:
        return [(j.clip, x) for j in judged if (x := get(j)) is not None]

    nothing = unstated if judged else none
    errors = numbers(lambda j: j.speed.error)
    within = ((j.clip, j.speed.error is not None and j.speed.error <= SPEED_WITHIN) for j in judged)
    covered = ((j.clip, j.speed.covered) for j in judged if j.speed.covered is not None)
    widths = numbers(lambda j: j.speed.width)

    return {
        f"{name}/ok": percentage(((j.clip, j.speed.ok) for j in judged), seed, none),
        f"{name}/within 2 %": percentage(within, seed, none),
        f"{name}/error, median": figure(errors, lambda x: float(np.median(x)), seed, nothing),
        f"{name}/error, 95 %": figure(errors, lambda x: float(np.quantile(x, 0.95)), seed, nothing),
        f"{name}/interval covers": percentage(covered, seed, nothing),
        f"{name}/interval width, median": figure(
            widths, lambda x: float(np.median(x)), seed, nothing
        ),
    }
