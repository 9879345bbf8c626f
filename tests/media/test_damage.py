"""Broken files: what can be had is given, what cannot is listed, and nothing hangs or crashes."""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import av
import pytest
from media_recipes import X264, ffmpeg
from PIL import Image

from triptych import media
from triptych.record.errors import (
    ChangedError,
    NoPictureError,
    NotFoundError,
    SourceError,
    UnreadableError,
    UsageError,
)
from triptych.record.report import Media

Made = Callable[[str], Path]


def read(path: Path) -> tuple[list[float], Media]:
    with media.open(path) as video:
        return [float(f.time) for f in video.frames()], video.media


def recovered(path: Path) -> int:
    """Frames that one thread gets out of the file packet by packet."""
    count = 0
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        stream.thread_type = "NONE"
        for packet in container.demux(stream):
            try:
                count += len(packet.decode())
            except av.FFmpegError:
                continue
    return count


def test_a_damaged_middle_is_passed_over_and_listed(made: Made) -> None:
    times, known = read(made("corrupt_middle.mp4"))
    assert len(times) == recovered(made("corrupt_middle.mp4")) == 89
    assert times[-1] == pytest.approx(89 / 30) and known.fps == 30.0
    # The only key frame is the first: all that follows is predicted from what was lost.
    assert len(known.damage) == 1
    assert known.damage[0].start_s == pytest.approx(1.5, abs=0.07)
    assert known.damage[0].end_s == pytest.approx(3.0)


def test_damage_ends_at_the_next_key_frame(tmp_path: Path) -> None:
    path = tmp_path / "keys.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=size=320x240:rate=30:duration=3", *X264, "-g", "15", path)
    with av.open(str(path)) as container:
        spot = next(
            p
            for p in container.demux(video=0)
            if p.pts is not None and p.pts * p.time_base > 1.2 and not p.is_keyframe
        )
        where, hit = spot.pos, float(spot.pts * spot.time_base)
        size = spot.size
    data = bytearray(path.read_bytes())
    data[where + 6 : where + size] = random.Random(1).randbytes(size - 6)
    path.write_bytes(data)
    _, known = read(path)
    assert [(d.start_s, d.end_s) for d in known.damage] == [
        (pytest.approx(hit, abs=0.04), pytest.approx(1.5))
    ]


def test_a_recording_that_begins_between_key_frames(tmp_path: Path) -> None:
    whole, late = tmp_path / "whole.ts", tmp_path / "late.ts"
    ffmpeg(
        *("-f", "lavfi", "-i", "testsrc2=size=320x240:rate=30:duration=2", *X264, "-g", "30"),
        *("-f", "mpegts", whole),
    )
    data = whole.read_bytes()
    late.write_bytes(data[len(data) // 4 // 188 * 188 :])
    times, known = read(late)
    assert len(times) >= 30 and times[0] == 0 and times == sorted(set(times))
    assert all(d.end_s > 0 for d in known.damage)


def test_a_real_damaged_file_gives_49_of_its_50_frames(clips: Path) -> None:
    times, known = read(clips / "decord_corrupted.mp4")
    assert len(times) == 49 and times == sorted(set(times))
    assert [(d.start_s, d.end_s) for d in known.damage] == [(3.0, 5.0)]


def test_a_truncated_file_says_where_and_of_what(made: Made) -> None:
    times, known = read(made("truncated_faststart.mp4"))
    assert len(times) == 54 and known.duration_s == pytest.approx(1.8)
    assert len(known.damage) == 1
    assert (known.damage[0].start_s, known.damage[0].end_s) == (1.8, 3.0)
    assert "truncated at 1.80 s of the declared 3.00 s" in known.damage[0].reason


def test_a_truncated_matroska_file_is_told_too(made: Made, tmp_path: Path) -> None:
    data = made("base.mkv").read_bytes()
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(data[: len(data) // 2])
    times, known = read(cut)
    assert 30 < len(times) < 60
    assert known.damage[-1].end_s == pytest.approx(3.0, abs=0.04)
    assert known.damage[-1].start_s == pytest.approx(times[-1], abs=0.07)
    assert "truncated" in known.damage[-1].reason


@pytest.mark.parametrize("name", ["base.mp4", "base.mkv", "bframes.avi", "piped_nodur.webm"])
def test_whole_files_have_no_damage(made: Made, name: str) -> None:
    assert read(made(name))[1].damage == []


@pytest.mark.parametrize("seed", range(6))
def test_random_damage_never_crashes(made: Made, tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    name = ("base.mp4", "base.mkv", "bframes.avi", "interlaced.mpg", "reschange.ts", "vardelay.gif")
    data = bytearray(made(name[seed]).read_bytes())
    for _ in range(20):
        data[rng.randrange(len(data))] = rng.randrange(256)
    bad = tmp_path / ("bad" + Path(name[seed]).suffix)
    bad.write_bytes(data)
    try:
        times, known = read(bad)
    except SourceError as e:
        assert "\n" not in str(e)
    else:
        assert times == sorted(set(times)) and known.frames == len(times)


def test_only_cover_art_is_no_video(made: Made) -> None:
    with pytest.raises(NoPictureError, match="only cover art"):
        media.open(made("cover_art.m4a"))


def test_cover_art_beside_a_video_is_left_aside(made: Made, tmp_path: Path) -> None:
    cover, both = tmp_path / "cover.jpg", tmp_path / "both.mp4"
    Image.new("RGB", (600, 600), "red").save(cover)
    ffmpeg(
        *("-i", cover, "-i", made("base.mp4"), "-map", "0", "-map", "1", "-c", "copy"),
        *("-disposition:v:0", "attached_pic", both),
    )
    times, known = read(both)
    assert len(times) == 90 and known.width == 320
    assert "cover art is left aside" in known.notes


def test_sound_alone_is_no_video(tmp_path: Path) -> None:
    ffmpeg("-f", "lavfi", "-i", "sine=duration=0.2", tmp_path / "s.wav")
    with pytest.raises(NoPictureError, match="sound only"):
        media.open(tmp_path / "s.wav")


def test_of_several_streams_the_default_or_largest_is_used(made: Made, clips: Path) -> None:
    times, known = read(made("two_streams.mkv"))
    assert (known.width, len(times)) == (128, 30)
    assert "2 video streams (64x48, 128x96): stream 1 is used, the largest" in known.notes
    with media.open(made("two_streams.mkv"), stream=0) as video:
        assert video.media.width == 64 and sum(1 for _ in video.frames()) == 25
    with pytest.raises(UsageError, match="no video stream 2"):
        media.open(made("two_streams.mkv"), stream=2)
    _, nasa = read(clips / "torchcodec_nasa_13013.mp4")
    assert (nasa.width, nasa.height, nasa.frames) == (480, 270, 390)


def test_a_default_flag_beats_size(made: Made, tmp_path: Path) -> None:
    flagged = tmp_path / "flagged.mkv"
    ffmpeg(
        *("-i", made("two_streams.mkv"), "-map", "0", "-c", "copy"),
        *("-disposition:v:0", "default", "-disposition:v:1", "0", flagged),
    )
    with media.open(flagged) as video:
        assert video.media.width == 64
        assert any("the default" in n for n in video.media.notes)


def test_animation_delays(made: Made, tmp_path: Path) -> None:
    with media.open(made("vardelay.gif")) as video:
        frames = [(float(f.time), f.duration) for f in video.frames()]
    assert [t for t, _ in frames] == [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.9, 1.3, 1.7, 2.1]
    assert video.media.duration_s == 2.5 and video.media.frames == 10 and video.media.vfr is True
    with media.open(made("anim.webp")) as video:
        assert sum(1 for _ in video.frames()) == 10
    assert video.media.duration_s == 1.0 and video.media.fps == 10.0
    # No delay is shown as a tenth of a second, as browsers do.
    hasty = tmp_path / "hasty.gif"
    pictures = [Image.new("RGB", (8, 8), (60 * i, 0, 0)) for i in range(4)]
    pictures[0].save(hasty, save_all=True, append_images=pictures[1:], duration=0)
    assert read(hasty)[1].duration_s == pytest.approx(0.4)


def test_transparency_and_disposal_are_composed_on_black(tmp_path: Path) -> None:
    path = tmp_path / "dots.gif"
    pictures = []
    for x in (2, 12):
        picture = Image.new("RGBA", (20, 10), (0, 0, 0, 0))
        picture.paste((255, 255, 255, 255), (x, 2, x + 4, 6))
        pictures.append(picture)
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=100, disposal=2)
    with media.open(path) as video:
        one, two = (f.rgb() for f in video.frames())
    assert one[4, 4].tolist() == [255] * 3 and one[4, 14].tolist() == [0] * 3
    assert two[4, 14].tolist() == [255] * 3 and two[4, 4].tolist() == [0] * 3


def test_the_picture_for_programs_that_cannot_play_is_no_frame(tmp_path: Path) -> None:
    path = tmp_path / "apng.png"
    pictures = [Image.new("RGB", (8, 8), (60 * i, 0, 0)) for i in range(4)]
    pictures[0].save(
        path, save_all=True, append_images=pictures[1:], duration=100, default_image=True
    )
    with media.open(path) as video:
        reds = [int(f.rgb()[0, 0, 0]) for f in video.frames()]
    assert reds == [60, 120, 180]


def test_a_truncated_animation_keeps_its_first_frames(tmp_path: Path) -> None:
    path = tmp_path / "cut.gif"
    rng = random.Random(3)
    pictures = [Image.frombytes("RGB", (64, 64), rng.randbytes(64 * 64 * 3)) for _ in range(5)]
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=100)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    times, known = read(path)
    assert 1 <= len(times) < 5 and len(known.damage) <= 1


def test_what_is_no_video_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").write_bytes(b"")
    (tmp_path / "text.mp4").write_text("This is not a video.\n" * 50)
    (tmp_path / "noise.mp4").write_bytes(random.Random(0).randbytes(5000))
    (tmp_path / "half.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
    expected = {
        "empty.mp4": "is empty",
        "text.mp4": "is a text file, not a video",
        "noise.mp4": "is not a video",
        "half.png": "picture",
    }
    for name, what in expected.items():
        with pytest.raises(UnreadableError, match=what) as caught:
            media.open(tmp_path / name)
        assert name in str(caught.value) and "\n" not in str(caught.value)
    with pytest.raises(NotFoundError):
        media.open(tmp_path / "none.mp4")


@pytest.fixture
def nobody() -> Iterator[Path]:
    """An open folder and, where the tests run as root, the eyes of somebody who is not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        root = os.geteuid() == 0
        yield folder
        if root:
            os.seteuid(0)


def test_no_permission(nobody: Path) -> None:
    shut = nobody / "shut.mp4"
    shut.write_bytes(b"something")
    shut.chmod(0)
    (nobody / "shut").mkdir(mode=0)
    if os.geteuid() == 0:
        os.seteuid(65534)
    for path in (shut, nobody / "shut", nobody / "shut" / "clip.mp4"):
        with pytest.raises(UnreadableError, match="Permission denied"):
            media.open(path)


def test_a_file_that_changes_meanwhile(made: Made, tmp_path: Path) -> None:
    growing = tmp_path / "growing.mkv"
    data = made("base.mkv").read_bytes()
    growing.write_bytes(data)
    with media.open(growing) as video:
        frames = video.frames()
        next(frames)
        with growing.open("ab") as f:
            f.write(b"more")
        with pytest.raises(ChangedError, match="changed while it was being read"):
            list(frames)
    growing.write_bytes(data)
    with media.open(growing) as video:
        frames = video.frames()
        next(frames)
        growing.unlink()
        with pytest.raises(ChangedError, match="was removed"):
            list(frames)
