"""Sound as mono blocks on the picture's clock."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from media_recipes import X264, ffmpeg

from triptych import media


def heard(path: Path, rate: int = 16000) -> tuple[list[float], np.ndarray, media.Video]:
    """Block times, and all samples laid out by time with silence in the gaps."""
    with media.open(path) as video:
        blocks = list(video.sound(rate))
    starts = [float(b.time) for b in blocks]
    end = max((round(b.time * rate) + len(b.samples) for b in blocks), default=0)
    out = np.zeros(end, np.float32)
    for b in blocks:
        assert b.samples.dtype == np.float32 and isinstance(b.time, Fraction)
        at = round(b.time * rate)
        if at >= 0:
            out[at : at + len(b.samples)] = b.samples
    return starts, out, video


def clip(path: Path, sound: str, *args: str | Path) -> Path:
    picture = "testsrc2=size=64x48:rate=25:duration=4"
    ffmpeg("-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", sound, *X264, *args, path)
    return path


def tone(samples: np.ndarray, rate: int) -> float:
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples))))
    return float(np.argmax(spectrum) * rate / len(samples))


@pytest.mark.parametrize("rate", [8000, 16000, 48000])
def test_a_tone_keeps_its_pitch_length_and_level(tmp_path: Path, rate: int) -> None:
    made = clip(
        tmp_path / "a.mkv", "sine=frequency=440:duration=4:sample_rate=44100", "-c:a", "flac"
    )
    starts, samples, video = heard(made, rate)
    assert len(samples) == pytest.approx(4 * rate, abs=rate // 50)
    assert starts[0] == 0 and len(starts) == 4
    assert tone(samples[rate : 2 * rate], rate) == pytest.approx(440, abs=1)
    # lavfi's sine has an amplitude of 1/8.
    assert np.abs(samples).max() == pytest.approx(0.125, rel=0.05)
    assert video.media.audio is not None
    assert (video.media.audio.codec, video.media.audio.sample_rate) == ("flac", 44100)
    assert video.media.audio.channels == 1


def test_channels_are_mixed_down(tmp_path: Path) -> None:
    sides = "aevalsrc='0.4*sin(2*PI*300*t)|0.4*sin(2*PI*700*t)':duration=4"
    _, samples, video = heard(clip(tmp_path / "s.mkv", sides, "-c:a", "pcm_s16le"))
    spectrum = np.abs(np.fft.rfft(samples[16000:32000]))
    assert spectrum[300] > 1000 and spectrum[700] == pytest.approx(spectrum[300], rel=0.02)
    assert video.media.audio is not None and video.media.audio.channels == 2


def test_late_sound_is_late(tmp_path: Path) -> None:
    plain = clip(tmp_path / "p.mkv", "sine=duration=2", "-c:a", "pcm_s16le")
    late = tmp_path / "late.mkv"
    ffmpeg(
        *("-i", plain, "-itsoffset", "0.75", "-i", plain, "-map", "0:v", "-map", "1:a"),
        *("-c", "copy", late),
    )
    starts, samples, video = heard(late)
    assert starts[0] == pytest.approx(0.75, abs=0.002)
    assert np.flatnonzero(np.abs(samples) > 0.01)[0] == pytest.approx(12000, abs=60)
    assert video.media.audio is not None
    assert video.media.audio.start_s == pytest.approx(0.75, abs=0.002)


def test_a_gap_stays_a_gap(tmp_path: Path) -> None:
    # Sound from 0 to 1 s and from 2 to 3 s, by stamps alone.
    gap = clip(
        tmp_path / "gap.mkv",
        "sine=duration=3,aselect='lt(t,1)+gt(t,2)'",
        *("-c:a", "pcm_s16le", "-af", "asetpts=PTS", "-fps_mode", "passthrough"),
    )
    starts, samples, _ = heard(gap)
    loud = np.abs(samples).reshape(-1)[: 16000 * 3]
    assert loud[2000:14000].max() > 0.1 and loud[35000:46000].max() > 0.1
    assert loud[17500:30500].max() == 0
    assert any(abs(s - 2) < 0.1 for s in starts)


def test_times_count_from_the_first_picture(tmp_path: Path) -> None:
    # A transport stream's clock begins at 1.4 s for picture and sound alike.
    stream = clip(tmp_path / "a.ts", "sine=duration=2", "-c:a", "mp2", "-f", "mpegts")
    starts, _, video = heard(stream)
    assert video.media.start_s == pytest.approx(1.4, abs=0.1)
    assert starts[0] == pytest.approx(0, abs=0.05)


def test_damaged_sound_loses_little(tmp_path: Path) -> None:
    whole = clip(tmp_path / "w.mp4", "sine=duration=4", "-c:a", "aac")
    data = bytearray(whole.read_bytes())
    rng = random.Random(5)
    for _ in range(30):
        data[rng.randrange(2000, len(data) - 8000)] ^= 0xFF
    bad = tmp_path / "bad.mp4"
    bad.write_bytes(data)
    _, samples, _ = heard(bad)
    assert len(samples) > 3.5 * 16000 and np.isfinite(samples).all()
    assert np.abs(samples).max() <= 1


def test_the_default_track_is_heard(tmp_path: Path) -> None:
    two = tmp_path / "two.mkv"
    ffmpeg(
        *("-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=1"),
        *("-f", "lavfi", "-i", "sine=frequency=300:duration=1"),
        *("-f", "lavfi", "-i", "sine=frequency=900:duration=1"),
        *("-map", "0", "-map", "1", "-map", "2", *X264, "-c:a", "flac"),
        *("-disposition:a:0", "0", "-disposition:a:1", "default"),
        *("-metadata:s:a:1", "language=deu", two),
    )
    _, samples, video = heard(two)
    assert tone(samples[:16000], 16000) == pytest.approx(900, abs=2)
    assert video.media.audio is not None and video.media.audio.language == "deu"


def test_real_speech_is_whole(clips: Path) -> None:
    _, samples, video = heard(clips / "torchcodec_nasa_13013.mp4")
    assert video.media.audio is not None and video.media.audio.duration_s is not None
    assert len(samples) / 16000 == pytest.approx(video.media.audio.duration_s, abs=0.05)
    assert np.abs(samples).max() > 0.05
