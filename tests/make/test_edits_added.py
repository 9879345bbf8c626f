"""Overlays and edits of sound: against what they claim, on a known clip."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from known_clip import HEIGHT, WIDTH, made, make_clip

import triptych.make.edits  # noqa: F401
from triptych.make.clip import Clip
from triptych.make.edits.overlay import cut
from triptych.make.eligible import rms
from triptych.make.pixels import to_rgb
from triptych.make.registry import EDITS


@pytest.mark.parametrize("name", ["text", "logo", "pasted-object", "painted-out"])
@pytest.mark.parametrize("level", [0, 2])
def test_overlays_change_their_box_in_their_span_and_nothing_else(
    clip: Clip, name: str, level: int
) -> None:
    parameter = list(EDITS[name].strengths.values())[level][0]
    result = made(clip, name, parameter)
    (fact,) = result.expected.values()
    first, last = (round(s * 20) for s in fact["spans_b"][0])
    x, y, w, h = (int(v) for v in fact["box_b"])
    edge = 8 if name == "painted-out" else 0  # what is around the box is converted with it
    for i in (0, first, last - 1, 79):
        difference = cv2.absdiff(clip.frames[i][:HEIGHT], result.clip.frames[i][:HEIGHT])
        inside = difference[y : y + h, x : x + w].mean()
        outside = difference.copy()
        outside[max(0, y - edge) : y + h + edge, max(0, x - edge) : x + w + edge] = 0
        assert outside.max() == 0
        assert (inside > 4) == (first <= i < last)
    if name != "text":
        assert w * h / (WIDTH * HEIGHT) == pytest.approx(parameter, rel=0.35)


def test_text_is_as_high_as_stated() -> None:
    large = make_clip(1.0)
    frames = [np.full((540, 640), 100, np.uint8)] * 20
    clip = large.with_frames(type(large.frames)(np.stack(frames)))  # type: ignore[call-arg]
    result = made(clip, "text", 0.14)
    fact = result.expected["subject: on-screen text"]
    white = to_rgb(cut(result.clip.frames[10], tuple(fact["box_b"]))).min(axis=2) > 200
    rows = np.flatnonzero(white.any(axis=1))
    assert rows[-1] - rows[0] + 1 == pytest.approx(0.14 * 360, rel=0.1)


def test_gain_and_mute_change_the_level_alone(clip: Clip) -> None:
    assert clip.sound is not None
    quieter = made(clip, "gain", -6.0).clip
    assert quieter.sound is not None
    assert 20 * np.log10(rms(quieter.sound) / rms(clip.sound)) == pytest.approx(-6, abs=0.01)
    assert quieter.frames is clip.frames
    for seed in range(4):
        result = made(clip, "mute", "off", seed)
        fact = result.expected["sound: presence"]["b"]
        if fact == "none":
            assert result.clip.sound is None
        else:
            assert result.clip.sound is not None and rms(result.clip.sound) == 0


@pytest.mark.parametrize("seed", range(4))
def test_sound_shift_moves_by_the_stated_seconds(clip: Clip, seed: int) -> None:
    result = made(clip, "sound-shift", 0.5, seed)
    offset = round(result.expected["sound: offset"]["offset_s"] * 16000)
    assert clip.sound is not None and result.clip.sound is not None
    before, after = clip.sound.samples[0], result.clip.sound.samples[0]
    if offset > 0:
        assert np.allclose(after[offset:], before[:-offset], atol=1e-6)
        assert not after[: offset - 1].any()
    else:
        assert np.allclose(after[:offset], before[-offset:], atol=1e-6)


def test_replaced_sound_is_as_loud_but_another(clip: Clip) -> None:
    for donor, source in ((make_clip(seed=7), "another clip"), (None, "made tones")):
        result = made(clip, "replaced-sound", "other", donor=donor)
        assert result.expected["sound: content"] == {"replaced_by": source}
        assert clip.sound is not None and result.clip.sound is not None
        assert rms(result.clip.sound) == pytest.approx(rms(clip.sound), rel=0.05)
        both = np.corrcoef(result.clip.sound.samples[0], clip.sound.samples[0])
        assert abs(both[0, 1]) < 0.1
