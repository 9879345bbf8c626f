"""Edits of time: against what they claim, on a known clip."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from known_clip import made, make_clip

import triptych.make.edits  # noqa: F401
from triptych.make.clip import Clip, Sound
from triptych.make.registry import Ineligible, Parameter


@pytest.fixture(scope="module")
def long() -> Clip:
    return make_clip(6.0)


@pytest.mark.parametrize(("factor", "frames"), [(2.0, 60), (0.5, 240), (1.5, 80), (0.9, 133)])
def test_speed_shows_the_frame_whose_time_has_come(long: Clip, factor: float, frames: int) -> None:
    result = made(long, "speed", factor)
    assert len(result.clip.frames) == frames
    assert result.alignment["speed"] == factor
    for i in (0, 7, frames - 1):
        source = min(int(i * factor + 1e-9), 119)
        assert np.array_equal(result.clip.frames[i], long.frames[source])


def test_speed_keeps_the_pitch() -> None:
    clip = make_clip(4.0)
    t = np.arange(4 * 16000) / 16000
    tone = Sound((0.3 * np.sin(2 * np.pi * 440 * t)).astype(np.float32)[None], 16000)
    result = made(Clip(clip.frames, clip.fps, tone), "speed", 2.0)
    assert result.clip.sound is not None
    middle = result.clip.sound.samples[0, 8000:24000]
    peak = np.abs(np.fft.rfft(middle)).argmax() * 16000 / len(middle)
    assert peak == pytest.approx(440, abs=3)


def test_reversal_turns_picture_and_sound_around(clip: Clip) -> None:
    result = made(clip, "reversal", "whole")
    assert np.array_equal(result.clip.frames[0], clip.frames[79])
    assert clip.sound is not None and result.clip.sound is not None
    assert np.array_equal(result.clip.sound.samples[0, 0], clip.sound.samples[0, -1])


@pytest.mark.parametrize("seed", range(6))
def test_freeze_holds_one_frame_for_the_span_it_states(long: Clip, seed: int) -> None:
    result = made(long, "freeze", 1.0, seed)
    fact = result.expected["playback technique: frozen frames"]
    first, last = (round(s * 20) for s in fact["spans_b"][0])
    assert last - first == 20
    held = [result.clip.frames[i] for i in range(first, last)]
    assert all(np.array_equal(held[0], h) for h in held)
    assert not np.array_equal(held[0], result.clip.frames[last + 1])
    assert len(result.clip.frames) == 120 + (20 if fact["mode"] == "pause" else 0)


def test_drops_hold_the_frame_before(long: Clip) -> None:
    result = made(long, "irregular-drops", 0.12)
    fact = result.expected["playback technique: repeated or dropped frames"]
    held = {
        i for i in range(1, 120)
        if np.array_equal(result.clip.frames[i], result.clip.frames[i - 1])
    }  # fmt: skip
    assert held == {round(t * 20) for t in fact["times_b"]}
    assert len(held) == round(0.12 * 120) == fact["count"]


def test_loop_repeats_everything(clip: Clip) -> None:
    result = made(clip, "loop", 3.0)
    assert len(result.clip.frames) == 240
    assert np.array_equal(result.clip.frames[165], clip.frames[5])
    assert result.expected["playback technique: looping"] == {"times": 3, "period_s": 4.0}


@pytest.mark.parametrize("seed", range(5))
def test_trim_loses_an_end(long: Clip, seed: int) -> None:
    result = made(long, "trim", 1.0, seed)
    assert len(result.clip.frames) == 100
    start = result.expected["motion: timing"]["change"] == "start removed"
    assert np.array_equal(result.clip.frames[0], long.frames[20 if start else 0])
    assert result.alignment.get("offset_s", 0.0) == (-1.0 if start else 0.0)


def test_cut_out_and_reorder_move_what_they_state(long: Clip) -> None:
    result = made(long, "cut-out", 1.0)
    a, b = (round(s * 20) for s in result.expected["motion: timing"]["spans_a"][0])
    assert np.array_equal(result.clip.frames[a - 1], long.frames[a - 1])
    assert np.array_equal(result.clip.frames[a], long.frames[b])
    result = made(long, "reorder", 1.0)
    fact = result.expected["motion: timing"]
    (a, b), (c, d) = ([round(s * 20) for s in span] for span in fact["spans_a"])
    assert (b, d - c) == (c, b - a)
    assert np.array_equal(result.clip.frames[a], long.frames[b])
    assert np.array_equal(result.clip.frames[a + 20], long.frames[a])
    assert len(result.clip.frames) == len(long.frames)


def test_insertion_takes_another_clip_or_makes_noise(long: Clip) -> None:
    other = make_clip(seed=9, sound=False)
    for donor in (other, None):
        result = made(long, "insertion", 1.0, donor=donor)
        first, last = (round(s * 20) for s in result.expected["motion: timing"]["spans_b"][0])
        assert (last - first, len(result.clip.frames)) == (20, 140)
        assert np.array_equal(result.clip.frames[last], long.frames[first])
        if donor is not None:
            assert np.array_equal(result.clip.frames[first + 3], other.frames[3])
        else:
            assert cv2.absdiff(result.clip.frames[first], result.clip.frames[first + 1]).mean() > 1


def test_a_lower_rate_keeps_the_length(clip: Clip) -> None:
    with pytest.raises(Ineligible, match=r"20\.00 fps"):
        made(clip, "fps", 24.0)
    fast = Clip(clip.frames, clip.fps * 3 / 2, clip.sound)
    result = made(fast, "fps", 20.0)
    assert result.clip.seconds == pytest.approx(fast.seconds, abs=0.05)


@pytest.mark.parametrize(
    ("name", "parameter", "reason"),
    [
        ("reversal", "whole", "same forwards and backwards"),
        ("freeze", 1.0, "nothing moves"),
        ("irregular-drops", 0.05, "too few frames move"),
        ("loop", 2.0, "nothing moves"),
        ("trim", 0.5, "nothing moves"),
        ("cut-out", 0.5, "nothing moves"),
        ("reorder", 0.5, "no two"),
        ("gain", -3.0, "no sound"),
    ],
)
def test_what_would_change_nothing_is_refused(name: str, parameter: Parameter, reason: str) -> None:
    still = make_clip(moving=False, sound=False)
    with pytest.raises(Ineligible, match=reason):
        made(still, name, parameter)


def test_what_needs_more_time_is_refused() -> None:
    with pytest.raises(Ineligible, match="too short"):
        made(make_clip(2.5), "freeze", 2.0)
    with pytest.raises(Ineligible, match="only silence"):
        clip = make_clip(1.0)
        assert clip.sound is not None
        made(Clip(clip.frames, clip.fps, clip.sound.silence(1.0)), "mute", "off")
