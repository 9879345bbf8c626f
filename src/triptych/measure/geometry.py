"""Guesses of how B's picture frames A's, tried before anything is known about time.

Alignment compares small pictures; a strong crop, shift or turn makes them disagree. Each guess
says which part of A to compare with which part of B. Registration (``register``) then measures
what the guess only named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from triptych.measure.descriptors import View

#: Zooms, turns (degrees) and shifts (share of the picture) tried. Neighbours are close enough
#: that the truth between two still correlates above 0.8 with one of them.
ZOOMS = (1.15, 1.33, 1.55)
TURNS = (7.0, 14.0, 21.0)
SHIFTS = (0.08, 0.16)
#: A turned square of this size stays within the picture at 21 degrees and 16:9.
TURNED_PART = 0.68


@dataclass(frozen=True, slots=True)
class Guess:
    """Compare ``a`` of A with ``b`` of B (seen upright)."""

    name: str
    a: View
    b: View


PLAIN = Guess("plain", View(), View())


def _part(share: float) -> View:
    edge = (1 - share) / 2
    return View(edge, edge, 1 - edge, 1 - edge)


def guesses(aspect: float) -> Iterator[Guess]:
    """All guesses but the plain one, for an active area of ``aspect`` (width over height)."""
    for zoom in ZOOMS:
        yield Guess(f"zoom {zoom}", _part(1 / zoom), View())
        yield Guess(f"zoom 1/{zoom}", View(), _part(1 / zoom))
    edge = (1 - TURNED_PART) / 2
    for turn in (*TURNS, *(-t for t in TURNS)):
        turned = View(edge, edge, 1 - edge, 1 - edge, degrees=turn, aspect=aspect)
        yield Guess(f"turn {turn}", turned, _part(TURNED_PART))
    for d in (*SHIFTS, *(-s for s in SHIFTS)):
        low, high = max(d, 0.0), 1 + min(d, 0.0)
        back_low, back_high = max(-d, 0.0), 1 + min(-d, 0.0)
        yield Guess(f"shift x {d}", View(back_low, 0, back_high, 1), View(low, 0, high, 1))
        yield Guess(f"shift y {d}", View(0, back_low, 1, back_high), View(0, low, 1, high))
