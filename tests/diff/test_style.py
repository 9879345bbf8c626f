"""Style and light, end to end: clips that ffmpeg made and changed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from triptych import media
from triptych.diff.compare import compare
from triptych.diff.context import Context
from triptych.diff.options import Options
from triptych.diff.style_bars import turned
from triptych.diff.style_look import look
from triptych.measure.survey import survey
from triptych.measure.texture import TextureSampler
from triptych.measure.timemap import Piece, TimeMap
from triptych.record.report import Alignment, Finding

ENCODE = ["-an", "-c:v", "libx264", "-preset", "veryfast", "-threads", "1", "-pix_fmt", "yuv420p"]
TAGS = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]


def ffmpeg(*args: str) -> None:
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *args], check=True)


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seconds of a zoom into the Mandelbrot set, 480x270, soft at the start as films are."""
    path = tmp_path_factory.mktemp("style") / "base.mp4"
    source = "mandelbrot=size=960x540:rate=15:start_scale=1.2:end_pts=60"
    look = "scale=480:270:out_color_matrix=bt709,eq=contrast=0.7"
    ffmpeg(
        "-f", "lavfi", "-i", source, "-t", "2", "-vf", look, *ENCODE, *TAGS, "-crf", "16", str(path)
    )
    return path


def edited(base: Path, tmp_path: Path, look: str, *encode: str) -> dict[str, Finding]:
    """Findings about ``base`` and what the filter chain ``look`` makes of it."""
    path = tmp_path / "b.mp4"
    ffmpeg("-i", str(base), "-vf", look, *ENCODE, *TAGS, *(encode or ("-crf", "18")), str(path))
    report = compare(base, path, Options(only=("style", "background")))
    assert report.alignment.matched
    return {f.aspect: f for f in report.findings}


def different(found: dict[str, Finding]) -> set[str]:
    return {name for name, f in found.items() if f.relation == "different"}


@pytest.mark.parametrize(
    ("look", "must", "may"),
    [
        ("hue=s=0.5", "colour", set()),
        ("hue=h=30", "colour", {"lighting"}),
        ("eq=contrast=0.7", "tone", {"colour", "lighting"}),
        ("eq=brightness=-0.1", "lighting", {"tone", "colour"}),
        ("colortemperature=temperature=5000", "lighting", {"colour"}),
        ("gblur=sigma=1.7", "sharpness", {"noise"}),
        ("noise=all_seed=1:alls=40:allf=t", "noise", {"sharpness"}),
        ("pad=iw:ih+64:0:32", "bars", set()),
    ],
)
def test_each_edit_is_found_and_nothing_else(
    base: Path, tmp_path: Path, look: str, must: str, may: set[str]
) -> None:
    found = edited(base, tmp_path, look)
    assert must in different(found)
    assert different(found) <= {must} | may
    f = found[must]
    assert f.measure is not None
    assert f.measure.threshold is not None
    assert f.confidence > 0.5
    assert {e.video for e in f.evidence} == {"A", "B"}
    # The threshold is on the scale of the values: B lies beyond it, seen from A.
    of_a, of_b = (f.measure.values[name] for name in ("A", "B"))
    assert isinstance(of_a, float)
    assert isinstance(of_b, float)
    assert (of_b - f.measure.threshold) * (f.measure.threshold - of_a) >= 0


@pytest.mark.parametrize(
    ("look", "encode"),
    [
        ("null", ("-crf", "33")),
        ("scale=240:134", ("-crf", "20")),
        ("scale=out_range=pc", ("-crf", "18", "-color_range", "pc")),
    ],
)
def test_an_encode_is_no_difference(
    base: Path, tmp_path: Path, look: str, encode: tuple[str, ...]
) -> None:
    found = edited(base, tmp_path, look, *encode)
    assert {f.relation for f in found.values()} == {"same"}


def test_words_name_the_side_and_the_amount(base: Path, tmp_path: Path) -> None:
    found = edited(base, tmp_path, "hue=s=0,eq=brightness=-0.1")
    assert "black and white" in found["colour"].statement
    assert "B is darker" in found["lighting"].statement


def test_coarse_coding_is_told_from_blur(clips: Path) -> None:
    a, b = clips / "skv_carphone_pristine.mp4", clips / "skv_carphone_distorted.mp4"
    report = compare(a, b, Options(only=("style", "background")))
    found = {f.aspect: f for f in report.findings}
    assert different(found) == {"sharpness"}
    assert "B is visibly coarser" in found["sharpness"].statement


def test_unlike_videos_are_only_told_apart_grossly(base: Path, tmp_path: Path) -> None:
    path = tmp_path / "grey.mp4"
    source = "testsrc2=size=320x180:rate=15:duration=2"
    ffmpeg("-f", "lavfi", "-i", source, "-vf", "hue=s=0", *ENCODE, str(path))
    report = compare(base, path, Options(only=("style", "background")))
    assert not report.alignment.matched
    found = {f.aspect: f for f in report.findings}
    assert found["colour"].relation == "different"
    assert "B is black and white" in found["colour"].statement
    assert {found[n].relation for n in ("tone", "sharpness", "noise", "place")} == {"unknown"}


def test_only_what_is_wanted_is_measured(base: Path) -> None:
    report = compare(base, base, Options(only=("style: bars",)))
    assert [f.aspect for f in report.findings] == ["bars"]


@pytest.mark.parametrize(
    ("mirrored", "degrees", "expected"),
    [
        ("none", 0.0, (1.0, 2.0, 3.0, 4.0)),
        ("horizontal", 0.0, (3.0, 2.0, 1.0, 4.0)),
        ("vertical", 0.0, (1.0, 4.0, 3.0, 2.0)),
        ("none", 90.0, (4.0, 1.0, 2.0, 3.0)),
        ("none", 180.0, (3.0, 4.0, 1.0, 2.0)),
        ("none", -90.0, (2.0, 3.0, 4.0, 1.0)),
    ],
)
def test_bars_turn_with_the_picture(
    mirrored: str, degrees: float, expected: tuple[float, ...]
) -> None:
    alignment = Alignment(matched=True, score=1.0, mirrored=mirrored, rotation_deg=degrees)
    assert turned((1.0, 2.0, 3.0, 4.0), alignment) == expected


def test_a_plain_wall_is_no_bar(tmp_path: Path) -> None:
    """The wall goes on beyond where B has black: A has no bar there."""
    wall = "color=0xb0b0b0:s=256x144:r=12:d=2[w];testsrc2=s=128x60:r=12:d=2[x];[w][x]overlay=64:42"
    a, b = tmp_path / "a.mp4", tmp_path / "b.mp4"
    ffmpeg("-f", "lavfi", "-i", wall, *ENCODE, "-crf", "18", str(a))
    bars = "drawbox=0:0:256:18:black:t=fill,drawbox=0:126:256:18:black:t=fill"
    ffmpeg("-i", str(a), "-vf", bars, *ENCODE, "-crf", "18", str(b))
    (f,) = (f for f in compare(a, b, Options(only=("style",))).findings if f.aspect == "bars")
    assert f.relation == "different"
    assert {e.video for e in f.evidence} == {"A", "B"}


def test_texture_is_fetched_where_samples_do_not_meet(base: Path, tmp_path: Path) -> None:
    """Samples of B a second off everywhere: its frames are decoded again at A's moments."""
    soft = tmp_path / "soft.mp4"
    ffmpeg("-i", str(base), "-vf", "gblur=sigma=1.7", *ENCODE, *TAGS, "-crf", "18", str(soft))
    with media.open(str(base)) as a, media.open(str(soft)) as b:
        samplers = TextureSampler(), TextureSampler()
        surveys = [survey(v, (s,)) for v, s in zip((a, b), samplers, strict=True)]
        samplers[1].times[:] = [t + 50 for t in samplers[1].times]
        ctx = Context(
            options=Options(),
            a=surveys[0],
            b=surveys[1],
            video_a=a,
            video_b=b,
            alignment=Alignment(matched=True, score=1.0),
            timemap=TimeMap([Piece(0.0, 2.0, 0.0, 1.0)]),
            observed={"texture": samplers},
        )
        texture = look(ctx).texture
    assert texture is not None
    assert len(texture.moments) >= 3
    assert texture.softening == pytest.approx(1.7, rel=0.2)
