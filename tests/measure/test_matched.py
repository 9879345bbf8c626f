"""Frames of the same moment in one geometry."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from known_films import Look, film, flipped, moments, picture, survey_of, turned

from triptych.measure.align import align
from triptych.measure.matched import Registered, active_mask, registered
from triptych.measure.matched import moments as matched_moments
from triptych.measure.survey import Survey
from triptych.media.video import Video

NO_VIDEO = cast(Video, None)  # the stills are all there: nothing is decoded again


def both(a: Survey, b: Survey) -> Registered:
    found = matched_moments(align(a, b), a, b, NO_VIDEO, NO_VIDEO)
    return registered(found, a, b)


@pytest.mark.parametrize("look", [None, flipped, turned(0, 1.3, (0.05, 0.0)), turned(8, 1.2)])
def test_a_is_brought_to_where_b_shows_it(look: Look | None) -> None:
    found = both(film(moments(4)), film(moments(4), look))
    assert len(found.pairs) == 16
    assert found.agreement is not None
    assert found.agreement > 0.9
    for p in found.pairs:
        assert p.time_a == pytest.approx(p.time_b, abs=0.021)
        off = np.abs(p.a.y.astype(float) - p.b.y)[p.valid]
        assert p.valid.mean() > 0.6
        assert float(off.mean()) < 6


def test_the_framing_is_the_transform() -> None:
    found = both(film(moments(4)), film(moments(4), turned(0, 1.3, (0.05, 0.0))))
    assert found.framing is not None
    assert found.framing.scale == pytest.approx(1.3, abs=0.01)
    assert found.framing.shift == pytest.approx((0.05, 0.0), abs=0.006)


def test_other_events_in_one_place_do_not_agree() -> None:
    """The same ground at both, moved by other things."""
    a = [picture(float(t)) for t in moments(4)]
    b = [np.where(np.arange(160) < 80, picture(0.0), picture(9.0 + 1.7 * t)) for t in moments(4)]
    found = both(survey_of(a), survey_of([y.astype(np.uint8) for y in b]))
    assert found.agreement is None or found.agreement < 0.5


def test_the_active_mask_leaves_bars_out() -> None:
    mask = active_mask(survey_of([picture(0.0)], bars=(10, 5, 20, 0)))
    assert mask.sum() == (160 - 30) * (90 - 5)
    assert not mask[:5].any()
    assert not mask[:, :10].any()
