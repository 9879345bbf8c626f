"""Sharpness and noise of made pictures whose blur and noise are known."""

from __future__ import annotations

from fractions import Fraction

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from triptych.measure.texture import (
    CAP,
    MOST_PIXELS,
    TextureSampler,
    edge_spread,
    middle,
    noise_level,
)
from triptych.measure.texture_compare import compare_texture, frames_shown
from triptych.measure.timemap import Piece, TimeMap
from triptych.media.frame import I420, U8

WHOLE = (0.0, 0.0, 1.0, 1.0)


def edges(width: int = 480, height: int = 270, seed: int = 0) -> npt.NDArray[np.float64]:
    """Polygons of plain greys, antialiased as a camera would by area sampling."""
    rng = np.random.default_rng(seed)
    big = np.full((height * 4, width * 4), 110, np.uint8)
    for _ in range(60):
        points = rng.integers(0, [width * 4, height * 4], (1, 2)) + rng.integers(-260, 260, (4, 2))
        cv2.fillConvexPoly(big, cv2.convexHull(points.astype(np.int32)), int(rng.integers(50, 200)))
    small = cv2.resize(big, (width, height), interpolation=cv2.INTER_AREA)
    return small.astype(np.float64)


def whole(p: npt.NDArray[np.float64]) -> U8:
    return np.clip(np.rint(p), 0, 255).astype(np.uint8)


def blurred(p: npt.NDArray[np.float64], sigma: float) -> npt.NDArray[np.float64]:
    return np.asarray(cv2.GaussianBlur(p, (0, 0), sigma), np.float64)


class Picture:
    """The part of a frame that the sampler asks for."""

    def __init__(self, luma: U8) -> None:
        self.height, self.width = luma.shape
        self.time, self.duration = Fraction(0), None
        self._luma = luma

    def luma(self) -> U8:
        return self._luma

    def i420(self, width: int, height: int) -> I420:
        raise NotImplementedError

    def rgb(self, max_side: int | None = None) -> U8:
        raise NotImplementedError


NOTHING = I420(*(np.zeros((2, 2), np.uint8) for _ in range(3)))


def sampled(pictures: list[U8], step: float = 0.5) -> TextureSampler:
    sampler = TextureSampler()
    for i, p in enumerate(pictures):
        sampler.observe(i * step, Picture(p), NOTHING)
    return sampler


def compared(a, b, **options):  # type: ignore[no-untyped-def]
    """Texture of clips of the pictures ``a`` and ``b``, at the same times."""
    timemap = options.pop("timemap", TimeMap([Piece(0.0, 10.0, 0.0, 1.0)]))
    return compare_texture(sampled([a] * 4), sampled([b] * 4), timemap, **options)


@pytest.mark.parametrize("sigma", [1.1, 1.7, 2.6])
def test_spread_grows_by_the_blur(sigma: float) -> None:
    sharp = edges()
    before, after = edge_spread(whole(sharp)), edge_spread(whole(blurred(sharp, sigma)))
    assert before is not None
    assert after is not None
    assert (after**2 - before**2) ** 0.5 == pytest.approx(sigma, rel=0.12)


def test_contrast_does_not_change_the_spread() -> None:
    p = edges()
    full, low = edge_spread(whole(p)), edge_spread(whole(128 + 0.5 * (p - 128)))
    assert low == pytest.approx(full, rel=0.04)


def test_a_plain_picture_has_no_edges() -> None:
    assert edge_spread(np.full((100, 100), 90, np.uint8)) is None
    assert edge_spread(np.zeros((9, 9), np.uint8)) is None


@pytest.mark.parametrize("sigma", [5.0, 15.0, 30.0])
def test_noise_is_measured(sigma: float) -> None:
    p = edges()
    noisy = whole(p + np.random.default_rng(1).normal(0, sigma, p.shape))
    level = noise_level(noisy)
    assert level == pytest.approx(sigma, rel=0.2)
    assert noise_level(whole(p)) == pytest.approx(0, abs=0.5)
    assert noise_level(np.zeros((8, 8), np.uint8)) is None


def test_blur_is_found_at_equal_size() -> None:
    p = edges()
    t = compared(whole(p), whole(blurred(p, 1.1)))
    assert t.softening == pytest.approx(1.1, rel=0.15)
    assert compared(whole(blurred(p, 1.1)), whole(p)).softening == pytest.approx(-1.1, rel=0.15)


@pytest.mark.parametrize("how", [cv2.INTER_AREA, cv2.INTER_CUBIC, cv2.INTER_LINEAR])
def test_half_size_is_no_blur(how: int) -> None:
    p = whole(edges())
    half = np.asarray(cv2.resize(p, (240, 135), interpolation=how), np.uint8)
    t = compared(p, half)
    assert abs(t.softening) < 0.5
    assert t.height == 135


def test_blur_is_found_at_half_size() -> None:
    p = edges()
    half = cv2.resize(blurred(p, 4.0), (240, 135), interpolation=cv2.INTER_AREA)
    assert compared(whole(p), whole(half)).softening == pytest.approx(2.0, rel=0.2)


def test_noise_is_found_and_does_not_come_of_blur() -> None:
    p = edges()
    noisy = whole(p + np.random.default_rng(2).normal(0, 15, p.shape))
    assert compared(whole(p), noisy).grain == pytest.approx(15, rel=0.2)
    assert compared(noisy, whole(p)).grain == pytest.approx(-15, rel=0.2)
    assert abs(compared(whole(p), whole(blurred(p, 2.6))).grain) < 1


def test_bars_are_left_out() -> None:
    p = whole(edges())
    padded = cv2.copyMakeBorder(p, 65, 65, 0, 0, cv2.BORDER_CONSTANT, value=(0,))
    t = compared(p, padded, bars_b=(0.0, 65 / 400, 1.0, 335 / 400))
    assert t.softening == pytest.approx(0, abs=0.01)
    assert t.noise[0] == t.noise[1]


def test_a_zoomed_picture_is_held_against_the_part_that_it_shows() -> None:
    p = edges()
    part = whole(p)[34:236, 60:420]
    zoomed = np.asarray(cv2.resize(part, (480, 270), interpolation=cv2.INTER_CUBIC), np.uint8)
    assert abs(compared(whole(p), zoomed, zoom=480 / 360).softening) < 0.5
    shown_a, shown_b = frames_shown(WHOLE, WHOLE, 2.0)
    assert shown_a == (0.25, 0.25, 0.75, 0.75)
    assert shown_b == WHOLE


def test_a_turned_picture_is_turned_back() -> None:
    p = whole(edges())
    turned = np.ascontiguousarray(np.rot90(p, -1))
    timemap = TimeMap([Piece(0.0, 10.0, 0.0, 1.0, quarter_turns=1)])
    assert compared(p, turned, timemap=timemap).softening == pytest.approx(0, abs=0.02)


def test_moments_are_paired_through_the_map() -> None:
    pictures = [whole(edges(seed=i)) for i in range(6)]
    a, b = sampled(pictures), sampled(pictures[::-1])
    t = compare_texture(a, b, TimeMap([Piece(0.0, 2.5, 2.5, -1.0)]))
    assert t is not None
    assert all(m.time_a == pytest.approx(2.5 - m.time_b) for m in t.moments)
    assert all(m.softening == 0 for m in t.moments)
    assert compare_texture(a, b, TimeMap()) is None


def test_short_clips_get_enough_samples_and_long_ones_not_too_many() -> None:
    p = np.zeros((32, 32), np.uint8)
    assert len(sampled([p] * 30, step=1 / 30).samples) >= 3
    long = sampled([p] * 4000, step=2.0)
    assert CAP / 2 <= len(long.samples) <= CAP
    assert long.times[-1] > 4000


def test_a_large_picture_is_kept_in_part_and_as_a_copy() -> None:
    large = np.zeros((2160, 3840), np.uint8)
    kept = middle(large)
    assert kept.luma.size == pytest.approx(MOST_PIXELS, rel=0.01)
    assert kept.area == pytest.approx((0.375, 0.375, 0.625, 0.625), abs=0.001)
    large[:] = 255
    assert kept.luma.max() == 0


def test_a_title_over_one_part_sharpens_that_part_only() -> None:
    """Its edges are the strongest of all; in the typical tile nothing changed."""
    soft = blurred(edges(720, 400), 1.6)
    titled = soft.copy()
    for x in range(60, 420, 9):
        titled[330:370, x : x + 4] = 255
    t = compared(whole(soft), whole(titled))
    assert t.softening < -0.6
    assert abs(t.typical) < 0.3
    t = compared(whole(soft), whole(blurred(soft, 1.2)))
    assert t.typical == pytest.approx(1.2, abs=0.2)


def test_a_little_softening_is_taken_as_it_is() -> None:
    picture = edges()
    t = compared(whole(picture), whole(blurred(picture, 0.1)))
    assert t.typical == t.softening


def test_letters_on_a_page_are_no_noise() -> None:
    """On white only letters are away from black and white; B has one word in bold."""
    rng = np.random.default_rng(0)
    page = np.full((400, 720), 255.0)
    for _ in range(500):
        x, y = rng.integers(0, 700), rng.integers(0, 380)
        page[y : y + 12, x : x + 3] = 90
    other = page.copy()
    other[40:140, 60:320] = 255
    for x in range(60, 320, 40):
        other[40:140, x : x + 20] = 120
    t = compared(whole(page), whole(other))
    assert abs(t.noise[0] - t.noise[1]) > 2  # the flattest blocks are other ones
    assert abs(t.grain) < 1
    noisy = np.clip(edges(720, 400) + rng.normal(0, 8, (400, 720)), 0, 255)
    assert compared(whole(edges(720, 400)), whole(noisy)).grain == pytest.approx(8, abs=1.5)


def test_a_mirrored_picture_is_mirrored_back_before_parts_are_compared() -> None:
    picture = edges(720, 400)
    rng = np.random.default_rng(0)
    noisy = np.clip(picture + rng.normal(0, 8, picture.shape), 0, 255)
    timemap = TimeMap([Piece(0.0, 2.0, 0.0, 1.0, "horizontal", 0)])
    a, b = sampled([whole(picture)] * 4), sampled([whole(noisy)[:, ::-1]] * 4)
    assert compare_texture(a, b, timemap).grain == pytest.approx(8, abs=1.5)
