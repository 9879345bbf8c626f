from __future__ import annotations

import numpy as np

from triptych.measure.remembered import Remembered

PICTURES = [np.full((4, 6, 3), level, np.uint8) for level in range(4)]


def test_the_same_is_not_looked_for_again() -> None:
    kept: Remembered[int] = Remembered(10)
    assert kept.get(PICTURES[0], (1,), lambda: 7) == 7
    assert kept.get(PICTURES[0].copy(), (1,), lambda: 8) == 7


def test_another_picture_shape_or_setting_is() -> None:
    kept: Remembered[int] = Remembered(10)
    kept.get(PICTURES[0], (1,), lambda: 7)
    assert kept.get(PICTURES[1], (1,), lambda: 8) == 8
    assert kept.get(PICTURES[0].reshape(6, 4, 3), (1,), lambda: 9) == 9
    assert kept.get(PICTURES[0], (2,), lambda: 10) == 10
    # The same pixels by another way through memory.
    turned = np.ascontiguousarray(PICTURES[1].transpose(1, 0, 2)).transpose(1, 0, 2)
    assert kept.get(turned, (1,), lambda: 11) == 8


def test_what_was_not_asked_for_longest_goes_first() -> None:
    kept: Remembered[int] = Remembered(2)
    for value, picture in enumerate((PICTURES[0], PICTURES[1], PICTURES[0], PICTURES[2])):
        kept.get(picture, (), lambda value=value: value)
    assert kept.get(PICTURES[0], (), lambda: 9) == 0
    assert kept.get(PICTURES[1], (), lambda: 9) == 9
    kept.clear()
    assert kept.get(PICTURES[1], (), lambda: 5) == 5
