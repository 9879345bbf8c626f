"""What the calls of a run took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from triptych.record.report import Number, Record


class Spent(Record):
    """``calls``, ``stored`` of them made before, and the ``pictures`` shown to the model.

    ``input`` and ``output`` are tokens as endpoints count them, ``cost`` is in US dollars, both of
    all calls, stored ones too; ``None`` where an endpoint or the table of prices does not say.
    ``largest`` is the largest picture, (width, height) in pixels.
    """

    calls: int = 0
    stored: int = 0
    pictures: int = 0
    input: int | None = None
    output: int | None = None
    cost: Number | None = None
    largest: tuple[int, int] | None = None


def spent(calls: Iterable[Mapping[str, Any]]) -> Spent:
    """The sums over ``calls``, each a reply as a log holds it."""
    calls = list(calls)
    sent = [s for c in calls for s in c.get("sent") or ()]
    sizes = [(int(s["width"]), int(s["height"])) for s in sent]
    usages = [c.get("usage") for c in calls]
    return Spent(
        calls=len(calls), stored=sum(bool(c.get("stored")) for c in calls), pictures=len(sent),
        input=_sum([u and u["input"] for u in usages]),
        output=_sum([u and u["output"] for u in usages]),
        cost=_sum([c.get("cost") for c in calls]),
        largest=max(sizes, key=lambda s: s[0] * s[1], default=None),
    )  # fmt: skip


def _sum(given: list[Any]) -> Any:
    """The sum, or ``None`` where one of them is not known or there are none."""
    return None if not given or any(x is None for x in given) else sum(given)
