"""One suite that every reader passes: the same twelve pictures, however they come."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from triptych import media

W, H, N, FPS = 64, 48, 12, 10
READERS = ("mp4", "mkv", "gif", "apng", "webp", "folder", "pattern", "stdin")


def pictures() -> list[Image.Image]:
    """Grey, with a white block in the top left corner and a bar that moves right."""
    out = []
    for i in range(N):
        a = np.full((H, W, 3), 96, np.uint8)
        a[0:12, 0:16] = 255
        a[36:44, 4 * i + 4 : 4 * i + 12] = (200, 40, 40)
        out.append(Image.fromarray(a))
    return out


def encode(path: Path) -> Path:
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=FPS, options={"crf": "10", "bf": "2"})
        stream.width, stream.height, stream.pix_fmt = W, H, "yuv420p"
        for picture in pictures():
            out.mux(stream.encode(av.VideoFrame.from_image(picture)))
        out.mux(stream.encode(None))
    return path


def as_mp4(folder: Path) -> Path:
    return encode(folder / "clip.mp4")


def as_mkv(folder: Path) -> Path:
    return encode(folder / "clip.mkv")


def animated(folder: Path, name: str, **options: object) -> Path:
    first, *rest = pictures()
    path = folder / name
    first.save(path, save_all=True, append_images=rest, duration=1000 // FPS, loop=0, **options)
    return path


def as_folder(folder: Path) -> Path:
    shots = folder / "shots"
    shots.mkdir()
    for i, picture in enumerate(pictures()):
        picture.save(shots / f"shot{i + 7}.png")
    (shots / "notes.txt").write_text("not a picture")
    return shots


MAKERS: dict[str, Callable[[Path], Path]] = {
    "mp4": as_mp4,
    "mkv": as_mkv,
    "gif": lambda f: animated(f, "clip.gif"),
    "apng": lambda f: animated(f, "clip.png"),
    "webp": lambda f: animated(f, "clip.webp", lossless=True),
    "folder": as_folder,
    "pattern": lambda f: as_folder(f) / "shot%d.png",
    "stdin": as_mp4,
}


@pytest.fixture(scope="session", params=READERS)
def given(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    kind: str = request.param
    return kind, MAKERS[kind](tmp_path_factory.mktemp(kind))


@pytest.fixture
def video(given: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[media.Video]:
    kind, path = given
    if kind == "stdin":
        stdin = io.TextIOWrapper(io.BytesIO(path.read_bytes()))
        monkeypatch.setattr(sys, "stdin", stdin)
        with media.open("-", id="B") as opened:
            yield opened
        return
    with media.open(path, fps=FPS, id="B") as opened:
        yield opened


def test_times_and_durations_are_exact(video: media.Video) -> None:
    frames = [(f.time, f.duration) for f in video.frames()]
    assert frames == [(Fraction(i, FPS), Fraction(1, FPS)) for i in range(N)]
    assert all(isinstance(t, Fraction) for t, _ in frames)


def test_pictures_are_upright_and_move_in_order(video: media.Video) -> None:
    for i, frame in enumerate(video.frames()):
        assert (frame.width, frame.height) == (W, H)
        rgb, luma, small = frame.rgb(), frame.luma(), frame.i420(32, 24)
        assert rgb.shape == (H, W, 3) and rgb.dtype == np.uint8
        assert luma.shape == (H, W) and luma.dtype == np.uint8
        assert small.y.shape == (24, 32) and small.u.shape == small.v.shape == (12, 16)
        assert rgb[3:9, 4:12].min() > 245
        assert luma[3:9, 4:12].min() > 245 and small.y[2:4, 2:6].min() > 245
        assert np.abs(rgb[16:32].astype(int) - 96).max() <= 4
        assert np.abs(luma[16:32].astype(int) - 96).max() <= 3
        assert np.abs(small.y[9:15].astype(int) - 96).max() <= 3
        assert np.abs(small.u[5:8].astype(int) - 128).max() <= 2
        assert np.abs(small.v[5:8].astype(int) - 128).max() <= 2
        # The red bar: luma of (200, 40, 40) is 74 by BT.709 and 88 by BT.601; luma() keeps the
        # file's own matrix, i420() does not.
        x = 4 * i + 8
        assert 70 <= luma[40, x] <= 92
        assert abs(int(small.y[20, x // 2]) - 74) <= 4
        assert small.v[10, x // 4] > 170
        assert rgb[40, x, 0] > 180 and rgb[40, x, 1] < 65


def test_rgb_can_be_scaled_down(video: media.Video) -> None:
    frame = next(iter(video.frames()))
    assert frame.rgb(max_side=32).shape == (24, 32, 3)
    assert frame.rgb(max_side=1000).shape == (H, W, 3)


def test_media_is_complete_after_a_pass(video: media.Video) -> None:
    assert (video.media.width, video.media.height) == (W, H)
    assert sum(1 for _ in video.frames()) == N
    known = video.media
    assert known.id == "B" and known.path == video.path
    assert known.frames == N and known.duration_s == N / FPS and known.fps == FPS
    assert known.vfr is False and known.interlaced is False
    assert known.damage == [] and known.bars == [0, 0, 0, 0]
    assert known.rotation == 0 and known.hdr is None and known.bit_depth == 8
    assert known.audio is None and known.codec is not None and known.container is not None


def test_a_second_pass_gives_the_same(video: media.Video) -> None:
    first = [(f.time, f.luma().tobytes()) for f in video.frames()]
    notes = list(video.media.notes)
    assert [(f.time, f.luma().tobytes()) for f in video.frames()] == first
    assert video.media.notes == notes


def test_frames_outlive_the_pass(video: media.Video) -> None:
    kept = list(video.frames())
    first = kept[0].luma().copy()
    video.close()
    assert np.array_equal(kept[0].luma(), first)


def test_a_pass_may_be_given_up(video: media.Video) -> None:
    frames = video.frames()
    next(frames)
    frames.close()  # type: ignore[attr-defined]
    assert sum(1 for _ in video.frames()) == N


def test_no_sound_is_no_blocks(video: media.Video) -> None:
    assert list(video.sound()) == []


@pytest.mark.parametrize("seek", [False, True])
def test_frames_at_moments(video: media.Video, seek: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if seek:
        monkeypatch.setattr("triptych.media.moments.FAR_S", 0.05)
        assert sum(1 for _ in video.frames()) == N
    asked = [0.95, -1.0, 0.0, 0.34, 0.4, 0.3999999, 9.0]
    got = [(t, f.time) for t, f in media.frames_at(video, asked)]
    right = {-1.0: 0, 0.0: 0, 0.34: 3, 0.3999999: 4, 0.4: 4, 0.95: 9, 9.0: 11}
    assert got == [(t, Fraction(right[t], FPS)) for t in sorted(asked)]
