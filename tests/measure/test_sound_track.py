from __future__ import annotations

import re
import subprocess
import wave
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from triptych.measure import sound
from triptych.measure.sound import RATE, SoundTrack, track_of
from triptych.measure.sound_loudness import integrated
from triptych.media.video import SoundBlock


def blocks(samples: np.ndarray, start: float = 0.0, size: int = RATE) -> list[SoundBlock]:
    return [
        SoundBlock(Fraction(start) + Fraction(i, RATE), samples[i : i + size].astype(np.float32))
        for i in range(0, len(samples), size)
    ]


def track(samples: np.ndarray, start: float = 0.0) -> SoundTrack:
    found = track_of(blocks(samples, start))
    assert found is not None
    return found


def test_full_scale_sine_reads_what_the_recommendation_says() -> None:
    # BS.1770, annex 1: 997 Hz at 0 dB FS in one channel gives -3.01 LKFS.
    t = np.arange(5 * RATE) / RATE
    assert integrated(track(np.sin(2 * np.pi * 997 * t)).levels) == pytest.approx(-3.01, abs=0.05)


def test_loudness_agrees_with_ffmpeg(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    noise = np.convolve(rng.normal(0, 0.2, 12 * RATE), np.full(6, 1 / 6), "same")
    noise[4 * RATE : 7 * RATE] *= 0.02  # below the relative gate
    path = tmp_path / "noise.wav"
    with wave.open(str(path), "wb") as f:
        f.setparams((1, 2, RATE, 0, "NONE", ""))
        f.writeframes((np.clip(noise, -1, 1) * 32767).astype(np.int16).tobytes())
    said = subprocess.run(
        ["ffmpeg", "-nostats", "-i", path, "-af", "aresample=48000,ebur128", "-f", "null", "-"],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    theirs = float(re.findall(r"I:\s+(\S+) LUFS", said)[-1])
    assert integrated(track(noise).levels) == pytest.approx(theirs, abs=0.15)


def test_silence_has_no_loudness_and_no_sounding_stretch() -> None:
    silent = track(np.zeros(2 * RATE))
    assert integrated(silent.levels) is None
    assert silent.sounding is None
    assert silent.silent_share == 1.0


def test_no_blocks_are_no_track() -> None:
    assert track_of([]) is None
    assert track_of([SoundBlock(Fraction(0), np.zeros(0, np.float32))]) is None


def test_a_late_start_and_a_gap_keep_their_places_on_the_clock() -> None:
    rng = np.random.default_rng(2)
    burst = rng.normal(0, 0.1, RATE)
    found = track_of([*blocks(burst, 1.5), *blocks(burst, 4.0)])
    assert found is not None
    assert found.start == 1.5
    assert found.end == pytest.approx(5.0)
    assert found.sounding == pytest.approx((1.5, 5.0), abs=0.11)
    loud = found.at(np.asarray([2.0, 3.2, 4.5])).max(axis=1)
    assert loud[0] > -40 and loud[2] > -40 and loud[1] < -100


def test_short_sound_not_numbers_and_overlaps_are_taken() -> None:
    short = track(np.full(RATE // 5, 0.1))
    assert len(short.levels) == 2
    samples = np.full(RATE, np.nan)
    samples[::2] = np.inf
    assert track(samples).peak == 0.0
    again = track_of([*blocks(np.ones(RATE)), *blocks(np.ones(RATE), 0.5)])
    assert again is not None and again.end == pytest.approx(1.5)


def test_a_time_stamp_gone_wrong_ends_the_track() -> None:
    found = track_of([*blocks(np.ones(RATE)), *blocks(np.ones(RATE), 1e9)])
    assert found is not None
    assert found.truncated and found.end == pytest.approx(1.0)


def test_a_long_track_is_thinned_and_stays_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    samples = rng.normal(0, 0.1, 20 * RATE)
    samples[: 10 * RATE] = 0
    whole = track(samples)
    monkeypatch.setattr(sound, "FRAMES_CAP", 300)
    thin = track(samples)
    assert len(thin.bands) <= 300
    assert thin.step == pytest.approx(whole.step * 8)
    at = np.asarray([5.0, 9.9, 10.1, 15.0, 19.9])
    np.testing.assert_allclose(thin.at(at).mean(axis=1), whole.at(at).mean(axis=1), atol=4)
    assert len(thin.levels) == len(whole.levels)
