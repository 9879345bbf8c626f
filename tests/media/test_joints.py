"""Clocks that jump ahead in the middle of a broadcast's file, and pictures that are only held."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from media_recipes import X264, ffmpeg

from triptych import media
from triptych.record.report import Media

AAC = ("-c:a", "aac")
SOUND = ("-f", "lavfi", "-i", "sine=duration=2")


def part(out: Path, offset: float, *sound: str, seconds: float = 2, rate: str = "25") -> bytes:
    """A piece of a recording whose clock begins at ``offset`` seconds, 1.4 s aside."""
    picture = f"testsrc2=size=64x48:rate={rate}:duration={seconds}"
    codecs = ("-c:v", "mpeg2video", "-c:a", "mp2") if out.suffix == ".mpg" else (*X264, *AAC)
    offsets = ("-output_ts_offset", str(offset))
    ffmpeg("-f", "lavfi", "-i", picture, *sound, *codecs, *offsets, out)
    return out.read_bytes()


def joined(tmp_path: Path, *pieces: bytes, name: str = "joined.ts") -> tuple[list[float], Media]:
    """The times of all frames of the pieces one behind the other, and what was learned."""
    path = tmp_path / name
    path.write_bytes(b"".join(pieces))
    with media.open(path) as video:
        times = [float(f.time) for f in video.frames()]
        sound = [(float(b.time), len(b.samples)) for b in video.sound()]
    if sound:
        # Each piece of sound is a packet longer than its picture.
        near, end = 0.06 * (1 + len(pieces)), len(times) / 25
        assert sum(n for _, n in sound) / 16000 == pytest.approx(end, abs=near)
        assert sound[-1][0] + sound[-1][1] / 16000 == pytest.approx(end, abs=near)
    return times, video.media


@pytest.mark.parametrize(("by", "sound"), [(5000, True), (5000, False), (30, True), (80000, True)])
@pytest.mark.parametrize("kind", ["ts", "mpg"])
def test_what_follows_a_jump_goes_on_at_once(
    tmp_path: Path, kind: str, by: float, sound: bool
) -> None:
    name = tmp_path / f"part.{kind}"
    first, second = (part(name, o, *(SOUND if sound else ())) for o in (0, by))
    times, known = joined(tmp_path, first, second, name=f"joined.{kind}")
    assert times == pytest.approx(list(np.arange(100) / 25), abs=1e-4)
    assert known.duration_s == pytest.approx(4) and not known.vfr and not known.damage
    (note,) = [n for n in known.notes if "clock" in n]
    assert note.startswith("the file's clock jumps ahead by ") and " at 2.000 s" in note


def test_several_jumps_ahead_and_back(tmp_path: Path) -> None:
    pieces = [part(tmp_path / "part.ts", o, *SOUND) for o in (5000, 9000, 100, 40000)]
    times, known = joined(tmp_path, *pieces)
    assert times == pytest.approx(list(np.arange(200) / 25), abs=1e-4)
    assert sum("jumps ahead" in n for n in known.notes) == 2
    assert sum("begins again" in n for n in known.notes) == 1


@pytest.mark.parametrize("sound", [False, True])
def test_a_held_picture_is_held(tmp_path: Path, sound: bool) -> None:
    """Slides of a minute each, with a speaker over them or none."""
    over = ("-f", "lavfi", "-i", "sine=duration=300:sample_rate=8000") if sound else ()
    slides = part(tmp_path / "slides.ts", 0, *over, seconds=300, rate="1/60")
    (tmp_path / "x.ts").write_bytes(slides)
    with media.open(tmp_path / "x.ts") as video:
        times = [float(f.time) for f in video.frames()]
    assert times == [0, 60, 120, 180, 240]
    assert not any("clock" in n for n in video.media.notes)


def test_a_picture_held_once_in_a_usual_rate(tmp_path: Path) -> None:
    """One second of motion, a slide for 100 s while the sound runs on, and motion again."""
    source = "testsrc2=size=64x48:rate=25:duration=102,select='lt(t,1)+gt(t,101)'"
    out = tmp_path / "held.ts"
    ffmpeg(
        *("-f", "lavfi", "-i", source, "-f", "lavfi", "-i", "sine=duration=102"),
        *("-vsync", "vfr", *X264, *AAC, out),
    )
    with media.open(out) as video:
        times = [float(f.time) for f in video.frames()]
        heard = sum(len(b.samples) for b in video.sound()) / 16000
    assert max(b - a for a, b in pairwise(times)) == pytest.approx(100.04, abs=0.05)
    assert heard == pytest.approx(102, abs=0.2)


def test_a_hole_in_the_sound_is_a_hole(tmp_path: Path) -> None:
    source = "sine=duration=40,aselect='lt(t,5)+gt(t,25)'"
    out = tmp_path / "hole.ts"
    ffmpeg(
        *("-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=40"),
        *("-f", "lavfi", "-i", source, *X264, *AAC, out),
    )
    with media.open(out) as video:
        assert [float(f.time) for f in video.frames()] == pytest.approx(list(np.arange(1000) / 25))
        blocks = [(float(b.time), len(b.samples) / 16000) for b in video.sound()]
    holes = [(a + n, b) for (a, n), (b, _) in pairwise(blocks) if b - a - n > 1]
    assert holes == [pytest.approx((5, 25), abs=0.2)]


def test_other_containers_mean_what_they_say(tmp_path: Path) -> None:
    source = "testsrc2=size=64x48:rate=25:duration=2,setpts='PTS+gte(T,1)*5000/TB'"
    for kind in ("mkv", "mp4"):
        out = tmp_path / f"gap.{kind}"
        ffmpeg("-f", "lavfi", "-i", source, "-vsync", "vfr", *X264, out)
        with media.open(out) as video:
            times = [float(f.time) for f in video.frames()]
        assert times[-1] == pytest.approx(5001.96, abs=0.01)
