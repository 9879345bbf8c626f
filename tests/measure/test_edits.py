"""What was cut, read off mappings of time that are known."""

from __future__ import annotations

import pytest

from triptych.measure.edits import Change, changes
from triptych.measure.pieces import Hold
from triptych.measure.timemap import Piece, TimeMap


def found(*pieces: Piece, a: float = 8.0, b: float, holds: tuple[Hold, ...] = ()) -> list[Change]:
    return changes(TimeMap(pieces), holds, a, b, 0.3)


def spans(c: Change) -> tuple[object, object]:
    def near(span: tuple[float, float] | None) -> object:
        return None if span is None else tuple(round(x, 3) for x in span)

    return near(c.a), near(c.b)


def test_nothing_was_cut() -> None:
    assert found(Piece(0, 8, 0, 1.0), b=8.0) == []
    assert found(Piece(0, 8, 8, -1.0), b=8.0) == []


def test_the_middle_was_removed() -> None:
    (c,) = found(Piece(0, 3, 0, 1.0), Piece(4, 8, 3, 1.0), b=7.0)
    assert (c.kind, spans(c), c.seconds) == ("removed", ((3, 4), None), 1.0)
    assert "3.00-4.00 s of A is not in B" in c.statement


def test_beginnings_and_ends_are_named() -> None:
    first, last = found(Piece(1, 6, 0, 1.0), b=5.0)
    assert "(its beginning)" in first.statement
    assert "(its end)" in last.statement
    (inserted,) = found(Piece(0, 8, 2, 1.0), b=10.0)
    assert (inserted.kind, spans(inserted)) == ("inserted", (None, (0, 2)))


def test_a_gap_shorter_than_the_least_is_passed_over() -> None:
    assert found(Piece(0, 3, 0, 1.0), Piece(3.29, 8, 3, 1.0), b=7.71) == []


def test_a_stretch_that_stands_still_is_no_insertion() -> None:
    pieces = Piece(0, 3, 0, 1.0), Piece(3, 8, 5, 1.0)
    assert found(*pieces, b=10.0, holds=(Hold(3.0, 3.0, 5.0),)) == []
    (c,) = found(*pieces, b=10.0)
    assert (c.kind, spans(c)) == ("inserted", (None, (3, 5)))


def test_two_stretches_changed_places() -> None:
    (c,) = found(
        Piece(0, 2, 0, 1.0), Piece(4, 6, 2, 1.0), Piece(2, 4, 4, 1.0), Piece(6, 8, 6, 1.0), b=8.0
    )
    # Either of the two may be called the one that moved.
    assert c.kind == "moved"
    assert spans(c) in (((2, 4), (4, 6)), ((4, 6), (2, 4)))


def test_order_is_told_against_the_way_b_runs() -> None:
    assert found(Piece(4, 8, 4, -1.0), Piece(0, 4, 8, -1.0), b=8.0) == []
    kinds = [c.kind for c in found(Piece(0, 3, 3, -1.0), Piece(3, 8, 8, -1.0), b=8.0)]
    assert kinds == ["moved"]


@pytest.mark.parametrize(("slope", "b0"), [(1.0, 4.0), (-1.0, 8.0)])
def test_a_stretch_comes_again(slope: float, b0: float) -> None:
    got = found(Piece(0, 4, 0, 1.0), Piece(0, 4, b0, slope), a=4.0, b=8.0)
    assert [(c.kind, *spans(c)) for c in got] == [("repeated", (0, 4), (4, 8))]


def test_changes_come_in_order_of_time() -> None:
    got = found(Piece(1, 3, 0, 1.0), Piece(4, 8, 4, 1.0), b=8.0)
    assert [c.kind for c in got] == ["removed", "inserted", "removed"]
