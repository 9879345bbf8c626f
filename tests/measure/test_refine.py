"""Lines made exact: known speed and offset come back to a fraction of a frame."""

from __future__ import annotations

import numpy as np
import pytest
from known_films import FPS, film, flipped, moments, picture, survey_of

from triptych.measure.descriptors import Orientation
from triptych.measure.geometry import PLAIN
from triptych.measure.refine import WIDTH, Fit, fit_line
from triptych.measure.survey import Survey
from triptych.measure.views import Views

A = film(moments(8))


def fit(b: Survey, guess: tuple[float, float], window: float = 0.4, end: float = 8.0) -> Fit | None:
    views = Views(A, b, PLAIN)
    o = Orientation()
    views.matrices(0.1, [o])
    return fit_line(
        A.thumbs,
        b.thumbs.times,
        views.describe_a,
        views.describe_b(o),
        (0.0, end),
        guess,
        window,
    )


@pytest.mark.parametrize("speed", [0.5, 0.9, 1.0, 1.1, 1.5])
def test_a_rough_guess_becomes_exact(speed: float) -> None:
    # B starts at A's moment 1.3.
    b = film(moments(6 / speed, speed, 1.3))
    truth = 1 / speed
    found = fit(b, (-1.3 / speed + 0.15, truth * 1.03), window=0.5)
    assert found is not None
    assert found.slope == pytest.approx(truth, abs=WIDTH * found.error + 0.001)
    assert found.slope == pytest.approx(truth, rel=0.004)
    middle = 4.3
    assert found.b0 + found.slope * (middle - found.a0) == pytest.approx(3 / speed, abs=0.01)
    assert found.similarity > 0.9


def test_backwards() -> None:
    found = fit(film(moments(8, -1.0, 7.96)), (8.1, -1.01))
    assert found is not None
    assert found.slope == pytest.approx(-1.0, abs=0.003)
    assert found.b0 + found.slope * (4 - found.a0) == pytest.approx(3.96, abs=0.01)


def test_an_offset_of_a_part_of_a_frame_is_seen() -> None:
    found = fit(film(moments(8, 1.0, 0.013)), (0.0, 1.0))
    assert found is not None
    assert found.b0 - found.a0 == pytest.approx(-0.013, abs=0.004)


def test_another_frame_rate() -> None:
    b = film(moments(8, fps=24.0), fps=24.0)
    found = fit(b, (0.05, 1.0))
    assert found is not None
    assert found.slope == pytest.approx(1.0, abs=0.002)
    assert found.b0 - found.a0 * found.slope == pytest.approx(0.0, abs=0.01)


def test_a_still_stretch_has_no_support() -> None:
    still = [picture(0.0)] * 200
    b = survey_of(still)
    views = Views(survey_of(still), b, PLAIN)
    views.matrices(0.1, [Orientation()])
    found = fit_line(
        b.thumbs,
        b.thumbs.times,
        views.describe_a,
        views.describe_b(Orientation()),
        (0.0, 8.0),
        (0.0, 1.0),
        0.3,
    )
    assert found is None


def test_the_neighbour_of_a_cut_does_not_pull() -> None:
    """A stretch of two seconds that is followed by other moments in B."""
    b = film(np.concatenate([moments(2), moments(2, 1.0, 5.0)]))
    found = fit(b, (0.0, 1.0), window=0.1, end=2.0)
    assert found is not None
    assert found.slope == pytest.approx(1.0, abs=0.002)


def test_too_few_frames() -> None:
    assert fit(film(moments(2 / FPS)), (0.0, 1.0)) is None
    assert fit(film(moments(8)), (0.0, 1.0), end=0.05) is None


def test_nothing_to_find_is_far_from_certain() -> None:
    found = fit(film(moments(8), flipped, seed=5), (0.0, 1.0))
    assert found is None or found.similarity < 0.5
