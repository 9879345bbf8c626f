"""Shot scale against figures drawn by the canon: a body is seven and a half to eight heads."""

from __future__ import annotations

import pytest

from triptych.measure.shot_scale import border_between, by_body, by_face, scale_of

#: Of the body's height, from the sole: the crown, the lower end of what a shot shows.
CUTS = {"shoulders": 0.82, "chest": 0.72, "waist": 0.6, "knees": 0.285, "soles": 0.0}


@pytest.mark.parametrize(
    ("cut", "scale"),
    [
        ("shoulders", "close-up"),
        ("chest", "close-up"),
        ("waist", "medium shot"),
        ("knees", "medium shot"),
        ("soles", "full shot"),
    ],
)
@pytest.mark.parametrize("room", [1.02, 1.15])
def test_where_the_picture_cuts_the_body(cut: str, scale: str, room: float) -> None:
    height = (1 - CUTS[cut]) * room  # body heights in the picture, with room above the head
    face = 0.75 * (1 / 7.7) / height
    assert scale_of(by_face(face)) == scale


def test_a_small_figure_is_a_long_shot() -> None:
    assert scale_of(by_body(0.9)) == scale_of(by_body(0.65)) == "full shot"
    assert scale_of(by_body(0.5)) == scale_of(by_body(0.1)) == "long shot"
    assert scale_of(by_face(0.03)) == "long shot"


def test_face_and_body_of_one_figure_agree() -> None:
    for share in (0.95, 0.7, 0.4, 0.1):
        assert by_face(share * 0.1) == pytest.approx(by_body(share))


def test_nothing_divides_by_nothing() -> None:
    assert scale_of(by_face(0.0)) == scale_of(by_body(0.0)) == "long shot"


def test_border_between() -> None:
    assert border_between(0.3, 0.6) == border_between(0.6, 0.3) == 0.40
    assert border_between(0.5, 0.6) is None
    # Of two that are crossed, the one that is nearest to the middle of both.
    assert border_between(0.35, 1.4) == 0.85
