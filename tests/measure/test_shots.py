"""Cuts, dissolves and fades, on drawn pictures with known times and on clips with known cuts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from triptych import media
from triptych.measure.gradual import gradual
from triptych.measure.repeats import StepSampler
from triptych.measure.shots import Transition, hard_cuts, transitions
from triptych.measure.survey import Thumbs, survey
from triptych.media.frame import I420

F32 = npt.NDArray[np.float32]
FPS = 25


def scene(seed: int) -> F32:
    """A picture with broad shapes, (180, 320)."""
    noise = np.random.default_rng(seed).normal(size=(180, 320)).astype(np.float32)
    smooth = cv2.GaussianBlur(noise, (0, 0), 12)
    return np.asarray(128 + 45 * smooth / smooth.std(), np.float32)


def moved(picture: F32, dx: float) -> F32:
    matrix = np.array([[1, 0, dx], [0, 1, 0]], np.float64)
    out = cv2.warpAffine(picture, matrix, (320, 180), borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(out, np.float32)


@dataclass
class Plain:
    """A frame of which only the time is known."""

    time: Fraction


def seen(pictures: list[F32], times: list[float] | None = None) -> list[Transition]:
    """What is found when ``pictures`` pass by."""
    times = [i / FPS for i in range(len(pictures))] if times is None else times
    sampler = StepSampler()
    grey = np.full((90, 160), 128, np.uint8)
    small = []
    noise = np.random.default_rng(0)
    for t, p in zip(times, pictures, strict=True):
        y = np.clip(p + noise.normal(size=p.shape), 0, 255).astype(np.uint8)
        sampler.observe(t, Plain(Fraction(t)), I420(y, grey, grey))  # type: ignore[arg-type]
        small.append(cv2.resize(y, (48, 48), interpolation=cv2.INTER_AREA))
    return transitions(
        hard_cuts(sampler.steps()), Thumbs(np.asarray(times), np.stack(small).astype(np.uint8))
    )


def blend(a: F32, b: F32, n: int) -> list[F32]:
    return [np.asarray(a + (b - a) * (i + 1) / (n + 1), np.float32) for i in range(n)]


def test_a_hard_cut_is_at_the_first_frame_of_the_new_shot() -> None:
    found = seen([scene(1)] * 30 + [scene(2)] * 30)
    assert found == [Transition("cut", 1.2, 1.2, 1.2)]


@pytest.mark.parametrize("frames", [8, 12, 25, 50])
def test_a_blend_of_two_shots_is_a_dissolve(frames: int) -> None:
    a, b = scene(1), scene(2)
    found = seen([a] * 60 + blend(a, b, frames) + [b] * 60)
    assert [x.kind for x in found] == ["dissolve"]
    assert found[0].start == pytest.approx(59 / FPS, abs=0.06)
    assert found[0].end == pytest.approx((60 + frames) / FPS, abs=0.06)


def test_a_fade_through_black_is_one_fade() -> None:
    a, b, black = scene(1), scene(2), np.zeros((180, 320), np.float32)
    shown = [a] * 30 + blend(a, black, 12) + [black] * 5 + blend(black, b, 12) + [b] * 30
    found = seen(shown)
    assert [x.kind for x in found] == ["fade"]
    assert found[0].start == pytest.approx(30 / FPS, abs=0.12)
    assert found[0].end == pytest.approx(59 / FPS, abs=0.12)


@pytest.mark.parametrize("speed", [0.5, 3.0, 8.0, 20.0])
def test_a_moving_camera_makes_no_transition(speed: float) -> None:
    assert seen([moved(scene(3), speed * i) for i in range(75)]) == []


def test_a_jerk_is_no_cut() -> None:
    rng = np.random.default_rng(1)
    fine = cv2.GaussianBlur(rng.normal(size=(180, 320)).astype(np.float32), (0, 0), 3)
    picture = np.asarray(125 + 50 * fine / fine.std(), np.float32)
    assert seen([moved(picture, 4.0 * (i // 10)) for i in range(60)]) == []


def test_things_that_move_do_not_hide_a_dissolve() -> None:
    a, b, thing = scene(1), scene(2), scene(3)[:90, :90]
    shown = [a] * 40 + blend(a, b, 25) + [b] * 40
    for i, p in enumerate(shown):
        shown[i] = p.copy()
        shown[i][40:130, 2 * i : 2 * i + 90] = thing
    assert [x.kind for x in seen(shown)] == ["dissolve"]


def test_a_flash_and_a_change_of_light_make_no_transition() -> None:
    a = scene(4)
    darker = [
        np.asarray(a * (1 - 0.5 * min(max(i - 20, 0), 20) / 20), np.float32) for i in range(60)
    ]
    assert seen(darker) == []


def test_a_picture_that_stays_has_no_transition() -> None:
    assert seen([scene(5)] * 50) == []
    assert gradual(np.array([0.0]), np.zeros((1, 48, 48), np.uint8), []) == []


def test_cuts_between_unequal_frame_times_are_at_those_times() -> None:
    grey = [np.full((180, 320), x, np.float32) for x in (0, 128, 250)]
    times = [*range(5), *(5 + i / 60 for i in range(300)), *range(10, 15)]
    found = seen([grey[0]] * 5 + [grey[1]] * 300 + [grey[2]] * 5, [float(t) for t in times])
    assert [(x.kind, x.time) for x in found] == [("cut", 5.0), ("cut", 10.0)]


def of_clip(path: Path) -> list[Transition]:
    sampler = StepSampler()
    with media.open(str(path)) as video:
        thumbs = survey(video, (sampler,)).thumbs
    return transitions(hard_cuts(sampler.steps()), thumbs)


def test_the_clip_cut_together_from_others(clips: Path) -> None:
    found = of_clip(clips / "derived_shots_groundtruth.mp4")
    cuts = [x.time for x in found if x.kind == "cut"]
    assert cuts == pytest.approx([2.5, 5.0, 7.5, 13.5, 16.0], abs=0.02)
    slow = [(x.kind, x.start, x.end) for x in found if x.kind != "cut"]
    assert [x[0] for x in slow] == ["dissolve", "dissolve", "fade"]
    for (_, start, end), (s, e) in zip(slow, [(9, 10), (11, 11.5), (18, 19)], strict=True):
        assert [start, end] == pytest.approx([s, e], abs=0.08)


@pytest.mark.parametrize("name", ["skv_carphone_pristine.mp4", "intel_asl_walk.mkv"])
def test_one_shot_has_no_transition(clips: Path, name: str) -> None:
    assert of_clip(clips / name) == []
