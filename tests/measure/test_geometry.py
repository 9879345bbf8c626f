"""Guesses of the framing, held against pictures reframed by OpenCV."""

from __future__ import annotations

import numpy as np
import pytest
from known_films import Look, film, flipped, moments, turned, upside_down

from triptych.measure.descriptors import F32, Orientation, View, look, orient
from triptych.measure.geometry import MOST_TURNED, PLAIN, Guess, by_keypoints, guesses
from triptych.measure.survey import Survey

WHOLE = (0.0, 0.0, 1.0, 1.0)
ASPECT = 160 / 90
#: Moments of which B shows one a second.
SHOWN = moments(6, fps=1)


def agreement(guess: Guess, a: Survey, b: Survey, o: Orientation | None = None) -> float:
    """Mean correlation of what the guess says is the same."""

    def seen(s: Survey, view: View, o: Orientation) -> F32:
        pictures = s.thumbs.pictures.astype(np.float32)
        upright = np.ascontiguousarray(orient(pictures, o), np.float32)
        return look(upright, WHOLE, view).reshape(len(pictures), -1)

    of_a = seen(a, guess.a, Orientation())
    of_b = seen(b, guess.b, (o or Orientation()).inverse)
    return float(np.mean([np.corrcoef(x, y)[0, 1] for x, y in zip(of_a, of_b, strict=True)]))


NAMED: list[tuple[str, Look]] = [
    ("zoom 1.33", turned(0, 1.33)),
    ("zoom 1/1.33", turned(0, 1 / 1.33)),
    ("turn 7.0", turned(-7)),
    ("turn -14.0", turned(14)),
    ("turn 21.0", turned(-21)),
    ("shift x 0.16", turned(0, 1.0, (0.16, 0))),
    ("shift y -0.08", turned(0, 1.0, (0, -0.08))),
]


@pytest.mark.parametrize(("name", "reframe"), NAMED, ids=[n for n, _ in NAMED])
def test_a_guess_fits_what_it_names(name: str, reframe: Look) -> None:
    a, b = film(SHOWN), film(SHOWN, reframe)
    rated = {g.name: agreement(g, a, b) for g in (PLAIN, *guesses(ASPECT))}
    assert max(rated, key=lambda k: rated[k]) == name
    assert rated[name] > 0.93
    assert rated[name] > rated["plain"] + 0.05


@pytest.mark.parametrize("zoom", [1.08, 1.2, 1.45])
def test_between_two_guesses_one_still_fits(zoom: float) -> None:
    a, b = film(SHOWN), film(SHOWN, turned(0, zoom))
    assert max(agreement(g, a, b) for g in (PLAIN, *guesses(ASPECT))) > 0.8


@pytest.mark.parametrize(
    ("reframe", "o"),
    [
        (turned(0, 1.5, (0.15, -0.1)), Orientation()),
        (turned(0, 1.8, (-0.3, 0.2)), Orientation()),
        (turned(12, 1.3, (0.05, 0.05)), Orientation()),
        (turned(-20, 1.6), Orientation()),
        (turned(0, 0.6, (0.1, 0.1)), Orientation()),
        (lambda y: flipped(turned(0, 1.5, (0.15, -0.1))(y)), Orientation("horizontal")),
        (lambda y: upside_down(turned(10, 1.4)(y)), Orientation("vertical")),
        (lambda y: flipped(upside_down(turned(0, 1.4)(y))), Orientation("none", 2)),
    ],
)
def test_keypoints_find_any_framing(reframe: Look, o: Orientation) -> None:
    """Without knowing time: B shows other moments of the same scene as well."""
    a, b = film(SHOWN), film(SHOWN, reframe)
    guess = by_keypoints(a, b, WHOLE)
    assert guess is not None
    assert agreement(guess, a, b, o) > 0.9
    assert abs(guess.a.degrees) <= MOST_TURNED


def test_keypoints_see_nothing_in_unrelated_pictures_or_flat_ones() -> None:
    a = film(SHOWN)
    assert by_keypoints(a, film(SHOWN, seed=5), WHOLE) is None
    assert by_keypoints(a, film(SHOWN, lambda y: np.zeros_like(y)), WHOLE) is None


def test_keypoints_are_not_used_with_bars() -> None:
    a = film(SHOWN)
    assert by_keypoints(a, a, WHOLE) is not None
    assert by_keypoints(a, a, (0.0, 0.1, 1.0, 0.9)) is None
