"""How every ``bench`` says its scores: a table on stdout, JSON where that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from triptych.record.scores import Scores


def show(scores: Scores, json: str | None, render: Callable[[Console], None]) -> None:
    """Print what ``render`` prints, and write ``scores`` to ``json``; ``-`` prints these alone."""
    from triptych.cli import streams
    from triptych.record.files import write_text
    from triptych.record.scores import dumps

    text = dumps(scores)
    if json == "-":
        streams.write(text)
        return
    if json:
        write_text(json, text)
    with streams.stdout() as console:
        render(console)
