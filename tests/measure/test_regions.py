"""Places that differ: found where something was put in, and nowhere under grades and coding."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from triptych.measure.pairs import Pair
from triptych.measure.regions import differing
from triptych.media.frame import I420, U8

WIDTH, HEIGHT = 320, 180
LEAST = 0.0055


def _scene(i: int, seed: int = 2) -> np.ndarray:
    """Y, U, V (h, w, 3) at luma's size: a textured ground and a thing that moves over it."""
    rng = np.random.default_rng(seed)
    ground = [cv2.GaussianBlur(rng.uniform(30, 220, (HEIGHT, WIDTH)), (0, 0), s) for s in (3, 9, 9)]
    ground[0] = 128 + 3 * (ground[0] - 125)
    ground[1:] = [128 + 6 * (g - 125) for g in ground[1:]]
    picture = np.dstack(ground)
    x = 20 + 15 * i
    cv2.circle(picture, (x, 60), 18, (190.0, 110.0, 150.0), -1)
    return picture


def _coded(picture: np.ndarray) -> I420:
    y, u, v = (np.clip(np.round(picture[..., c]), 0, 255).astype(np.uint8) for c in range(3))
    half = WIDTH // 2, HEIGHT // 2

    def small(plane: U8) -> U8:
        return np.asarray(cv2.resize(plane, half, interpolation=cv2.INTER_AREA), np.uint8)

    return I420(y, small(u), small(v))


def _pairs(edit: Callable[[np.ndarray, int], np.ndarray], count: int = 10) -> list[Pair]:
    valid = np.ones((HEIGHT, WIDTH), np.bool_)
    out = []
    for i in range(count):
        a = _scene(i)
        out.append(Pair(i, i, _coded(a), _coded(edit(a.copy(), i)), valid))
    return out


def _put(picture: np.ndarray, box: tuple[int, int, int, int]) -> np.ndarray:
    x, y, w, h = box
    stripes = (np.arange(w) // 6 % 2)[None, :, None] * np.array([150, 60, -60]) + 60
    picture[y : y + h, x : x + w] = stripes
    return picture


@pytest.mark.parametrize("box", [(200, 100, 26, 24), (30, 90, 48, 48), (200, 20, 80, 72)])
def test_what_was_put_in_is_found_in_its_place(box: tuple[int, int, int, int]) -> None:
    found = differing(_pairs(lambda p, i: _put(p, box) if i >= 4 else p), LEAST)
    assert found is not None
    (region,) = found.found
    x, y, w, h = region.box
    got = np.array([x * WIDTH, y * HEIGHT, w * WIDTH, h * HEIGHT])
    np.testing.assert_allclose(got, box, atol=6)
    assert list(region.moments) == list(range(4, 10))
    assert region.kind == "added"


def test_what_was_painted_over_is_removed() -> None:
    def edit(picture: np.ndarray, i: int) -> np.ndarray:
        picture[100:150, 200:260] = picture[100:150, 200:260].mean(axis=(0, 1))
        return picture

    found = differing(_pairs(edit), LEAST)
    assert found is not None
    assert [r.kind for r in found.found] == ["removed"]


def _noisy(picture: np.ndarray, i: int) -> np.ndarray:
    return picture + np.random.default_rng(i).normal(0, 20, picture.shape)


EDITS: dict[str, Callable[[np.ndarray, int], np.ndarray]] = {
    "nothing": lambda p, i: p,
    "darker": lambda p, i: p * np.array([0.7, 1, 1]),
    "flicker": lambda p, i: p + np.array([(-1) ** i * 15, 0, 0]),
    "less colour": lambda p, i: 128 + (p - 128) * np.array([1, 0.3, 0.3]),
    "blur": lambda p, i: cv2.GaussianBlur(p, (0, 0), 2.0),
    "noise": _noisy,
    "a pixel to the right": lambda p, i: np.roll(p, 1, axis=1),
    "half size": lambda p, i: cv2.resize(cv2.resize(p, (160, 90)), (WIDTH, HEIGHT)),
}


@pytest.mark.parametrize("name", sorted(EDITS))
def test_what_changes_everywhere_is_no_region(name: str) -> None:
    found = differing(_pairs(EDITS[name]), LEAST)
    assert found is not None
    assert list(found.found) == []


@pytest.mark.parametrize("name", ["darker", "less colour", "blur", "noise"])
def test_a_region_is_found_under_another_edit(name: str) -> None:
    box = (200, 100, 26, 24)
    found = differing(_pairs(lambda p, i: EDITS[name](_put(p, box), i)), LEAST)
    assert found is not None
    assert len(found.found) == 1


def test_what_shows_for_a_moment_only_is_passed_over() -> None:
    found = differing(_pairs(lambda p, i: _put(p, (200, 100, 26, 24)) if i == 5 else p), LEAST)
    assert found is not None
    assert list(found.found) == []


def test_too_few_moments_and_nothing_in_common() -> None:
    pairs = _pairs(lambda p, i: p, 3)
    assert differing(pairs[:2], LEAST) is None
    nowhere = np.zeros((HEIGHT, WIDTH), np.bool_)
    assert differing([Pair(p.time_a, p.time_b, p.a, p.b, nowhere) for p in pairs], LEAST) is None


def test_a_small_thing_is_found_where_it_stands_out() -> None:
    """Eight by eleven pixels: 0.15 % of the picture."""
    bold = _pairs(lambda p, i: _put_plain(p, (200, 100, 9, 11), (90.0, 90.0, 220.0)))
    found = differing(bold, LEAST, 0.0012)
    assert found is not None
    (region,) = found.found
    assert region.area < LEAST
    assert region.box == pytest.approx((200 / 320, 100 / 180, 9 / 320, 11 / 180), abs=0.02)
    # Without leave to be small it is none, but known to be there.
    known = differing(bold, LEAST)
    assert known is not None
    assert not known.found
    faint = _pairs(lambda p, i: _faint(p, (200, 100, 12, 11)))
    none = differing(faint, LEAST, 0.0012)
    assert none is not None
    assert not none.found
    assert none.largest < LEAST


def _put_plain(
    picture: np.ndarray, box: tuple[int, int, int, int], colour: tuple[float, float, float]
) -> np.ndarray:
    x, y, w, h = box
    picture[y : y + h, x : x + w] = colour
    return picture


def _faint(picture: np.ndarray, box: tuple[int, int, int, int]) -> np.ndarray:
    x, y, w, h = box
    picture[y : y + h, x : x + w, 0] += 14
    return picture
