"""Files whose clock begins late are whole, and those that were cut off are told by their header."""

from __future__ import annotations

from pathlib import Path

import pytest
from media_recipes import X264, ffmpeg

from triptych import media
from triptych.record.report import Media

AAC = ("-c:a", "aac")
CODECS = {
    "webm": ("-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "16", "-c:a", "libopus"),
    "avi": ("-c:v", "mpeg4", "-c:a", "mp3"),
    "asf": ("-c:v", "wmv2", "-c:a", "wmav2"),
    "mpg": ("-c:v", "mpeg2video", "-c:a", "mp2"),
    "ogv": ("-c:v", "libtheora", "-c:a", "libvorbis"),
}


def clip(folder: Path, kind: str, start: float, sound: bool) -> Path:
    """Three seconds whose clock begins at ``start``."""
    out = folder / f"clip.{kind}"
    over = ("-f", "lavfi", "-i", "sine=sample_rate=48000:duration=3") if sound else ()
    codecs = CODECS.get(kind, (*X264, *AAC))
    index_first = ("-movflags", "+faststart") if kind in ("mp4", "mov") else ()
    offset = ("-output_ts_offset", str(start))
    picture = "testsrc2=size=160x120:rate=25:duration=3"
    ffmpeg("-f", "lavfi", "-i", picture, *over, *codecs, *index_first, *offset, out)
    return out


def known(path: Path) -> Media:
    with media.open(path) as video:
        header = video.media.duration_s
        for _ in video.frames():
            pass
    assert header is None or header == pytest.approx(video.media.duration_s, abs=1.5)
    return video.media


@pytest.mark.parametrize("sound", [True, False])
@pytest.mark.parametrize("start", [2, 36000])
@pytest.mark.parametrize(
    "kind", ["mkv", "webm", "mp4", "mov", "ts", "mpg", "avi", "flv", "asf", "nut", "ogv"]
)
def test_a_clock_that_begins_late_loses_nothing(
    tmp_path: Path, kind: str, start: float, sound: bool
) -> None:
    if kind == "avi" and start > 1000:
        pytest.skip("AVI has no late start: the gap would be filled with a million empty frames")
    whole = known(clip(tmp_path, kind, start, sound))
    assert whole.damage == []
    assert whole.duration_s == pytest.approx(3, abs=0.05 if kind != "avi" else start + 0.05)


@pytest.mark.parametrize("sound", [True, False])
@pytest.mark.parametrize("start", [0, 36000])
@pytest.mark.parametrize("kind", ["mkv", "webm", "mp4", "mov", "flv"])
def test_what_was_cut_off_is_told(tmp_path: Path, kind: str, start: float, sound: bool) -> None:
    path = clip(tmp_path, kind, start, sound)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 6 // 10])
    cut = known(path)
    (damage,) = cut.damage
    assert "truncated at " in damage.reason and " of the declared 3.0" in damage.reason
    assert damage.end_s == pytest.approx(3, abs=0.1)
    assert not any("the container lasts" in n for n in cut.notes)


def test_sound_that_lasts_longer_is_not_a_cut(tmp_path: Path) -> None:
    """FLV states one length for all of it."""
    out = tmp_path / "longer.flv"
    ffmpeg(
        *("-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=3"),
        *("-f", "lavfi", "-i", "sine=duration=8", *X264, *AAC, out),
    )
    longer = known(out)
    assert longer.damage == []
    assert any("the container lasts 8.0" in n for n in longer.notes)
