from __future__ import annotations

import numpy as np
from text_pictures import ground, sampled, written

from triptych.measure.text_sampling import TextSampler


def test_a_still_picture_is_kept_once_and_remembered_at_every_look() -> None:
    picture = written(ground(), ("MARKET STREET", 30, (200, 300)))
    frames = sampled([picture] * 17)
    assert list(frames.times) == [0.0]
    assert [t for t, _ in frames.looks] == [0.5 * i for i in range(9)]
    assert {i for _, i in frames.looks} == {0}


def test_a_flat_picture_holds_no_text() -> None:
    frames = sampled([np.full((360, 640, 3), 90, np.uint8)] * 9)
    assert frames.times == ()
    assert frames.shown_at(1.0, 0.5) == -1
    assert frames.shown_at(5.0, 0.5) == -2


def test_a_small_text_that_comes_and_goes_is_kept() -> None:
    plain = np.full((360, 640, 3), 90, np.uint8)
    small = written(plain, ("page 12", 18, (560, 330)))  # letters 13 px high, 3.6 % of the height
    frames = sampled([plain] * 8 + [small] * 8 + [plain] * 8)
    assert list(frames.times) == [2.0]
    assert frames.shown_at(3.5, 0.25) == 0
    assert frames.shown_at(5.0, 0.25) == -1


def test_text_as_bright_as_its_ground_is_kept_for_its_hue() -> None:
    grey = np.full((360, 640, 3), 90, np.uint8)
    red = written(grey, ("GRAND OPENING", 60, (60, 140)), colour=(200, 49, 62))
    assert abs(int(np.ptp(red @ np.array([0.299, 0.587, 0.114])))) < 6
    assert len(sampled([red] * 4).times) == 1


def test_at_most_two_a_second_whatever_the_frame_rate() -> None:
    rng = np.random.default_rng(0)
    noisy = [rng.integers(0, 255, (90, 160, 3), dtype=np.uint8) for _ in range(50)]
    frames = sampled(noisy, fps=25)
    assert list(frames.times) == [0.0, 0.52, 1.0, 1.52]
    assert all(index >= 0 for _, index in frames.looks)


def test_memory_is_bounded_and_what_was_dropped_is_not_known() -> None:
    rng = np.random.default_rng(0)
    noisy = [rng.integers(0, 255, (90, 160, 3), dtype=np.uint8) for _ in range(80)]
    frames = sampled(noisy, fps=2, sampler=TextSampler(cap=10))
    assert len(frames.times) <= 10
    assert frames.times[-1] > 30
    assert frames.step > 0.5
    assert -2 in {index for _, index in frames.looks}


def test_a_large_picture_is_kept_smaller() -> None:
    picture = written(ground(1920, 1080), ("LIVE", 90, (100, 100)))
    frames = sampled([picture])
    assert frames.picture(0).shape == (720, 1280, 3)
    assert frames.scale * 1920 == 1280
    assert (frames.width, frames.height) == (1920, 1080)
