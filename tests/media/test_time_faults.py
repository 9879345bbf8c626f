"""Files whose times, counts and lengths mislead: each gives what ffprobe or arithmetic says."""

from __future__ import annotations

import gc
import resource
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import pytest
from media_recipes import X264, ffmpeg, shown_times

from triptych import media

Made = Callable[[str], Path]


def times_of(path: Path, **options: int) -> list[float]:
    with media.open(path, **options) as video:  # type: ignore[arg-type]
        return [float(f.time) for f in video.frames()]


@pytest.mark.parametrize(
    "name",
    [
        "base.mp4",
        "base.mkv",
        "vfr_swing.mp4",
        "live_nodur.mkv",
        "piped_nodur.webm",
        "interlaced.mpg",
        "reschange.ts",
        "audio_longer.mp4",
        "gray16.mkv",
        "anamorphic.mp4",
    ],
)
def test_times_are_those_that_ffprobe_shows(made: Made, name: str) -> None:
    assert times_of(made(name)) == pytest.approx(shown_times(made(name)), abs=2e-6)


def test_real_clips_have_the_times_that_ffprobe_shows(clips: Path) -> None:
    for name in ("psd_delayed_start.mp4", "decord_pancake.mkv", "torchcodec_av1_video.mkv"):
        assert times_of(clips / name) == pytest.approx(shown_times(clips / name), abs=2e-6)


def test_variable_rate_is_told_by_each_frames_time(made: Made) -> None:
    with media.open(made("vfr_swing.mp4")) as video:
        levels = [(float(f.time), int(f.luma()[24, 32])) for f in video.frames()]
        cuts = [t for (_, a), (t, b) in pairwise(levels) if abs(a - b) > 40]
    assert cuts == [5.0, 10.0]
    assert video.media.vfr is True
    assert any("variable frame rate" in n for n in video.media.notes)
    assert video.media.fps == pytest.approx(len(levels) / video.media.duration_s)


def uneven(path: Path, stamps: list[int], base: Fraction) -> Path:
    with av.open(str(path), "w") as out:
        stream = out.add_stream("ffv1", rate=1)
        stream.width, stream.height, stream.pix_fmt = 32, 32, "yuv420p"
        stream.time_base = stream.codec_context.time_base = base
        for stamp in stamps:
            frame = av.VideoFrame(32, 32, "yuv420p")
            for plane in frame.planes:
                plane.update(bytes([stamp % 200]) * plane.buffer_size)
            frame.pts, frame.time_base = stamp, base
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def test_duration_is_the_gap_to_the_next_frame(tmp_path: Path) -> None:
    stamps = [0, 7, 19, 20, 41, 70]
    with media.open(uneven(tmp_path / "uneven.mkv", stamps, Fraction(1))) as video:
        frames = [(f.time, f.duration) for f in video.frames()]
    assert [t for t, _ in frames] == stamps
    assert [d for _, d in frames[:-1]] == [7, 12, 1, 21, 29]
    assert video.media.vfr is True


def test_soft_telecine_is_told_and_ends_after_it_starts(tmp_path: Path) -> None:
    stamps = [0]
    for i in range(48):
        stamps.append(stamps[-1] + (33 if i % 2 else 50))
    with media.open(uneven(tmp_path / "film.mkv", stamps, Fraction(1, 1000))) as video:
        frames = [(f.time, f.duration) for f in video.frames()]
    assert all(d is not None and d > 0 for _, d in frames)
    assert video.media.duration_s == pytest.approx(float(sum(frames[-1])), abs=1e-6)  # type: ignore[arg-type]
    assert "film in a video rate: frames last two and three fields in turn" in video.media.notes


def test_a_dropped_frame_is_no_variable_rate(tmp_path: Path) -> None:
    stamps = [40 * i for i in range(60) if i != 30]
    with media.open(uneven(tmp_path / "drop.mkv", stamps, Fraction(1, 1000))) as video:
        assert len(list(video.frames())) == 59
    assert video.media.vfr is False and video.media.fps == pytest.approx(25, rel=0.03)


@pytest.mark.parametrize("name", ["live_nodur.mkv", "piped_nodur.webm", "raw.h264"])
def test_absent_counts_and_lengths_are_measured(made: Made, name: str) -> None:
    with media.open(made(name)) as video:
        assert video.media.frames is None
        assert sum(1 for _ in video.frames()) == 90
    assert video.media.frames == 90 and video.media.fps == 30.0
    assert video.media.duration_s == pytest.approx(3.0, abs=0.002)
    assert video.media.damage == []


def test_without_stamps_the_last_frame_is_there_and_frames_differ(made: Made) -> None:
    with media.open(made("bframes.avi")) as video:
        frames = [(f.time, f.luma().tobytes()) for f in video.frames()]
    assert [t for t, _ in frames] == [Fraction(i, 30) for i in range(90)]
    assert len({p for _, p in frames}) == 90


def test_frames_hidden_by_an_edit_list_are_not_shown(made: Made, tmp_path: Path) -> None:
    # Cut without coding: the frames from the key frame to the cut stay in the file, unseen.
    source, cut = tmp_path / "gop.mp4", tmp_path / "cut.mp4"
    ffmpeg("-f", "lavfi", "-i", "testsrc2=size=64x48:rate=30:duration=2", *X264, "-g", "60", source)
    ffmpeg("-ss", "0.5", "-i", source, "-c", "copy", cut)
    shown = shown_times(cut)
    with av.open(str(cut)) as container:
        packets = sum(1 for p in container.demux(video=0) if p.size)
    assert len(shown) < packets
    with media.open(cut) as video:
        got = [float(f.time) for f in video.frames()]
    assert got[0] == 0.0 and got == pytest.approx(shown, abs=2e-6)
    assert video.media.frames == len(shown) and video.media.damage == []


def test_hidden_reference_frames_are_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "altref.webm"
    ffmpeg(
        *("-f", "lavfi", "-i", "testsrc2=size=64x48:rate=30:duration=2", "-c:v", "libvpx"),
        *("-auto-alt-ref", "1", "-lag-in-frames", "16", "-b:v", "200k", "-arnr-maxframes", "5"),
        path,
    )
    with media.open(path) as video:
        assert sum(1 for _ in video.frames()) == len(shown_times(path)) == 60
    assert video.media.damage == []


def test_container_and_video_lengths_are_both_told(made: Made) -> None:
    with media.open(made("audio_longer.mp4")) as video:
        sound = sum(len(b.samples) for b in video.sound(8000)) / 8000
        assert sum(1 for _ in video.frames()) == 90
    assert video.media.duration_s == 3.0 and video.media.damage == []
    assert "the container lasts 8.00 s, its video 3.00 s" in video.media.notes
    assert video.media.audio is not None
    assert video.media.audio.duration_s == pytest.approx(8.0, abs=0.05)
    assert sound == pytest.approx(8.0, abs=0.06)


def test_time_bases_do_not_shift_frames(made: Made) -> None:
    mp4, mkv = times_of(made("base.mp4")), times_of(made("base.mkv"))
    assert mkv == pytest.approx(mp4, abs=0.0005001)


def test_an_offset_below_one_frame_stays_visible(made: Made, tmp_path: Path) -> None:
    late = tmp_path / "late.mkv"
    ffmpeg("-i", made("base.mkv"), "-c", "copy", "-output_ts_offset", "0.009", late)
    with media.open(late) as video:
        times = [float(f.time) for f in video.frames()]
    assert video.media.start_s == pytest.approx(0.009)
    assert times == pytest.approx(times_of(made("base.mkv")), abs=0.0011)


@pytest.mark.parametrize(
    "name", ["base.mp4", "bframes.avi", "corrupt_middle.mp4", "interlaced.mpg"]
)
def test_two_runs_and_any_threads_give_the_same(made: Made, name: str) -> None:
    runs = []
    for threads in (1, 2, 2, 4):
        with media.open(made(name), threads=threads) as video:
            seen = [(f.time, f.duration, f.luma().tobytes()) for f in video.frames()]
            runs.append((seen, video.media.model_dump_json()))
    assert runs[1:] == runs[:-1]


def test_a_clock_that_starts_again_only_moves_forward(made: Made) -> None:
    with media.open(made("restart.ts")) as video:
        times = [float(f.time) for f in video.frames()]
    assert len(times) == 60 and times == sorted(set(times))
    assert times[-1] == pytest.approx(59 / 30, abs=0.001)
    assert "the file's clock begins again at 1.000 s" in video.media.notes


def test_moments_are_the_frames_of_the_pass(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    # Wherever a reader is sent, it must show the frame that the pass showed at that time.
    monkeypatch.setattr("triptych.media.moments.FAR_S", 0.2)
    for name in ("base.mp4", "bframes.avi", "live_nodur.mkv", "raw.h264", "interlaced.mpg"):
        with media.open(made(name)) as video:
            passed = {float(f.time): f.luma().tobytes() for f in video.frames()}
            asked = sorted(passed)[5::9]
            for time, frame in media.frames_at(video, asked):
                assert float(frame.time) == time, name
                assert frame.luma().tobytes() == passed[time], name


def test_one_frame_is_a_video(made: Made) -> None:
    with media.open(made("one_frame.mp4")) as video:
        frames = list(video.frames())
    assert [f.time for f in frames] == [0] and frames[0].duration == Fraction(1, 30)
    assert video.media.frames == 1 and video.media.duration_s == pytest.approx(1 / 30, abs=1e-6)


def resident() -> int:
    """Memory in use now, in MiB. (The peak would hide growth below an earlier test's peak.)"""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() >> 20


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Frames must go without the garbage collector's help: it does not see how large they are."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(("name", "left"), [("three_hours.mp4", 3000), ("large.mp4", 80)])
def test_memory_is_flat_in_duration(made: Made, name: str, left: int, no_collector: None) -> None:
    with media.open(made(name)) as video:
        frames = video.frames()
        count = 3600 if name == "three_hours.mp4" else 100
        for _ in range(count - left):
            next(frames).i420(64, 48)
        before, most = resident(), 0
        for frame in frames:
            frame.i420(64, 48)
            most = max(most, resident())
            left -= 1
    assert left == 0 and video.media.frames == count
    # Eighty frames of the large clip are 110 MiB.
    assert most - before < 30
