"""The alignment as reported: speed, offset and spans against ffmpeg's edits."""

from __future__ import annotations

from pathlib import Path

import pytest
from known_clips import FPS, SECONDS, edit, ffmpeg, film, report_of

from triptych.record.report import Alignment

FRAME = 1 / FPS
LAST = SECONDS - FRAME


def aligned(a: Path, b: Path, **options: object) -> Alignment:
    found = report_of(a, b, only=("playback technique: speed",), skip=(), **options).alignment
    assert found.matched
    return found


def check(found: Alignment, *spans: tuple[float, float, float, float]) -> None:
    got = [(*s.a, *s.b) for s in found.spans]
    assert len(got) == len(spans), got
    for span, wanted in zip(got, spans, strict=True):
        assert span == pytest.approx(wanted, abs=0.15)


@pytest.mark.parametrize("speed", [2.0, 0.5, 1.1])
def test_speed(clip: Path, tmp_path: Path, speed: float) -> None:
    found = aligned(clip, edit(clip, tmp_path / "b.mp4", f"setpts=PTS/{speed},fps={FPS}"))
    assert found.speed == pytest.approx(speed, rel=0.02)
    assert found.speed_interval is not None
    assert found.speed_interval[0] <= speed <= found.speed_interval[1]
    assert found.direction == "forward"
    check(found, (0, SECONDS, 0, SECONDS / speed))


def test_reversed(clip: Path, tmp_path: Path) -> None:
    found = aligned(clip, edit(clip, tmp_path / "b.mp4", "reverse"))
    assert (found.direction, found.mirrored) == ("reverse", "none")
    assert found.speed == pytest.approx(1, rel=0.01)
    # A's first moment is B's last frame.
    assert found.offset_s == pytest.approx(LAST, abs=FRAME)
    check(found, (0, SECONDS, 0, SECONDS))


def test_everything_at_once(clip: Path, tmp_path: Path) -> None:
    look = "reverse,hflip,setpts=PTS/1.5,fps=25,scale=192:108"
    found = aligned(clip, edit(clip, tmp_path / "b.mp4", look))
    assert (found.direction, found.mirrored) == ("reverse", "horizontal")
    assert found.speed == pytest.approx(1.5, rel=0.02)


def test_a_trimmed_start_is_an_offset(clip: Path, tmp_path: Path) -> None:
    found = aligned(clip, edit(clip, tmp_path / "b.mp4", "trim=start=1.2,setpts=PTS-STARTPTS"))
    assert found.offset_s == pytest.approx(-1.2, abs=FRAME)
    check(found, (1.2, SECONDS, 0, SECONDS - 1.2))


def test_a_second_cut_out_of_the_middle(clip: Path, tmp_path: Path) -> None:
    look = "select='lt(n,50)+gte(n,75)',setpts=N/25/TB"
    found = aligned(clip, edit(clip, tmp_path / "b.mp4", look))
    assert found.speed == pytest.approx(1, rel=0.01)
    check(found, (0, 2, 0, 2), (3, 5, 2, 4))


def joined(clip: Path, out: Path, parts: list[str], *more: Path) -> Path:
    """Trims of the inputs, one after the other: each "input:start:end"."""
    cuts, names = [], ""
    for i, part in enumerate(parts):
        source, start, end = part.split(":")
        cuts.append(f"[{source}:v]trim={start}:{end},setpts=PTS-STARTPTS[p{i}]")
        names += f"[p{i}]"
    graph = ";".join([*cuts, f"{names}concat=n={len(parts)}:v=1:a=0"])
    inputs = [x for path in (clip, *more) for x in ("-i", path)]
    ffmpeg(*inputs, "-filter_complex", graph, "-c:v", "libx264", "-crf", "18", out)
    return out


def test_two_seconds_swapped(clip: Path, tmp_path: Path) -> None:
    parts = ["0:0:1", "0:3:4", "0:2:3", "0:1:2", "0:4:5"]
    found = aligned(clip, joined(clip, tmp_path / "b.mp4", parts))
    check(found, (0, 1, 0, 1), (3, 4, 1, 2), (2, 3, 2, 3), (1, 2, 3, 4), (4, 5, 4, 5))
    assert [s.speed for s in found.spans] == pytest.approx([1.0] * 5, rel=0.05)


def test_other_footage_in_the_middle(clip: Path, work: Path, tmp_path: Path) -> None:
    other = film(work / "insert.mp4", seconds=2, seed=5, ground=78)
    b = joined(clip, tmp_path / "b.mp4", ["0:0:3", "1:0:2", "0:3:5"], other)
    check(aligned(clip, b), (0, 3, 0, 3), (3, 5, 5, 7))


def test_a_known_offset_is_kept(work: Path) -> None:
    """A loop fits itself at every round; the caller knows which."""
    once, thrice = film(work / "once.mp4", seconds=2), work / "thrice.mp4"
    ffmpeg("-stream_loop", "2", "-i", once, "-c", "copy", thrice)
    for offset in (0.0, 2.0, 4.0):
        found = aligned(once, thrice, offset_s=offset)
        assert any(
            s.b == pytest.approx([offset, offset + 2], abs=0.1) and s.a[0] < 0.1
            for s in found.spans
        )
        assert found.speed == pytest.approx(1.0, rel=0.01)
