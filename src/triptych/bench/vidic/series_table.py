"""A series of runs for the terminal, and as a plot."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from triptych.bench.plots_lines import Panel, plot_lines
from triptych.bench.tables import (
    change_interval,
    figures_table,
    interval,
    leaves_out_zero,
    number,
)
from triptych.bench.vidic.series import TOTALS, Found, Point, Series
from triptych.bench.vidic.table import LISTED
from triptych.record.errors import printable
from triptych.record.scores import Score

#: What a panel's ticks count, by kind.
_TITLES = {
    "fps": "frames a second", "size": "longest side of a frame, pixels",
    "noise": "noise: sigma, of 255", "blur": "blur: kernel, pixels",
    "saturation": "saturation: times",
}  # fmt: skip


def render(found: Found, console: Console) -> None:
    """Print the figures of each point, what they change by, what they took, and what failed."""
    series = found.series
    first = series.points[0]
    pairs = len({j.pair for j in found.results[0].judged})
    _say(console, f"varied: {series.varied}; {series.model} judged by {series.judge}")
    _say(console, f"{first.n} questions of {pairs} pairs; percent, 95 % intervals over pairs")
    for note in _shared(series):
        _say(console, note)
    console.print()
    console.print(_figures(series))
    if len(series.points) > 1:
        console.print()
        _say(console, f"less {first.told}, paired; * where the interval leaves out 0")
        console.print(_changes(series))
    if any(p.spent is not None for p in series.points):
        console.print()
        console.print(_spent(series))
    for line in (*_own_notes(series), *_failed(found)):
        _say(console, line)


def plot(series: Series, target: str | Path) -> None:
    """Write Avg, Diff and Sim over what is varied; a panel for each kind."""
    kinds = list(dict.fromkeys(p.kind for p in series.points if p.kind))
    panels = []
    for kind in kinds:
        points = [p for p in series.points if p.kind in ("", kind)]
        lines = {name: [p.scores.get(name, Score()) for p in points] for name in TOTALS}
        panels.append(
            Panel(_TITLES.get(kind, kind), [p.label for p in points], lines, _places(points))
        )
    title = f"{series.model}: {series.varied} ({series.points[0].n} questions)"
    plot_lines(panels, title, target)


def _places(points: list[Point]) -> list[float] | None:
    """Numbers where they are on a scale of doublings; one after another where one is no number."""
    try:
        return [math.log2(float(p.label)) for p in points]
    except ValueError:
        return None


def _figures(series: Series) -> Table:
    table = figures_table("", *(h for name in TOTALS for h in (name, "95 %")), "failed")
    for p in series.points:
        cells = (c for name in TOTALS for c in (number(_of(p, name), 2), interval(_of(p, name))))
        table.add_row(Text(printable(p.told)), *cells, str(p.failed))
    return table


def _changes(series: Series) -> Table:
    table = figures_table("", *(h for name in TOTALS for h in (name, "95 %")))
    for p in series.points[1:]:
        cells: list[str] = []
        for name in TOTALS:
            s = p.change.get(name, Score())
            mark = "*" if leaves_out_zero(s) else ""
            cells += ["-" if s.value is None else f"{s.value:+.2f}{mark}", change_interval(s)]
        table.add_row(Text(printable(p.told)), *cells)
    return table


def _spent(series: Series) -> Table:
    heads = ("calls", "stored", "pictures", "largest", "tokens in", "out", "dollars", "seconds")
    table = figures_table("", *heads)
    for p in series.points:
        s = p.spent
        if s is None:
            continue
        largest = f"{s.largest[0]}x{s.largest[1]}" if s.largest else "-"
        tokens = ["-" if t is None else str(t) for t in (s.input, s.output)]
        cost = "-" if s.cost is None else f"{s.cost:.4f}"
        counts = (str(s.calls), str(s.stored), str(s.pictures), largest)
        table.add_row(Text(printable(p.told)), *counts, *tokens, cost, f"{p.seconds:.1f}")
    return table


def _of(point: Point, name: str) -> Score | None:
    return point.scores.get(name)


def _shared(series: Series) -> list[str]:
    """Notes that stand at every point."""
    first, *others = series.points
    return [n for n in first.notes if all(n in p.notes for p in others)]


def _own_notes(series: Series) -> Iterator[str]:
    """Notes of single points; how many calls were made is in the table."""
    shared = {*_shared(series)}
    for p in series.points:
        for note in p.notes:
            if note not in shared and not note.endswith("made before"):
                yield f"{p.told}: {note}"


def _failed(found: Found) -> Iterator[str]:
    """Each failure once, with the points that it stands at."""
    at: dict[tuple[str, str], list[str]] = {}
    for p, result in zip(found.series.points, found.results, strict=True):
        for j in result.failed:
            at.setdefault((j.ident, j.failed or ""), []).append(p.told)
    for (ident, why), points in list(at.items())[:LISTED]:
        every = len(points) == len(found.series.points)
        yield f"failed  {ident}: {why} (at {'every point' if every else ', '.join(points)})"
    if len(at) > LISTED:
        yield f"... and {len(at) - LISTED} more failed"


def _say(console: Console, text: str) -> None:
    console.print(Text(printable(text)), soft_wrap=True)
