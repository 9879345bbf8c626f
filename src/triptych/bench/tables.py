"""What tables of figures have in common."""

from __future__ import annotations

from rich.table import Table

from triptych.record.scores import Score


def figures_table(first: str, *others: str) -> Table:
    """Names on the left, figures on the right. Where room is short names wrap, and no figure."""
    made = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    made.add_column(first)
    for name in others:
        made.add_column(name, justify="right", no_wrap=True)
    return made


def number(s: Score | None, digits: int) -> str:
    """The value, or a dash where there is none."""
    return "-" if s is None or s.value is None else f"{s.value:.{digits}f}"


def change_interval(s: Score) -> str:
    """From and to of a difference, with signs, or nothing."""
    return "" if s.lo is None or s.hi is None else f"{s.lo:+.1f} to {s.hi:+.1f}"


def leaves_out_zero(s: Score) -> bool:
    """Whether a difference has an interval and 0 is outside of it: it is hardly chance."""
    return s.lo is not None and s.hi is not None and not s.lo <= 0 <= s.hi


def interval(s: Score | None) -> str:
    """From and to, or nothing."""
    return "" if s is None or s.lo is None or s.hi is None else f"{s.lo:.1f}-{s.hi:.1f}"
