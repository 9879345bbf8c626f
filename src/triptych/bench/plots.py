"""Plots of figures, from the records of scores alone: what all have in common, and bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.record.errors import printable
from triptych.record.files import atomic_path
from triptych.record.scores import Score

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours that are told apart in print and by most colour-blind readers (Okabe and Ito, 2008).
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#999999", "#444444")
#: Longest name on an axis.
_NAME = 28


def sheet(width: float, height: float) -> Figure:
    """An empty figure of so many inches; no window system is asked for, whatever the settings."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save(figure: Figure, target: str | Path) -> None:
    """Write ``figure`` to ``target`` (.png, .svg or .pdf), whole or not at all."""
    with atomic_path(target) as temporary:
        figure.savefig(temporary, dpi=150, metadata={"Software": None})


def shares(
    rows: Mapping[str, Sequence[Score | None]], parts: Sequence[str], title: str,
    target: str | Path,
) -> None:  # fmt: skip
    """A bar for each of ``rows``, made of its ``parts`` in percent; the count stands behind it."""
    figure = sheet(8.0, 1.6 + 0.34 * len(rows))
    panel = figure.subplots()
    names = list(rows)
    for y, name in enumerate(names):
        left = 0.0
        for part, colour, s in zip(range(len(parts)), _colours(parts), rows[name], strict=True):
            width = s.value if s is not None and s.value is not None else 0.0
            label = parts[part] if y == 0 else None
            panel.barh(y, width, left=left, color=colour, label=label, height=0.72)
            if width >= 6:
                panel.text(left + width / 2, y, f"{width:.0f}", ha="center", va="center",
                           fontsize=7, color="white")  # fmt: skip
            left += width
        n = max((s.n for s in rows[name] if s is not None), default=0)
        panel.text(101, y, str(n), va="center", fontsize=7, color="0.35")
    panel.set_yticks(range(len(names)), [plain(n) for n in names], fontsize=8)
    panel.invert_yaxis()
    panel.set_xlim(0, 108)
    panel.set_xticks(range(0, 101, 20))
    panel.set_xlabel("percent (counts on the right)", fontsize=8)
    panel.tick_params(axis="x", labelsize=8)
    panel.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=4, fontsize=7, frameon=False)
    figure.suptitle(plain(title, 90), fontsize=10)
    save(figure, target)


def side_by_side(
    rows: Mapping[str, Sequence[Score | None]], runs: Sequence[str], title: str, target: str | Path,
    *, least: float = 0.0,
) -> None:  # fmt: skip
    """For each of ``rows`` a bar of each of ``runs``, in percent, with its 95 % interval."""
    figure = sheet(max(6.0, 1.6 + 0.75 * len(rows)), 3.8)
    panel = figure.subplots()
    width = 0.8 / len(runs)
    for r, (run, colour) in enumerate(zip(runs, COLOURS, strict=False)):
        for x, found in enumerate(rows.values()):
            s = found[r]
            if s is None or s.value is None:
                continue
            at = x + (r - (len(runs) - 1) / 2) * width
            # A bar from the foot of the axis: one at 0 is drawn as a line, not left out.
            panel.bar(at, s.value - least, width * 0.92, least, color=colour)
            panel.plot([at - width * 0.46, at + width * 0.46], [s.value] * 2, color=colour)
            if s.lo is not None and s.hi is not None:
                panel.plot([at, at], [s.lo, s.hi], color="0.15", linewidth=1)
        panel.bar(0, 0, color=colour, label=run)
    _name(panel, list(rows))
    panel.set_ylim(least, 104)
    panel.set_ylabel("percent", fontsize=8)
    panel.tick_params(axis="y", labelsize=8)
    panel.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=len(runs), fontsize=8, frameon=False)
    figure.suptitle(plain(title, 90), fontsize=10)
    save(figure, target)


def ranges(
    rows: Mapping[str, Sequence[float]], title: str, target: str | Path, *, note: str = ""
) -> None:
    """For each of ``rows`` every one of its figures as a point, their range and their mean."""
    figure = sheet(max(6.0, 1.6 + 0.75 * len(rows)), 3.6)
    panel = figure.subplots()
    for x, figures in enumerate(rows.values()):
        if not figures:
            continue
        low, high, mean = min(figures), max(figures), sum(figures) / len(figures)
        panel.plot([x, x], [low, high], color="0.75", linewidth=6, solid_capstyle="butt")
        panel.plot([x] * len(figures), figures, "o", color=COLOURS[0], markersize=4, alpha=0.6)
        panel.plot([x - 0.25, x + 0.25], [mean, mean], color="0.15", linewidth=1)
        panel.annotate(f"{mean:.1f}", (x + 0.28, mean), va="center", fontsize=7)
    _name(panel, list(rows))
    panel.set_xlim(-0.6, len(rows) - 0.2)
    panel.set_ylim(-4, 104)
    panel.set_ylabel("percent", fontsize=8)
    panel.tick_params(axis="y", labelsize=8)
    panel.spines[["top", "right"]].set_visible(False)
    figure.suptitle(plain(title, 90), fontsize=10)
    if note:
        figure.supxlabel(plain(note, 140), fontsize=8)
    save(figure, target)


def plain(name: str, most: int = _NAME) -> str:
    """``name`` as it can stand in a figure: short, and no formula of matplotlib's."""
    shown = printable(name)
    shown = shown if len(shown) <= most else f"{shown[: most - 1]}…"
    return shown.replace("$", r"\$")


def _name(panel: Axes, names: Sequence[str]) -> None:
    shown = [plain(n) for n in names]
    panel.set_xticks(
        range(len(names)), shown, rotation=25, ha="right", rotation_mode="anchor", fontsize=8
    )


def _colours(parts: Sequence[str]) -> list[str]:
    return [COLOURS[i % len(COLOURS)] for i in range(len(parts))]
