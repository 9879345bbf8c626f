from __future__ import annotations

import numpy as np
import pytest
from sound_samples import syllables, track

from triptych.measure.sound_align import sound_offset
from triptych.measure.sound_compare import compare_along
from triptych.measure.timemap import Piece

RATE = 16_000


@pytest.mark.parametrize("shift", [0.0, 0.1, 0.373, 2.0, -1.234])
def test_a_shift_is_found_to_a_hundredth(shift: float) -> None:
    x = syllables(12.0, seed=1)
    moved = (
        np.concatenate([np.zeros(round(shift * RATE)), x])
        if shift >= 0
        else x[round(-shift * RATE) :]
    )
    match = sound_offset(track(x), track(0.3 * moved))
    assert match is not None and match.sure
    assert match.speed == 1.0
    assert match.offset == pytest.approx(shift, abs=0.01)


def test_backwards_is_found() -> None:
    x = syllables(10.0, seed=2)
    match = sound_offset(track(x), track(x[::-1]))
    assert match is not None and match.sure
    assert match.speed == -1.0
    assert match.offset == pytest.approx(10.0, abs=0.02)


def test_double_speed_is_found() -> None:
    x, fast = syllables(12.0, seed=3), syllables(12.0, seed=3, speed=2.0)
    match = sound_offset(track(x), track(fast))
    assert match is not None and match.sure
    assert match.speed == 2.0


def test_other_sound_and_silence_do_not_match() -> None:
    x, y = track(syllables(10.0, seed=4)), track(syllables(10.0, seed=5))
    match = sound_offset(x, y)
    assert match is None or not match.sure
    assert sound_offset(x, track(np.zeros(RATE * 5))) is None


def test_the_same_sound_is_the_same_along_the_picture_and_other_sound_is_not() -> None:
    x = syllables(12.0, seed=6)
    rng = np.random.default_rng(0)
    noisy = 0.25 * x + rng.normal(0, 1e-4, len(x))
    piece = [Piece(0.0, 12.0, 0.0, 1.0)]
    (same,) = compare_along(track(x), track(noisy), piece)
    assert same.identical and not same.differing()
    assert same.lag == pytest.approx(0, abs=0.005)
    (other,) = compare_along(track(x), track(syllables(12.0, seed=7)), piece)
    assert other.median_db > 5


def test_an_exchanged_second_is_found_where_it_is() -> None:
    x = syllables(12.0, seed=8)
    y = x.copy()
    y[5 * RATE : 6 * RATE] = syllables(12.0, seed=9)[5 * RATE : 6 * RATE]
    (stretch,) = compare_along(track(x), track(y), [Piece(0.0, 12.0, 0.0, 1.0)])
    (span,) = stretch.differing()
    assert span == pytest.approx((5.0, 6.0), abs=0.35)
    assert not stretch.identical
