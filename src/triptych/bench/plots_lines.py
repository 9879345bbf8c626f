"""Figures over what is varied, with their intervals as bands."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from triptych.bench.plots import save, sheet
from triptych.record.errors import printable
from triptych.record.scores import Score

#: Okabe and Ito's colours, which the colour-blind can tell apart, and markers for the rest.
_LOOKS = (("#000000", "o"), ("#0072b2", "s"), ("#d55e00", "^"), ("#009e73", "D"))
#: Letters of a title in an inch.
_LETTERS = 13


@dataclass(frozen=True, slots=True)
class Panel:
    """``lines`` by name, each with a figure (in percent) for every one of ``ticks``.

    ``at`` is where the ticks stand; one after another where nothing is given. A figure without a
    value breaks its line.
    """

    title: str
    ticks: Sequence[str]
    lines: Mapping[str, Sequence[Score]]
    at: Sequence[float] | None = None


def plot_lines(panels: Sequence[Panel], title: str, target: str | Path) -> None:
    """Write ``panels`` side by side to ``target`` (.png, .svg or .pdf)."""
    width = max(5.0, 3.4 * len(panels))
    figure = sheet(width, 3.6)
    drawn = figure.subplots(1, len(panels), sharey=True, squeeze=False).ravel()
    for axes, panel in zip(drawn, panels, strict=True):
        at = list(panel.at) if panel.at is not None else [float(i) for i in range(len(panel.ticks))]
        for i, (name, scores) in enumerate(panel.lines.items()):
            colour, marker = _LOOKS[i % len(_LOOKS)]
            nan = float("nan")
            values = [nan if s.value is None else s.value for s in scores]
            low = [nan if s.lo is None else s.lo for s in scores]
            high = [nan if s.hi is None else s.hi for s in scores]
            axes.fill_between(at, low, high, color=colour, alpha=0.15, linewidth=0)
            axes.plot(at, values, marker=marker, markersize=4, color=colour, label=_plain(name))
        axes.set_title(_plain(panel.title), fontsize=9)
        axes.set_xticks(at, [_plain(t) for t in panel.ticks], fontsize=8)
        axes.set_ylim(-4, 104)
        axes.grid(axis="y", color="0.9")
        axes.tick_params(axis="y", labelsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    drawn[0].set_ylabel("percent, 95 % intervals", fontsize=8)
    handles, labels = drawn[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(handles), fontsize=8,
                  frameon=False)  # fmt: skip
    figure.suptitle(textwrap.fill(_plain(title), round(width * _LETTERS)), fontsize=9)
    save(figure, target)


def _plain(text: str) -> str:
    """``text`` such that nothing in it is taken for a formula."""
    return printable(text).replace("$", r"\$")
