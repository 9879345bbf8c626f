"""Guesses of how B's picture frames A's, tried before anything is known about time.

Alignment compares small pictures; a strong crop, shift or turn makes them disagree. Each guess
says which part of A to compare with which part of B. Registration (``register``) then measures
what the guess only named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from triptych.measure.descriptors import ORIENTATIONS, Orientation, View, orient
from triptych.measure.register import Transform, find_transform, keypoints
from triptych.measure.survey import Survey
from triptych.media.frame import U8

#: Zooms, turns (degrees) and shifts (share of the picture) tried. Neighbours are close enough
#: that the truth between two still correlates above 0.8 with one of them.
ZOOMS = (1.15, 1.33, 1.55)
TURNS = (7.0, 14.0, 21.0)
SHIFTS = (0.08, 0.16)
#: A turned square of this size stays within the picture at 21 degrees and 16:9.
TURNED_PART = 0.68
#: Stills of either video whose keypoints are matched, each with each. Keypoints agree by chance
#: on unrelated pictures up to 14 times; MANY is twice that.
LOOKS = 6
MANY = 28
#: Keypoints fit whatever the turn, so a picture turned by more than this in one orientation is
#: turned by less in another (a half turn away), which is the plainer name for it.
MOST_TURNED = 91.0


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


def by_keypoints(a: Survey, b: Survey, share: tuple[float, float, float, float]) -> Guess | None:
    """The framing under which some still of A and some still of B show the same, if any do.

    It needs no idea of time. ``share`` is B's active part (left, top, right, bottom); both views
    are of the whole display where bars differ, so ``None`` is returned for barred videos.
    """
    if share != (0.0, 0.0, 1.0, 1.0) or not a.stills.pictures or not b.stills.pictures:
        return None
    of_b = [keypoints(b.stills.pictures[i].y) for i in _spread(len(b.stills.pictures))]
    best: tuple[Transform, Orientation] | None = None
    for i in _spread(len(a.stills.pictures)):
        for o in ORIENTATIONS[:4]:
            turned: U8 = np.ascontiguousarray(orient(a.stills.pictures[i].y, o), dtype=np.uint8)
            of_a = keypoints(turned)
            for other in of_b:
                t = find_transform(of_a, other)
                most = MANY - 1 if best is None else best[0].agreeing
                if t is not None and t.agreeing > most and abs(t.degrees) <= MOST_TURNED:
                    best = (t, o)
    return None if best is None else _guess_of(best[0], best[1], a.size[0] / a.size[1])


def _spread(n: int) -> list[int]:
    return sorted({round((i + 0.5) * n / LOOKS - 0.5) for i in range(min(LOOKS, n))})


def _guess_of(t: Transform, o: Orientation, aspect: float) -> Guess:
    """The part that both pictures hold, as seen in either."""
    # In shares of the frame about its centre (A fills B's width): b = scale * a + shift.
    low = [max(-0.5, -0.5 * t.scale + s) for s in t.shift]
    high = [min(0.5, 0.5 * t.scale + s) for s in t.shift]
    if abs(t.degrees) > 2:
        middle = [(x + y) / 2 for x, y in zip(low, high, strict=True)]
        half = [TURNED_PART * (y - x) / 2 for x, y in zip(low, high, strict=True)]
        low = [m - h for m, h in zip(middle, half, strict=True)]
        high = [m + h for m, h in zip(middle, half, strict=True)]
    of_b = View(low[0] + 0.5, low[1] + 0.5, high[0] + 0.5, high[1] + 0.5)
    # B's middle back in A: turn by -degrees about the centre, in square units.
    turn = np.deg2rad(-t.degrees)
    x, y = (low[0] + high[0]) / 2 - t.shift[0], ((low[1] + high[1]) / 2 - t.shift[1]) / aspect
    x, y = np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y
    cx, cy = x / t.scale, y * aspect / t.scale
    w, h = (high[0] - low[0]) / t.scale, (high[1] - low[1]) / t.scale
    degrees = -t.degrees
    # B is seen turned back from ``o``; a mirrored A is mirrored back, with its turn.
    if o.mirror == "horizontal":
        of_b = View(1 - of_b.right, of_b.top, 1 - of_b.left, of_b.bottom)
        cx, degrees = -cx, -degrees
    elif o.mirror == "vertical":
        of_b = View(of_b.left, 1 - of_b.bottom, of_b.right, 1 - of_b.top)
        cy, degrees = -cy, -degrees
    elif o.quarter_turns == 2:
        of_b = View(1 - of_b.right, 1 - of_b.bottom, 1 - of_b.left, 1 - of_b.top)
        cx, cy = -cx, -cy
    of_a = View(
        float(cx - w / 2 + 0.5),
        float(cy - h / 2 + 0.5),
        float(cx + w / 2 + 0.5),
        float(cy + h / 2 + 0.5),
        float(degrees),
        aspect,
    )
    return Guess(f"keypoints {t.scale:.2f} {t.degrees:.0f}", of_a, of_b)
