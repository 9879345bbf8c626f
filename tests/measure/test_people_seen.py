"""Who is in both of two pictures: a finder of bright squares stands for the detectors."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from triptych.measure.descriptors import Orientation, orient
from triptych.measure.pairs import Pair
from triptych.measure.people import Limits, likeness, overlap, seen
from triptych.measure.people_models import Sighting
from triptych.media.frame import I420

U8 = npt.NDArray[np.uint8]

WIDTH, HEIGHT = 160, 90
LIMITS = Limits(sure=0.55, faint=0.2, alike=0.8)


def ground() -> U8:
    noise = np.random.default_rng(3).standard_normal((HEIGHT, WIDTH))
    noise = cv2.GaussianBlur(noise, (0, 0), 3.0)
    return np.asarray(np.clip(90 + 40 * noise / noise.std(), 20, 150), np.uint8)


def picture(*boxes: tuple[int, int, int, int, int]) -> U8:
    """Luma with squares: x, y, width, height, level."""
    out = ground()
    for x, y, w, h, level in boxes:
        out[y : y + h, x : x + w] = level
        out[y : y + h // 2, x : x + w // 2] = level - 20
    return out


def finder(rgb: U8) -> list[Sighting]:
    """Squares from level 160 on: scores grow to 1 at 255."""
    bright = (rgb[..., 0] >= 160).astype(np.uint8)
    bright = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((25, 25), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(bright)
    height, width = bright.shape
    out = []
    for x, y, w, h, area in stats[1:count]:
        if area >= 100:
            level = float(rgb[y : y + h, x : x + w, 0].max())
            box = (x / width, y / height, w / width, h / height)
            out.append(Sighting(box, (level - 150) / 105))
    return out


def pair(a: U8, b: U8, valid: npt.NDArray[np.bool_] | None = None) -> Pair:
    grey = np.full((a.shape[0] // 2, a.shape[1] // 2), 128, np.uint8)
    if valid is None:
        valid = np.ones(a.shape, np.bool_)
    return Pair(1.0, 2.0, I420(a, grey, grey), I420(b, grey, grey), valid)


ONE, FAINT, OTHER = (20, 20, 30, 40, 250), (20, 20, 30, 40, 185), (100, 20, 30, 40, 250)
AS_IS = Orientation("none", 0)


def test_the_same_person_is_in_both() -> None:
    found = seen(pair(picture(ONE), picture(ONE)), AS_IS, finder, LIMITS)
    assert (len(found.both), len(found.a), len(found.b)) == (1, 0, 0)
    x, y, w, h = found.both[0][0].box
    assert (x * WIDTH, y * HEIGHT, w * WIDTH, h * HEIGHT) == pytest.approx(ONE[:4], abs=1)


def test_a_faint_score_will_do_beside_a_sure_one() -> None:
    found = seen(pair(picture(FAINT), picture(ONE)), AS_IS, finder, LIMITS)
    assert (len(found.both), len(found.a), len(found.b)) == (1, 0, 0)
    assert found.both[0][0].score < 0.55 < found.both[0][1].score


def test_faint_scores_alone_are_nobody() -> None:
    found = seen(pair(picture(FAINT), picture(FAINT)), AS_IS, finder, LIMITS)
    assert not found.both and not found.a and not found.b


def test_who_is_in_one_only() -> None:
    found = seen(pair(picture(ONE), picture(ONE, OTHER)), AS_IS, finder, LIMITS)
    assert (len(found.both), len(found.a), len(found.b)) == (1, 0, 1)
    assert found.b[0].box[0] * WIDTH == pytest.approx(OTHER[0], abs=1)
    back = seen(pair(picture(ONE, OTHER), picture(ONE)), AS_IS, finder, LIMITS)
    assert [x.box for x in back.a] == [x.box for x in found.b]


def test_where_the_detector_fails_on_a_darker_copy_the_pictures_decide() -> None:
    dark = (picture(ONE) // 2).astype(np.uint8)  # below what the finder sees
    found = seen(pair(picture(ONE), dark), AS_IS, finder, LIMITS)
    assert (len(found.both), len(found.a), len(found.b)) == (1, 0, 0)


def test_what_only_one_has_a_picture_of_does_not_count() -> None:
    valid = np.ones((HEIGHT, WIDTH), np.bool_)
    valid[:, 90:] = False
    found = seen(pair(picture(ONE, OTHER), picture(ONE), valid), AS_IS, finder, LIMITS)
    assert (len(found.both), len(found.a), len(found.b)) == (1, 0, 0)


@pytest.mark.parametrize("mirror", ["none", "horizontal", "vertical"])
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_looked_at_upright_and_told_as_shown(mirror: str, turns: int) -> None:
    turned = Orientation(mirror, turns)  # type: ignore[arg-type]
    shown = np.ascontiguousarray(orient(picture(ONE), turned), np.uint8)
    upright: list[U8] = []

    def watching(rgb: U8) -> list[Sighting]:
        upright.append(rgb[..., 0])
        return finder(rgb)

    found = seen(pair(shown, shown), turned, watching, LIMITS)
    np.testing.assert_array_equal(upright[0], picture(ONE))
    x, y, w, h = found.both[0][1].box
    height, width = shown.shape
    inside = shown[
        round(y * height) : round((y + h) * height), round(x * width) : round((x + w) * width)
    ]
    assert inside.min() >= 225 and inside.size == pytest.approx(1200, rel=0.1)


def test_overlap_of_a_whole_and_a_cut_box() -> None:
    assert overlap((0.1, 0.1, 0.4, 0.8), (0.12, 0.1, 0.4, 0.8))
    assert overlap((0.1, 0.1, 0.4, 0.8), (0.15, 0.1, 0.3, 0.2))
    assert not overlap((0.1, 0.1, 0.2, 0.8), (0.5, 0.1, 0.2, 0.8))
    assert not overlap((0.1, 0.1, 0.2, 0.2), (0.25, 0.25, 0.2, 0.2))


def test_likeness_forgives_light_and_noise_but_not_another_thing() -> None:
    box = (0.0, 0.0, 0.5, 1.0)
    a = picture(ONE)
    noise = np.random.default_rng(1).normal(0, 20, a.shape)
    worse = np.clip(0.6 * a + 20 + noise, 0, 255).astype(np.uint8)
    bare = pair(a, ground())
    assert likeness(pair(a, a).a, pair(a, worse).b, box) > 0.95
    assert likeness(bare.a, bare.b, (20 / 160, 20 / 90, 30 / 160, 40 / 90)) < 0.5
    plain = np.full_like(a, 128)
    assert likeness(pair(a, plain).a, pair(a, plain).b, box) == 0.0
