"""What is fitted on, and what is not: pairs that show the same."""

from __future__ import annotations

import numpy as np
import pytest

from triptych.diff.style_look import _matched, likeness, sureness
from triptych.measure.colour_blocks import Blocks


def blocks(pairs: int, mixed_up: int) -> Blocks:
    """Pairs of 60 blocks; in the first ``mixed_up`` B shows them in another order."""
    rng = np.random.default_rng(0)
    a = rng.uniform(20, 200, (pairs, 60, 3))
    b = a * 0.8 + 3
    for i in range(mixed_up):
        b[i] = b[i][rng.permutation(60)]
    pair = np.repeat(np.arange(pairs), 60)
    flat = a.reshape(-1, 3)
    return Blocks(flat, b.reshape(-1, 3), np.zeros(len(flat)), pair, pairs)


def test_likeness_survives_contrast_and_a_pasted_object() -> None:
    made = blocks(1, 0)
    assert likeness(made, 0) == pytest.approx(1.0)
    made.b[:8] = 255
    assert likeness(made, 0) > 0.95
    assert likeness(blocks(1, 1), 0) < 0.9


def test_pairs_that_show_something_else_are_left_out() -> None:
    kept = _matched(blocks(6, 2))
    assert set(kept.pair) == {2, 3, 4, 5}
    assert kept.pairs == 6


def test_nothing_is_fitted_where_most_pairs_do_not_match() -> None:
    assert len(_matched(blocks(6, 4))) == 0


def test_flat_pictures_are_kept() -> None:
    made = blocks(2, 0)
    made.a[:], made.b[:] = 90.0, 60.0
    assert np.isnan(likeness(made, 0))
    assert len(_matched(made)) == len(made)


def test_sureness_is_least_at_the_threshold() -> None:
    assert sureness(2.0, 2.0) == 0.5
    assert sureness(0.0, 2.0) > 0.95
    assert sureness(-8.0, 2.0) > 0.95
    assert sureness(2.5, 2.0) < sureness(4.0, 2.0)
