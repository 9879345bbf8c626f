"""Shot scale: how much of a person fills the picture, from the height of a face or of a body.

The classes are those of film studies (Bordwell and Thompson, Film Art, chapter 5), joined to four:
a close-up shows the head, down to the chest at most; a medium shot is cut between there and the
knees; in a full shot the whole body fills most of the height; in a long shot the figure is small.
Where the cuts lie follows from the proportions of the body (Drillis and Contini 1966, as Winter,
Biomechanics and Motor Control of Human Movement, figure 4.1, gives them, of the body's height):
head 0.13, chest at 0.72, knees at 0.285. A detector's box of a face, from the middle of the
forehead to the chin, is about three quarters of the head: 0.10.
"""

from __future__ import annotations

from typing import Literal

Scale = Literal["close-up", "medium shot", "full shot", "long shot"]

#: Height of a face over that of the body.
FACE = 0.10
#: Body heights that the picture's height shows at most in each class, room above the head
#: included: to the chest (0.28) and to the knees (0.715) with a fifth to a third more; and a figure
#: of 0.6 of the picture's height, below which it no longer fills most of it.
BORDERS: tuple[tuple[float, Scale], ...] = (
    (0.40, "close-up"),
    (0.85, "medium shot"),
    (1.65, "full shot"),
)


def by_face(height: float) -> float:
    """Body heights in the picture's height, from a face's share of that height."""
    return FACE / max(height, 1e-6)


def by_body(height: float) -> float:
    """The same from the share of a body that is seen whole."""
    return 1 / max(height, 1e-6)


def scale_of(bodies: float) -> Scale:
    """The class of a picture that shows so many body heights."""
    return next((name for most, name in BORDERS if bodies <= most), "long shot")


def border_between(one: float, other: float) -> float | None:
    """The border between two numbers of body heights nearest to their middle; ``None`` if none."""
    low, high = sorted((one, other))
    crossed = [most for most, _ in BORDERS if low <= most < high]
    return min(crossed, key=lambda m: abs(m - (low * high) ** 0.5)) if crossed else None
