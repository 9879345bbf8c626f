"""Findings on sound, on small files made by ffmpeg from a made sound."""

from __future__ import annotations

import shutil
import subprocess
import sys
import wave
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from triptych import media
from triptych.diff.context import Context
from triptych.diff.options import Options
from triptych.diff.sound import findings
from triptych.measure.sound import RATE, survey_sound
from triptych.measure.speech import transcribe
from triptych.measure.survey import survey
from triptych.measure.timemap import Piece, TimeMap
from triptych.record.report import Alignment, Damage, Finding

SECONDS = 8
PICTURE = ["-f", "lavfi", "-i", f"testsrc2=s=64x48:r=10:d={SECONDS}"]
Made = Callable[..., Path]


def syllables(seed: int) -> np.ndarray:
    """Bursts of random length and formants, as speech has them."""
    rng = np.random.default_rng(seed)
    out = np.zeros(SECONDS * RATE)
    t = 0.1
    while t < SECONDS - 0.4:
        length, gap = rng.uniform(0.08, 0.3), rng.uniform(0.02, 0.2)
        x = np.arange(round(length * RATE)) / RATE
        for k, f in enumerate(rng.uniform([250, 900, 2200], [900, 2200, 6000])):
            first = round(t * RATE)
            out[first : first + len(x)] += (
                0.2 / (k + 1) * np.sin(2 * np.pi * f * x) * np.hanning(len(x))
            )
        t += length + gap
    return out


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("sound")

    def make(name: str, *options: str, seed: int = 1) -> Path:
        path = folder / name
        if path.exists():
            return path
        source = folder / f"{seed}.wav"
        with wave.open(str(source), "wb") as f:
            f.setparams((1, 2, RATE, 0, "NONE", ""))
            f.writeframes((syllables(seed) * 32767).astype(np.int16).tobytes())
        subprocess.run(
            ["ffmpeg", "-v", "error", *PICTURE, "-i", source, "-c:v", "mpeg4", *options, path],
            check=True,
        )
        return path

    return make


def found(
    a: Path,
    b: Path,
    piece: Piece | None = None,
    speech: bool = False,
    damage: Sequence[Damage] = (),
    speed: tuple[float, tuple[float, float]] | None = None,
) -> dict[str, Finding]:
    with media.open(a, id="A") as va, media.open(b, id="B") as vb:
        sa, sb = survey(va), survey(vb)
        sb.media.damage.extend(damage)
        tracks = survey_sound(va), survey_sound(vb)
        context = Context(
            options=Options(),
            a=sa,
            b=sb,
            video_a=va,
            video_b=vb,
            alignment=Alignment(
                matched=True,
                score=1.0,
                speed=speed[0] if speed else None,
                speed_interval=speed[1] if speed else None,
            ),
            timemap=TimeMap((piece or Piece(0.0, min(sa.duration, sb.duration), 0.0, 1.0),)),
            observed={"sound": tracks},
        )
        if speech:
            context.observed["speech"] = (
                transcribe(va, "en", tracks[0]),
                transcribe(vb, "en", tracks[1]),
            )
        return {f.aspect: f for f in findings(context)}


def relations(all_found: dict[str, Finding]) -> dict[str, str]:
    return {k: f.relation for k, f in all_found.items()}


SAME = {"presence": "same", "loudness": "same", "offset": "same", "content": "same"}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("aac.mp4", ["-c:a", "aac", "-b:a", "48k"]),
        ("mp3.mkv", ["-c:a", "libmp3lame", "-b:a", "64k"]),
        ("opus.mkv", ["-c:a", "libopus", "-b:a", "32k"]),
        ("stereo.mov", ["-c:a", "pcm_s16le", "-ac", "2", "-ar", "44100"]),
        ("low.mov", ["-c:a", "pcm_s16le", "-ar", "8000"]),
    ],
)
def test_another_encode_is_the_same(made: Made, name: str, options: list[str]) -> None:
    assert relations(found(made("a.mkv", "-c:a", "flac"), made(name, *options))) == SAME


@pytest.mark.parametrize("gain", [-3, -6, -12])
def test_a_gain_is_loudness_alone(made: Made, gain: int) -> None:
    b = made(f"gain{gain}.mp4", "-af", f"volume={gain}dB", "-c:a", "aac")
    got = found(made("a.mkv", "-c:a", "flac"), b)
    assert relations(got) == SAME | {"loudness": "different"}
    assert got["loudness"].values["difference_lu"] == pytest.approx(gain, abs=0.2)
    measure = got["loudness"].measure
    assert measure is not None and (measure.unit, measure.threshold) == ("LU", 1.5)
    assert measure.values == {"B": pytest.approx(gain, abs=0.2)}


@pytest.mark.parametrize(
    ("shift", "effect"),
    [
        (0.1, "adelay=100"),
        (-0.1, "atrim=start=0.1,asetpts=PTS-STARTPTS"),
        (0.5, "adelay=500"),
        (2.0, "adelay=2000"),
    ],
)
def test_a_shift_is_offset_alone(made: Made, shift: float, effect: str) -> None:
    b = made(f"shift{shift}.mp4", "-af", effect, "-c:a", "aac", "-t", str(SECONDS))
    got = found(made("a.mkv", "-c:a", "flac"), b)
    assert relations(got) == SAME | {"offset": "different"}
    assert got["offset"].values["B"] == pytest.approx(shift, abs=0.012)


def test_mute_and_no_sound_are_presence_and_nothing_else(made: Made) -> None:
    a = made("a.mkv", "-c:a", "flac")
    mute, none = made("mute.mp4", "-af", "volume=0", "-c:a", "aac"), made("none.mp4", "-an")
    assert relations(found(a, mute)) == {"presence": "different"}
    assert relations(found(none, a)) == {"presence": "different"}
    assert "A has no sound" in found(none, a)["presence"].statement
    assert relations(found(none, none)) == {"presence": "same"}
    assert found(none, none)["presence"].statement == "no sound in either"


def test_other_sound_is_content(made: Made) -> None:
    got = found(made("a.mkv", "-c:a", "flac"), made("other.mkv", "-c:a", "flac", seed=2))
    assert got["content"].relation == "different"
    assert "offset" not in got
    measure = got["content"].measure
    assert measure is not None and (measure.unit, measure.threshold) == ("1", 0.6)
    share = measure.values["B"]
    assert isinstance(share, float) and share >= 0.6


def test_a_hole_is_found_where_it_is(made: Made) -> None:
    b = made("hole.mp4", "-af", "volume=0:enable='between(t,3,4)'", "-c:a", "aac")
    got = found(made("a.mkv", "-c:a", "flac"), b)
    assert got["content"].relation == "different"
    spans = [e for e in got["content"].evidence if e.video == "A"]
    assert (spans[0].start_s, spans[0].end_s) == pytest.approx((3, 4), abs=0.35)
    measure = got["content"].measure
    assert measure is not None and (measure.unit, measure.threshold) == ("s", 0.4)
    assert measure.values["B"] == pytest.approx(1.0, abs=0.7)


def test_a_shift_within_what_the_speed_leaves_open_is_none(made: Made) -> None:
    a = made("a.mkv", "-c:a", "flac")
    fast = made("fast.mkv", "-vf", "setpts=PTS/1.5", "-af", "atempo=1.5", "-c:a", "flac")
    off = Piece(0.0, SECONDS, 0.15, 1 / 1.5)
    # 10 frames a second: 0.03 + 0.05 + 0.05 s. The interval adds half of 5.3 s times 0.03 / 1.5.
    assert found(a, fast, off)["offset"].relation == "different"
    wide = found(a, fast, off, speed=(1.5, (1.485, 1.515)))["offset"]
    assert wide.relation == "same"
    assert wide.measure is not None
    assert wide.measure.threshold == pytest.approx(0.13 + 5.3 / 2 * 0.02, abs=0.005)


def test_sound_too_short_to_show_an_offset_has_none(made: Made) -> None:
    a = made("a.mkv", "-c:a", "flac")
    got = found(a, a, Piece(0.0, 0.9, 0.0, 1.0))
    assert (got["offset"].relation, got["offset"].values) == ("unknown", {})


def test_sound_that_goes_with_the_picture_is_the_same_backwards_and_faster(made: Made) -> None:
    a = made("a.mkv", "-c:a", "flac")
    back = made("back.mkv", "-af", "areverse", "-c:a", "flac")
    assert relations(found(a, back, Piece(0.0, SECONDS, SECONDS, -1.0))) == SAME
    fast = made("fast.mkv", "-vf", "setpts=PTS/1.5", "-af", "atempo=1.5", "-c:a", "flac")
    assert relations(found(a, fast, Piece(0.0, SECONDS, 0.0, 1 / 1.5))) == SAME


def test_sound_that_stays_when_the_picture_turns_back_does_not_follow(made: Made) -> None:
    a = made("a.mkv", "-c:a", "flac")
    got = found(a, a, Piece(0.0, SECONDS, SECONDS, -1.0))
    assert got["content"].relation == "same"
    assert got["offset"].relation == "different"


def test_damage_is_not_counted_as_a_difference(made: Made) -> None:
    a = made("a.mkv", "-c:a", "flac")
    b = made("hole.mp4", "-af", "volume=0:enable='between(t,3,4)'", "-c:a", "aac")
    damage = [Damage(start_s=2.9, end_s=4.1, reason="decoded with errors")]
    assert relations(found(a, b, damage=damage)) == SAME
    assert relations(found(b, a)) == SAME | {"content": "different"}


def test_one_changed_word_is_found_and_another_encode_changes_none(tmp_path: Path) -> None:
    pytest.importorskip("faster_whisper", reason="the extra 'speech' is not installed")
    if shutil.which("flite") is None:
        pytest.skip("the program flite is not installed")
    said = "The committee will meet on {} to discuss the new railway station."
    files = []
    for name, day, options in (
        ("a.mkv", "Tuesday", ["-c:a", "flac"]),
        ("b.mkv", "Thursday", ["-c:a", "flac"]),
        ("c.mkv", "Tuesday", ["-c:a", "libopus", "-b:a", "24k"]),
    ):
        wav = tmp_path / f"{name}.wav"
        subprocess.run(["flite", "-voice", "slt", "-t", said.format(day), "-o", wav], check=True)
        path = tmp_path / name
        subprocess.run(
            ["ffmpeg", "-v", "error", *PICTURE, "-i", wav, "-c:v", "mpeg4", *options, path],
            check=True,
        )
        files.append(path)
    changed = found(files[0], files[1], speech=True)["speech"]
    assert changed.relation == "different"
    assert "tuesday" in changed.statement and "thursday" in changed.statement
    (moment, *_) = [e for e in changed.evidence if e.video == "A"]
    assert 1.0 < moment.start_s < moment.end_s < 2.2
    assert found(files[0], files[2], speech=True)["speech"].relation == "same"


def test_without_the_extra_speech_is_unknown(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    a = made("a.mkv", "-c:a", "flac")
    got = found(a, a, speech=True)["speech"]
    assert got.relation == "unknown"
    assert "pip install" in got.statement
