"""Recall over strength, a panel for each edit."""

from __future__ import annotations

import math
from pathlib import Path

from triptych.bench.plots import save, sheet
from triptych.record.scores import Scores

_STRENGTHS = ("light", "medium", "heavy")
_COLUMNS = 6


def plot(scores: Scores, target: str | Path) -> None:
    """Write the plot to ``target`` (.png, .svg or .pdf); bars are the 95 % intervals."""
    edits = sorted({name.split("/")[2] for name in scores.scores if name.count("/") == 3
                    and name.startswith("recall/edit/")})  # fmt: skip
    rows = max(1, math.ceil(len(edits) / _COLUMNS))
    figure = sheet(2.0 * _COLUMNS, 1.5 * rows + 0.6)
    panels = figure.subplots(rows, _COLUMNS, sharex=True, sharey=True, squeeze=False).ravel()
    for panel in panels[len(edits) :]:
        panel.set_axis_off()
    for panel, edit in zip(panels, edits, strict=False):
        for x, strength in enumerate(_STRENGTHS):
            s = scores.scores.get(f"recall/edit/{edit}/{strength}")
            if s is None or s.value is None:
                continue
            if s.lo is not None and s.hi is not None:
                panel.plot([x, x], [s.lo, s.hi], color="0.75", linewidth=4, solid_capstyle="butt")
            panel.annotate(str(s.n), (x, -12), ha="center", va="center", fontsize=6, color="0.4")
        points = [
            (x, s.value)
            for x, strength in enumerate(_STRENGTHS)
            if (s := scores.scores.get(f"recall/edit/{edit}/{strength}")) and s.value is not None
        ]
        panel.plot(*zip(*points, strict=True), "o-", color="#1f5fa8", markersize=4)
        panel.set_title(edit, fontsize=8)
        panel.set_xlim(-0.4, 2.4)
        panel.set_ylim(-22, 108)
        panel.set_xticks(range(3), _STRENGTHS, fontsize=7)
        panel.set_yticks([0, 50, 100], ["0", "50", "100"], fontsize=7)
        panel.spines[["top", "right"]].set_visible(False)
    figure.suptitle(
        f"Found, in percent, by strength of the edit ({scores.n} pairs; counts below)", fontsize=10
    )
    save(figure, target)
