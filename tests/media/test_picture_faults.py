"""Turned, stretched, bordered, deep, HDR, interlaced and changing pictures."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from media_recipes import X264, ffmpeg

from triptych import media
from triptych.media.bars import Bars
from triptych.media.frame import U8
from triptych.media.orientation import UPRIGHT, Orientation

Made = Callable[[str], Path]

CORNER = "color=gray:size=64x48:rate=10:duration=0.3,drawbox=x=0:y=0:w=16:h=12:color=white:t=fill"


def first(path: Path) -> media.Frame:
    with media.open(path) as video:
        return next(iter(video.frames()))


def passed(path: Path) -> media.Video:
    with media.open(path) as video:
        for _ in video.frames():
            pass
    return video


def as_ffmpeg_shows(path: Path) -> bytes:
    done = subprocess.run(
        [
            *("ffmpeg", "-v", "error", "-i", path),
            *("-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"),
        ],
        check=True,
        capture_output=True,
        timeout=60,
    )
    return done.stdout


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_every_turn_shows_the_corner_where_players_do(
    made: Made, tmp_path: Path, degrees: int, flip: bool
) -> None:
    plain, turned = tmp_path / "plain.mp4", tmp_path / "turned.mp4"
    ffmpeg("-f", "lavfi", "-i", CORNER, *X264, plain)
    with av.open(str(plain)) as source, av.open(str(turned), "w") as out:
        stream = out.add_stream_from_template(source.streams.video[0])
        stream.set_display_rotation(degrees, hflip=flip)
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                out.mux(packet)
    frame = first(turned)
    right = np.frombuffer(as_ffmpeg_shows(turned), np.uint8).reshape(frame.height, frame.width, 3)
    if not flip:
        assert np.abs(frame.rgb().astype(int) - right).max() <= 4
        assert passed(turned).media.rotation == (360 - degrees) % 360
    # By construction: turned counter-clockwise by ``degrees``, then mirrored left to right.
    marked = np.zeros((48, 64), bool)
    marked[0:12, 0:16] = True
    marked = np.rot90(marked, degrees // 90)
    marked = marked[:, ::-1] if flip else marked
    assert frame.rgb().shape[:2] == marked.shape == frame.luma().shape
    assert np.array_equal(frame.luma() > 200, marked)
    small = frame.i420(frame.width // 2, frame.height // 2)
    assert np.array_equal(small.y > 200, marked[::2, ::2])
    assert small.u.shape == (frame.height // 4, frame.width // 4)


def test_a_rotation_flag_changes_no_content(made: Made) -> None:
    plain, turned = first(made("base.mp4")), first(made("rot90.mp4"))
    assert (turned.width, turned.height) == (240, 320)
    quarter = {1: 90, 3: 270}
    k = next(k for k in quarter if np.array_equal(np.rot90(plain.luma(), -k), turned.luma()))
    video = passed(made("rot90.mp4"))
    assert video.media.rotation == quarter[k]
    assert (video.media.display_width, video.media.display_height) == (240, 320)
    assert f"shown turned {quarter[k]} degrees clockwise by a flag in the file" in video.media.notes


def test_real_phone_rotations_are_as_ffmpeg_shows_them(clips: Path) -> None:
    for name in ("decord_video_90.mov", "decord_video_270.mov"):
        frame = first(clips / name)
        right = np.frombuffer(as_ffmpeg_shows(clips / name), np.uint8)
        assert (frame.width, frame.height) == (320, 568)
        assert np.abs(frame.rgb().reshape(-1).astype(int) - right).mean() < 2


def test_pixel_shape_is_applied(made: Made) -> None:
    video = passed(made("anamorphic.mp4"))
    assert (video.media.display_width, video.media.display_height) == (427, 240)
    assert any(n.startswith("pixels are not square (4:3)") for n in video.media.notes)
    frame = first(made("anamorphic.mp4"))
    assert frame.rgb().shape == (240, 427, 3) and frame.luma().shape == (240, 320)


def bars_by_cropdetect(path: Path) -> list[int]:
    done = subprocess.run(
        ["ffmpeg", "-i", path, "-vf", "cropdetect=round=2:reset=0:skip=0", "-f", "null", "-"],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    w, h, x, y = map(int, done.stderr.rsplit("crop=", 1)[1].split()[0].split(":"))
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        return [x, y, stream.width - x - w, stream.height - y - h]


@pytest.mark.parametrize("name", ["letterbox.mp4", "pillarbox.mp4", "base.mp4"])
def test_bars_are_those_that_cropdetect_finds(made: Made, name: str) -> None:
    found = passed(made(name)).media.bars
    assert np.abs(np.subtract(found, bars_by_cropdetect(made(name)))).max() <= 1


def test_bars_turn_with_the_picture(made: Made, tmp_path: Path) -> None:
    turned = tmp_path / "turned.mp4"
    ffmpeg("-i", made("letterbox.mp4"), "-c", "copy", "-metadata:s:v", "rotate=90", turned)
    left, top, right, bottom = passed(turned).media.bars
    assert (top, bottom) == (0, 0)
    assert {left, right} == {52, 54}


def bars_of(*frames: U8) -> list[int]:
    bars = Bars()
    for frame in frames:
        bars.see(frame, 16)
    return bars.shown((frames[0].shape[1], frames[0].shape[0]), UPRIGHT)


def test_what_is_no_bar() -> None:
    rng = np.random.default_rng(0)
    black = np.full((120, 160), 16, np.uint8)
    assert bars_of(black) == [0, 0, 0, 0]
    # A night sky: dark above, getting lighter slowly.
    night = (16 + np.linspace(0, 60, 120)[:, None] + rng.integers(0, 3, (120, 160))).astype(
        np.uint8
    )
    assert bars_of(night) == [0, 0, 0, 0]
    # Fading in from black: dark at first, lit later up to its borders.
    assert bars_of(black, np.full((120, 160), 90, np.uint8)) == [0, 0, 0, 0]
    # A dark scene with true bars: lit at some time, borders never.
    lit = black.copy()
    lit[20:100, 8:152] = 120
    assert bars_of(black, lit, black) == [8, 20, 8, 20]
    # More than half black is a picture in the dark, and a one-pixel line is coding.
    spot = black.copy()
    spot[70:90, :] = 200
    assert bars_of(spot)[1] == 0
    line = np.full((120, 160), 90, np.uint8)
    line[0] = 16
    assert bars_of(line) == [0, 0, 0, 0]


def test_bars_by_orientation() -> None:
    bars = Bars()
    frame = np.full((40, 60), 16, np.uint8)
    frame[4:37, 6:58] = 200
    bars.see(frame, 16)
    assert bars.coded() == (6, 4, 2, 3)
    assert bars.shown((40, 60), Orientation(90)) == [3, 6, 4, 2]
    assert bars.shown((60, 40), Orientation(180)) == [2, 3, 6, 4]
    assert bars.shown((60, 40), Orientation(0, mirrored=True)) == [2, 4, 6, 3]
    assert bars.shown((120, 40), UPRIGHT) == [12, 4, 4, 3]


COLOURS = "smptehdbars=size=320x720:rate=10:duration=0.1"


def coded(path: Path, matrix: str, levels: str, pixels: str, tagged: bool = True) -> Path:
    tags = ["-colorspace", "bt2020nc" if matrix == "bt2020" else matrix, "-color_range", levels]
    ffmpeg(
        *("-f", "lavfi", "-i", COLOURS, "-vf"),
        f"format=rgb24,scale=out_color_matrix={matrix}:out_range={levels},format={pixels}",
        *("-c:v", "libx264", "-preset", "ultrafast", "-qp", "1"),
        *(tags if tagged else []),
        path,
    )
    return path


def test_matrix_range_and_depth_are_normalised(tmp_path: Path) -> None:
    ways = [
        ("bt709", "tv", "yuv420p"),
        ("bt709", "pc", "yuvj420p"),
        ("smpte170m", "tv", "yuv420p"),
        ("smpte170m", "pc", "yuvj420p"),
        ("bt2020", "tv", "yuv420p"),
        ("bt709", "tv", "yuv420p10le"),
        ("bt709", "tv", "yuv444p"),
        ("bt709", "tv", "yuv422p"),
    ]
    pictures = []
    for i, (matrix, levels, pixels) in enumerate(ways):
        pictures.append(first(coded(tmp_path / f"{i}.mp4", matrix, levels, pixels)))
    small = [p.i420(160, 90) for p in pictures]
    for way, picture, other in zip(ways, pictures, small, strict=True):
        # Inside the bars only: chroma is sampled differently at their edges.
        for a, b in ((small[0].y, other.y), (small[0].u, other.u), (small[0].v, other.v)):
            off = np.abs(a.astype(int) - b)
            assert np.percentile(off, 90) <= 2, way
        off = np.abs(pictures[0].rgb(320).astype(int) - picture.rgb(320))
        assert np.percentile(off, 90) <= 4, way
    # Grey levels by construction: 40 % grey at the top left is 104 of 255, the top right as well.
    assert abs(int(small[0].y[10, 3]) - 104) <= 2


def test_untagged_pictures_are_read_as_players_do(tmp_path: Path) -> None:
    tagged = first(coded(tmp_path / "a.mp4", "bt709", "tv", "yuv420p"))
    untagged = first(coded(tmp_path / "b.mp4", "bt709", "tv", "yuv420p", tagged=False))
    assert np.array_equal(tagged.rgb(320), untagged.rgb(320))
    sd = tmp_path / "sd.mp4"
    ffmpeg(
        *("-f", "lavfi", "-i", "color=red:size=64x48:rate=10:duration=0.1", "-vf"),
        *("format=rgb24,scale=out_color_matrix=smpte170m:out_range=tv,format=yuv420p", *X264, sd),
    )
    assert np.abs(first(sd).rgb()[24, 32].astype(int) - (255, 0, 0)).max() <= 4


def test_full_range_is_noted(clips: Path) -> None:
    assert "full-range samples" in passed(clips / "torchcodec_bt709_full_range.mp4").media.notes


@pytest.mark.parametrize(("name", "kind"), [("hdr_pq.mp4", "PQ"), ("hdr_hlg.mp4", "HLG")])
def test_hdr_is_said_and_mapped(made: Made, name: str, kind: str) -> None:
    video = passed(made(name))
    assert video.media.hdr == kind and video.media.bit_depth == 10
    assert any(n.startswith(f"HDR ({kind})") for n in video.media.notes)
    frame = first(made(name))
    assert frame.rgb().shape == (240, 320, 3) and frame.luma().shape == (240, 320)


def test_pq_light_levels_come_out_as_defined(tmp_path: Path) -> None:
    # ST 2084: code 0.5081 is 100 cd/m2, 0.5807 is 203 (BT.2408's white), 0.7518 is 1000.
    shades = []
    for i, code in enumerate((0.0, 0.5081, 0.5807, 0.7518)):
        value = round(64 + 876 * code)
        path = tmp_path / f"{i}.mkv"
        ffmpeg(
            *("-f", "lavfi", "-i", "color=gray:size=64x48:rate=10:duration=0.1", "-vf"),
            f"format=yuv420p10le,geq=lum={value}:cb=512:cr=512",
            *("-c:v", "ffv1", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"),
            *("-color_range", "tv", path),
        )
        frame = first(path)
        grey = frame.rgb()[24, 32]
        assert int(grey.max()) - int(grey.min()) <= 1
        assert abs(int(frame.luma()[24, 32]) - int(grey[0])) <= 3
        assert abs(int(frame.i420(32, 24).y[12, 16]) - int(grey[0])) <= 2
        shades.append(int(grey[0]))
    # Dark stays dark, the peak is white, and the reference white is a bright but not burnt grey.
    assert shades[0] == 0 and shades[3] >= 253
    assert shades[0] < shades[1] < shades[2] < shades[3]
    # Below the knee of BT.2390 light is kept: 100 of 203 cd/m2 is 190 of 255 at gamma 2.4.
    assert abs(shades[1] - 190) <= 25


def test_deep_grey_is_decoded(made: Made) -> None:
    video = passed(made("gray16.mkv"))
    assert video.media.bit_depth == 16 and video.media.frames == 9
    right = np.frombuffer(as_ffmpeg_shows(made("gray16.mkv")), np.uint8).reshape(240, 320, 3)
    frame = first(made("gray16.mkv"))
    assert np.abs(frame.luma().astype(int) - right[:, :, 0]).mean() < 1.5
    assert np.abs(frame.rgb().astype(int) - right).mean() < 1.5


@pytest.mark.parametrize("name", ["interlaced.mpg", "combed.mp4"])
def test_interlaced_is_found_and_deinterlaced(made: Made, name: str) -> None:
    with media.open(made(name)) as video:
        frames = [(f.luma().copy(), f.i420(160, 120).y) for f in video.frames()]
    assert video.media.interlaced is True
    assert any(n.startswith("interlaced") for n in video.media.notes)
    with av.open(str(made(name))) as container:
        raw = [f.to_ndarray(format="gray") for f in container.decode(video=0)]

    def teeth(y: U8) -> float:
        a = y.astype(int)
        up, down = a[1:-1] - a[:-2], a[1:-1] - a[2:]
        return float(((np.minimum(abs(up), abs(down)) > 12) & (up * down > 0)).mean())

    before = np.mean([teeth(y) for y in raw[30:40]])
    after = np.mean([teeth(y) for y, _ in frames[30:40]])
    assert after < 0.7 * before


def test_progressive_footage_is_not_called_interlaced(made: Made, clips: Path) -> None:
    for path in (made("base.mp4"), made("letterbox.mp4"), clips / "skv_bikes.mp4"):
        assert passed(path).media.interlaced is False


def test_a_change_of_size_is_told_with_its_time(made: Made) -> None:
    with media.open(made("reschange.ts")) as video:
        frames = list(video.frames())
    sizes = [(f.width, f.height, f.luma().shape, f.i420(64, 48).y.shape) for f in frames]
    assert sizes[:30] == [(160, 120, (120, 160), (48, 64))] * 30
    assert sizes[30:] == [(320, 240, (240, 320), (48, 64))] * 30
    assert "picture size changes at 1.000 s: 160x120 to 320x240" in video.media.notes
    assert frames[30].time == Fraction(1)


@pytest.mark.parametrize(
    ("pixels", "codec", "suffix"),
    [
        ("yuv420p", "ffv1", "mkv"),
        ("yuv444p", "ffv1", "mkv"),
        ("gray", "ffv1", "mkv"),
        ("bgr24", "rawvideo", "avi"),
        ("rgb24", "png", "mov"),
        ("pal8", "png", "mov"),
        ("gbrp", "libx264rgb", "mp4"),
        ("yuva420p", "ffv1", "mkv"),
        ("nv12", "rawvideo", "nut"),
        ("yuv422p10le", "prores_ks", "mov"),
    ],
)
def test_pixel_formats_and_odd_sizes(tmp_path: Path, pixels: str, codec: str, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    size = "66x50" if codec in ("prores_ks", "rawvideo") else "67x49"
    ffmpeg(
        *("-f", "lavfi", "-i", f"{CORNER.replace('64x48', size)},format=rgb24", "-pix_fmt"),
        *("bgr24" if codec == "libx264rgb" else pixels, "-c:v", codec, path),
    )
    frame = first(path)
    w, h = map(int, size.split("x"))
    right = np.frombuffer(as_ffmpeg_shows(path), np.uint8).reshape(h, w, 3)
    assert (frame.width, frame.height) == (w, h)
    assert np.abs(frame.rgb().astype(int) - right).mean() < 2
    # ffmpeg's quick paths to RGB are up to two levels low.
    assert np.abs(frame.luma().astype(int) - right[:, :, 1]).mean() < 3
    small = frame.i420(32, 24).y
    assert small[2, 2] > 250 and abs(int(small[20, 28]) - 128) <= 2
    # The corner is at the top: a picture stored bottom up must not come out upside down.
    assert small[22, 2] < 140
