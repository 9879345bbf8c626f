"""What all plots have in common: no window system is asked for, and the same file each time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from triptych.record.files import atomic_path

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def sheet(width: float, height: float) -> Figure:
    """An empty figure of so many inches."""
    # Without pyplot, which goes by the user's settings.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save(figure: Figure, target: str | Path) -> None:
    """Write ``figure`` to ``target`` (.png, .svg or .pdf), whole or not at all."""
    with atomic_path(target) as temporary:
        figure.savefig(temporary, dpi=150, metadata={"Software": None})
