"""Lines on matrices of similarity whose line is drawn by hand."""

from __future__ import annotations

import numpy as np
import pytest

from triptych.measure.descriptors import F32, ORIENTATIONS, Orientation
from triptych.measure.lines import Line, best_offsets, choose, contradicts, find_lines

STEP = 0.1


def drawn(na: int, nb: int, speed: float, offset: float, seed: int = 0) -> F32:
    """Noise with a bright line b = a / speed + offset, in cells."""
    matrix = np.random.default_rng(seed).normal(0, 0.1, (na, nb)).astype(np.float32)
    for j in range(nb):
        i = round((j + 0.5 - offset) * speed - 0.5)
        if 0 <= i < na:
            matrix[max(0, i - 1) : i + 2, j] = 0.5
            matrix[i, j] = 0.95
    for i in range(na):
        j = round((i + 0.5) / speed + offset - 0.5)
        if 0 <= j < nb:
            matrix[i, j] = 0.95
    return matrix


@pytest.mark.parametrize("speed", [0.25, 0.5, 0.9, 1.0, 1.1, 1.5, 2.0, 4.0])
@pytest.mark.parametrize("sign", [1, -1])
def test_signed_speed_and_offset_are_found(speed: float, sign: int) -> None:
    na, nb = 80, max(20, round(80 / speed))
    offset = 0.0 if sign > 0 else float(nb)
    noise = np.random.default_rng(9).normal(0, 0.1, (na, nb)).astype(np.float32)
    matrices = dict.fromkeys(ORIENTATIONS, noise)
    o = ORIENTATIONS[1]
    matrices[o] = drawn(na, nb, sign * speed, offset)
    best = choose(find_lines(matrices, STEP))
    assert best.orientation == o
    assert best.speed == pytest.approx(sign * speed, rel=0.04)
    assert best.offset + 0.5 - 0.5 / best.speed == pytest.approx(offset, abs=1.6)
    assert best.similarity > 0.6


def test_an_offset_either_way() -> None:
    for offset in (-30.0, 25.0):
        matrix = drawn(80, 80, 1.0, offset).astype(np.float64)[:, :, None]
        (line,) = best_offsets([Orientation()], matrix, 1.0, STEP, 0.0)
        assert line.offset == offset
        assert line.length == 80 - abs(offset)


def test_a_still_picture_is_said_to_run_forwards_at_normal_speed() -> None:
    matrices = {o: np.full((60, 60), 0.9, np.float32) for o in ORIENTATIONS}
    best = choose(find_lines(matrices, STEP))
    assert (best.orientation, best.speed) == (Orientation(), 1.0)


def test_rounding_does_not_choose_for_a_still_picture() -> None:
    """Similarities of a still video with itself differ in their last digits."""
    rng = np.random.default_rng(1)
    matrices = {
        o: (np.full((60, 60), 0.9 if o == Orientation() else 0.3) + rng.normal(0, 1e-4, (60, 60)))
        for o in ORIENTATIONS
    }
    best = choose(find_lines({o: m.astype(np.float32) for o, m in matrices.items()}, STEP))
    assert (best.orientation, best.speed) == (Orientation(), 1.0)


def test_a_known_offset_rules_the_others_out() -> None:
    matrix = drawn(80, 80, 1.0, 0.0) + 0.6 * drawn(80, 80, 1.0, -30.0, seed=3)
    free = choose(find_lines({Orientation(): matrix}, STEP))
    known = choose(find_lines({Orientation(): matrix}, STEP, offset_s=-3.0))
    assert (free.speed, free.offset) == (1.0, 0.0)
    assert (known.speed, known.offset) == (1.0, -30.0)


def test_ties_go_to_the_plainer_but_a_better_line_wins() -> None:
    turned, plain = ORIENTATIONS[3], ORIENTATIONS[0]
    as_good = [Line(turned, 1.0, 0, 0.500, 0.5, 9), Line(plain, 1.0, 0, 0.497, 0.5, 9)]
    assert choose(as_good).orientation == plain
    better = [Line(turned, 1.0, 0, 0.500, 0.5, 9), Line(plain, 1.0, 0, 0.48, 0.5, 9)]
    assert choose(better).orientation == turned
    backwards = [Line(plain, -1.0, 0, 0.5, 0.5, 9), Line(plain, 1.3, 0, 0.5, 0.5, 9)]
    assert choose(backwards).speed == 1.3


def test_what_contradicts() -> None:
    def line(speed: float, o: Orientation = ORIENTATIONS[0]) -> Line:
        return Line(o, speed, 0, 0.5, 0.5, 9)

    assert not contradicts(line(1.0), line(1.08))
    assert contradicts(line(1.0), line(1.12))
    assert contradicts(line(1.0), line(-1.0))
    assert contradicts(line(1.0), line(1.0, ORIENTATIONS[1]))


def test_short_lines_that_fit_by_chance_do_not_win() -> None:
    matrix = drawn(100, 100, 1.0, 0.0)
    matrix[96:, :4] = 1.0  # a corner that agrees in all
    best = choose(find_lines({Orientation(): matrix}, STEP))
    assert (best.speed, best.offset) == (1.0, 0.0)


def test_one_cell_each() -> None:
    best = choose(find_lines({o: np.ones((1, 1), np.float32) for o in ORIENTATIONS}, STEP))
    assert (best.speed, best.orientation, best.length) == (1.0, Orientation(), 1)
