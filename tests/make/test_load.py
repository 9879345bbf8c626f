"""Files to clips, against ffmpeg's own decoder."""

from __future__ import annotations

import os
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from triptych.make.clip import Clip
from triptych.make.encode import write_clip
from triptych.make.load import Window, digest, duration, load
from triptych.record.errors import NoPictureError, NotFoundError, SourceError, UnreadableError

WHOLE = Window(0.0, 12.0, 640)


def ffmpeg(*arguments: str) -> bytes:
    done = subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-y", *arguments], capture_output=True, check=True
    )
    return done.stdout


def luma(path: Path, width: int, height: int, chain: str = "null") -> np.ndarray:
    raw = ffmpeg("-i", f"file:{path}", "-vf", f"{chain},format=gray", "-f", "rawvideo", "-")
    return np.frombuffer(raw, np.uint8).reshape(-1, height, width)


def test_frames_rate_and_sound_are_those_of_the_file(files: dict[str, Path], clip: Clip) -> None:
    loaded = load(files["sound"], WHOLE)
    assert (loaded.size, loaded.fps, len(loaded.frames)) == ((160, 96), Fraction(20), 80)
    raw = ffmpeg("-i", str(files["sound"]), "-f", "rawvideo", "-")
    wanted = np.frombuffer(raw, np.uint8).reshape(80, 144, 160)
    got = np.stack([loaded.frames[i] for i in range(80)])
    assert np.array_equal(got, wanted)
    assert loaded.sound is not None and clip.sound is not None
    # FLAC at 16 bits: half a step of rounding.
    assert np.abs(loaded.sound.samples - clip.sound.samples).max() <= 0.6 / 32768


def test_a_window_starts_at_the_nearest_frame_and_takes_its_sound(files: dict[str, Path]) -> None:
    whole, part = load(files["sound"], WHOLE), load(files["sound"], Window(1.5, 2.0, 640))
    assert len(part.frames) == 40
    assert np.array_equal(part.frames[0], whole.frames[30])
    assert whole.sound is not None and part.sound is not None
    assert np.allclose(part.sound.samples[0], whole.sound.samples[0, 24000:56000], atol=1e-6)


def test_a_wide_clip_is_scaled_down_and_pixels_made_square(tmp_path: Path) -> None:
    path = tmp_path / "anamorphic.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=176x144:r=25:d=0.4", "-vf", "setsar=16/11", str(path))
    assert load(path, WHOLE).size == (256, 144)
    assert load(path, Window(0, 12, 128)).size == (128, 72)


@pytest.mark.parametrize("degrees", [90, 180, 270])
def test_a_turned_clip_is_upright(tmp_path: Path, degrees: int) -> None:
    plain, turned = tmp_path / "plain.mp4", tmp_path / "turned.mp4"
    ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=0.2", "-pix_fmt", "yuv420p",
        "-colorspace", "bt709", "-color_range", "tv", str(plain),
    )  # fmt: skip
    ffmpeg("-i", str(plain), "-c", "copy", "-metadata:s:v", f"rotate={degrees}", str(turned))
    loaded = load(turned, WHOLE)
    size = (96, 160) if degrees % 180 else (160, 96)
    assert loaded.size == size
    wanted = luma(turned, *size)[2].astype(int)
    got = (loaded.frames[2][: size[1]].astype(float) - 16) * 255 / 219
    assert np.abs(wanted - got).mean() < 2


def test_a_varying_rate_holds_frames(tmp_path: Path) -> None:
    path = tmp_path / "vfr.mkv"
    ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=1", "-vf",
        "setpts='if(lt(N,5),N*0.1,0.5+(N-5)*0.3)/TB'", "-vsync", "vfr", "-c:v", "ffv1", str(path),
    )  # fmt: skip
    loaded = load(path, WHOLE)
    assert loaded.seconds == pytest.approx(0.5 + 4 * 0.3, abs=0.25)
    steps = [np.array_equal(loaded.frames[i], loaded.frames[i + 1])
             for i in range(len(loaded.frames) - 1)]  # fmt: skip
    assert sum(not s for s in steps) == 9


def test_a_late_track_stays_late(tmp_path: Path) -> None:
    path = tmp_path / "late.mkv"
    ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=20:d=2", "-itsoffset", "0.5",
        "-f", "lavfi", "-i", "sine=f=500:r=16000:d=1", "-c:v", "ffv1", "-c:a", "pcm_s16le",
        str(path),
    )  # fmt: skip
    sound = load(path, WHOLE).sound
    assert sound is not None
    assert sound.samples.shape[1] == 32000
    heard = np.flatnonzero(np.abs(sound.samples[0]) > 0.01)
    assert heard[0] / 16000 == pytest.approx(0.5, abs=0.002)
    assert heard[-1] / 16000 == pytest.approx(1.5, abs=0.002)


def test_a_damaged_clip_gives_what_can_be_decoded(files: dict[str, Path], tmp_path: Path) -> None:
    data = bytearray(files["quiet"].read_bytes())
    middle = len(data) // 2
    data[middle : middle + 400] = np.random.default_rng(0).bytes(400)
    path = tmp_path / "damaged.mp4"
    path.write_bytes(data)
    assert 1 <= len(load(path, WHOLE).frames) <= 80


def test_what_is_no_video_says_so(files: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no such file"):
        load(tmp_path / "none.mp4", WHOLE)
    with pytest.raises(NotFoundError):
        digest(tmp_path / "none.mp4")
    with pytest.raises(UnreadableError):
        load(files["text"], WHOLE)
    with pytest.raises(UnreadableError):
        digest(tmp_path)
    tone = tmp_path / "tone.wav"
    ffmpeg("-f", "lavfi", "-i", "sine=d=0.2", str(tone))
    with pytest.raises(NoPictureError):
        load(tone, WHOLE)


def test_a_name_is_never_an_address_or_an_option(files: dict[str, Path], tmp_path: Path) -> None:
    for name in ("http:x.mp4", "-dash.mp4", "12:30, [a].mp4"):
        path = tmp_path / name
        path.write_bytes(files["quiet"].read_bytes())
        assert len(load(path, WHOLE).frames) == 80
        assert duration(path) == pytest.approx(4.0, abs=0.01)


def test_a_written_clip_is_the_same_each_time(clip: Clip, tmp_path: Path) -> None:
    write_clip(clip, tmp_path / "a.mp4")
    rng, held = np.random.default_rng(0), []
    for _ in range(12):
        # An encoder that reads what it never wrote shows it where memory has been used before.
        held = [rng.integers(0, 255, n, np.uint8) for n in rng.integers(1000, 2_000_000, 4)]
        write_clip(clip, tmp_path / "b.mp4")
        assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()
    assert held
    said = subprocess.run(
        ["ffprobe", "-v", "error", "-count_frames", "-show_entries",
         "stream=nb_read_frames,duration,r_frame_rate,codec_name,start_time:format_tags",
         "-of", "compact=nk=0", str(tmp_path / "a.mp4")],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert "codec_name=h264|r_frame_rate=20/1|start_time=0.000000|duration=4.000000" in said
    assert "codec_name=flac" in said
    assert "creation_time" not in said and "encoder" not in said


def test_only_regular_files_of_known_kinds_are_opened(
    files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "list.mp4").write_text(f"ffconcat version 1.0\nfile '{files['sound']}'\n")
    (tmp_path / "list.mkv").write_text(f"#EXTM3U\n#EXTINF:1,\n{files['sound']}\n")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    window = Window(0, 1, 64)
    wrong = {
        "pipe": "is a named pipe",
        "/dev/zero": "is a device",
        "folder": "is a folder",
        "-": "no such file",
        "http://localhost:9/x.mp4": "no such file",
        "gone.mp4": "no such file",
    }
    for name, reason in wrong.items():
        for use in (digest, duration, lambda p: load(p, window)):
            with pytest.raises(SourceError, match=reason):
                use(name)
    for name, reason in {"list.mp4": "a concat list", "list.mkv": "an HLS playlist"}.items():
        with pytest.raises(UnreadableError, match=f"is {reason} that names other files"):
            load(name, window)
