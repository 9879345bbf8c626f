"""What of either picture is compared."""

from __future__ import annotations

import numpy as np
import pytest
from known_films import film, flipped, moments, picture, survey_of

from triptych.measure.descriptors import ORIENTATIONS, Orientation, orient
from triptych.measure.geometry import PLAIN
from triptych.measure.views import Views, active_share, turned_share

BARS = (20, 5, 10, 0)


def test_the_active_share_is_inside_the_bars() -> None:
    s = survey_of([picture(0.0)], bars=BARS)
    assert active_share(s) == pytest.approx((20 / 160, 5 / 90, 150 / 160, 1.0))


@pytest.mark.parametrize("o", ORIENTATIONS)
def test_a_share_turns_with_its_picture(o: Orientation) -> None:
    mask = np.zeros((100, 100), np.bool_)
    mask[10:70, 20:90] = True
    rows, columns = np.nonzero(orient(mask, o))
    wanted = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
    assert turned_share((0.2, 0.1, 0.9, 0.7), o) == pytest.approx([x / 100 for x in wanted])


@pytest.mark.parametrize("bars", [(0, 20, 0, 20), (30, 0, 10, 0)])
def test_bars_are_left_out(bars: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = bars
    a = film(moments(2))
    padded = [np.pad(y, ((top, bottom), (left, right))) for y in (s.y for s in a.stills.pictures)]
    views = Views(a, survey_of(padded, bars=bars), PLAIN)
    matrix = views.matrices(0.1, [Orientation()])[Orientation()]
    assert float(np.diag(matrix).min()) > 0.95


def test_bars_are_turned_back_with_the_picture() -> None:
    a = film(moments(2))
    padded = [np.pad(flipped(s.y), ((0, 0), (30, 10))) for s in a.stills.pictures]
    views = Views(a, survey_of(padded, bars=(30, 0, 10, 0)), PLAIN)
    o = Orientation("horizontal")
    assert float(np.diag(views.matrices(0.1, [o])[o]).min()) > 0.95


def test_painted_bars_take_the_same_part_of_both() -> None:
    a = film(moments(2))
    painted = [s.y.copy() for s in a.stills.pictures]
    for y in painted:
        y[:, :40] = 0
    b = survey_of(painted, bars=(40, 0, 0, 0))
    o = Orientation()
    around = np.diag(Views(a, b, PLAIN).matrices(0.1, [o])[o]).mean()
    over = np.diag(Views(a, b, PLAIN, painted=True).matrices(0.1, [o])[o]).mean()
    assert over > 0.95 > around


def test_a_track_is_the_descriptors_of_the_matrix() -> None:
    a, b = film(moments(3)), film(moments(3, 1.0, 1.0))
    views = Views(a, b, PLAIN)
    o = Orientation()
    matrix = views.matrices(0.1, [o])[o]
    tracks = Views(a, b, PLAIN)
    assert tracks.track(None, 0.1) @ tracks.track(o, 0.1).T == pytest.approx(matrix, abs=1e-5)
    wide = tracks.track(None, 0.1)
    some = np.ascontiguousarray(np.eye(wide.shape[1], 5, dtype=np.float32))
    assert tracks.track(None, 0.1, some) == pytest.approx(wide[:, :5], abs=1e-5)
