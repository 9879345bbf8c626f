"""The path through matrices whose stretches are drawn by hand."""

from __future__ import annotations

import numpy as np

from triptych.measure.descriptors import F32, Orientation
from triptych.measure.segments import Motion, Run, best_path

PLAIN, FLIPPED = Orientation(), Orientation("horizontal")
FORWARD, STILL, BACKWARD = Motion(PLAIN, 1.0), Motion(PLAIN, 0.0), Motion(PLAIN, -1.0)
MIRRORED = Motion(FLIPPED, 1.0)


def path(shown: list[int | None], na: int, *motions: Motion, flipped: frozenset[int]) -> list[Run]:
    """Runs where B's cell j shows A's cell ``shown[j]``, mirrored where j is in ``flipped``."""
    rng = np.random.default_rng(2)
    matrices: dict[Orientation, F32] = {
        o: rng.normal(0.0, 0.08, (na, len(shown))).astype(np.float32) for o in (PLAIN, FLIPPED)
    }
    for j, i in enumerate(shown):
        if i is not None:
            matrices[FLIPPED if j in flipped else PLAIN][i, j] = 0.95
    _, runs = best_path(matrices, motions, 0.1, 0.0, 0.95)
    return runs


def runs_of(shown: list[int | None], na: int = 80) -> list[tuple[float, int, int, int, int]]:
    runs = path(shown, na, FORWARD, STILL, BACKWARD, flipped=frozenset())
    return [(r.motion.speed, r.a0, r.a1, r.b0, r.b1) for r in runs]


def test_one_stretch() -> None:
    assert runs_of(list(range(80))) == [(1.0, 0, 80, 0, 80)]
    assert runs_of(list(range(20, 60))) == [(1.0, 20, 60, 0, 40)]


def test_a_cut() -> None:
    shown = [*range(30), *range(40, 80)]
    assert runs_of(shown) == [(1.0, 0, 30, 0, 30), (1.0, 40, 80, 30, 70)]


def test_other_footage_shows_nothing_of_a() -> None:
    shown = [*range(30), *[None] * 20, *range(30, 80)]
    assert runs_of(shown) == [(1.0, 0, 30, 0, 30), (1.0, 30, 80, 50, 100)]


def test_other_footage_first_and_last() -> None:
    assert runs_of([*[None] * 15, *range(80), *[None] * 12]) == [(1.0, 0, 80, 15, 95)]


def test_a_standing_picture() -> None:
    shown = [*range(30), *[29] * 15, *range(30, 80)]
    first, hold, last = runs_of(shown)
    assert hold[0] == 0.0
    assert (hold[1], hold[2]) == (29, 30)
    assert first[:3] == (1.0, 0, 30) or first[:3] == (1.0, 0, 29)
    # The last moment of the hold may as well be the first of what follows.
    assert last in ((1.0, 30, 80, 45, 95), (1.0, 29, 80, 44, 95))


def test_a_part_backwards() -> None:
    shown = [*range(30), *range(49, 29, -1), *range(50, 80)]
    assert runs_of(shown) == [(1.0, 0, 30, 0, 30), (-1.0, 30, 50, 30, 50), (1.0, 50, 80, 50, 80)]


def test_a_mirrored_part() -> None:
    runs = path(list(range(80)), 80, FORWARD, MIRRORED, flipped=frozenset(range(40, 80)))
    assert [(r.motion.orientation, r.b0, r.b1) for r in runs] == [
        (PLAIN, 0, 40),
        (FLIPPED, 40, 80),
    ]


def test_a_moment_that_does_not_fit_is_not_cut_out() -> None:
    shown: list[int | None] = list(range(80))
    shown[40] = None  # a flash
    assert runs_of(shown) == [(1.0, 0, 80, 0, 80)]


def test_nothing_in_common() -> None:
    assert sum(b1 - b0 for _, _, _, b0, b1 in runs_of([None] * 60)) <= 2
