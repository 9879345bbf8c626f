"""The result of ``make checklist`` in a few lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from triptych.make.annotate.result import Result
from triptych.record.errors import printable

#: Pairs without a question that are told one by one.
LISTED = 10
_STAGES = {"draft": "drafted statements", "merge": "questions"}


def render(found: Result, console: Console) -> None:
    """Print what was made, what was dropped for which reason, and what that took."""
    for line in lines(found):
        console.print(Text(printable(line)), soft_wrap=True)


def lines(found: Result) -> Iterator[str]:
    """What :func:`render` prints."""
    s = found.summary
    differences, similarities = s["questions"]["Differences"], s["questions"]["Similarities"]
    yield (
        f"{differences + similarities} questions on {s['n'] - s['failed']} of {s['n']} pairs: "
        f"{differences} differences, {similarities} similarities"
    )
    for model, of in s["drafts"].items():
        faults = "".join(f", {k} {v}" for k, v in of.items() if k not in ("asked", "usable"))
        yield f"drafts by {model}: {of['usable']} of {of['asked']} usable{faults}"
    yield f"merged by {s['merge']}{' (which drafted too)' if s['merge'] in s['models'] else ''}"
    if s["measured"]:
        agreed, without = s["agree_with_a_measurement"], s["unmeasured"]
        not_measured = f"; {without} pairs could not be measured" if without else ""
        yield f"held against measurements: {agreed} questions agree with one{not_measured}"
    else:
        yield "not held against measurements"
    for stage, name in _STAGES.items():
        dropped: dict[str, int] = s["dropped"][stage]
        if dropped:
            yield f"{sum(dropped.values())} {name} dropped:"
            yield from (f"  {count:>5}  {reason}" for reason, count in dropped.items())
    yield from _left_out(found)
    yield _costs(s)


def _left_out(found: Result) -> Iterator[str]:
    out = [one for one in found.made if one.left_out is not None]
    yield from (f"left out  {one.pair.id}: {one.left_out}" for one in out[:LISTED])
    if len(out) > LISTED:
        yield f"... and {len(out) - LISTED} more; see left_out.jsonl"


def _costs(s: dict[str, Any]) -> str:
    dollars = "no price is known" if s["cost"] is None else f"{s['cost']:.4f} dollars now"
    return (
        f"{s['calls']} calls ({s['stored']} of them made before), {s['tokens']['input']} tokens "
        f"in, {s['tokens']['output']} out, {dollars}, {s['retries']} retries"
    )
