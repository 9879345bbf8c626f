"""Videos written anew: what is left as it was, and what is changed."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from known_clip import FPS, HEIGHT, make_clip

from triptych import media
from triptych.make.clip import U8
from triptych.make.corrupt import noisy
from triptych.make.encode import write_pictures
from triptych.make.pixels import to_i420
from triptych.make.rewrite import rewrite
from triptych.record.errors import SourceError


def decoded(path: Path) -> tuple[list[float], np.ndarray, list[np.ndarray]]:
    """Times, I420 pictures and sound, by PyAV alone."""
    with av.open(str(path)) as container:
        frames = list(container.decode(video=0))
    with av.open(str(path)) as container:
        heard = (
            [f.to_ndarray() for f in container.decode(audio=0)] if container.streams.audio else []
        )
    return [float(f.time) for f in frames], np.stack([f.to_ndarray() for f in frames]), heard


def test_without_a_change_pictures_times_and_sound_stay(
    files: dict[str, Path], tmp_path: Path
) -> None:
    given: list[U8] = []

    def change(rgb: U8, time_s: Fraction) -> U8:
        given.append(to_i420(rgb))
        return rgb

    rewrite(files["sound"], tmp_path / "copy.webm", change)
    times, before, heard = decoded(files["sound"])
    again, after, heard_again = decoded(tmp_path / "copy.webm")
    assert again == times
    assert np.array_equal(after, np.stack(given))  # storing costs nothing
    # To RGB and back costs rounding, and chroma is made larger and smaller again.
    apart = np.abs(after.astype(int) - before)
    assert apart[:, :HEIGHT].mean() < 0.3 and apart[:, HEIGHT:].mean() < 2
    assert abs((after.astype(int) - before)[:, :HEIGHT].mean()) < 0.05
    a, b = (np.concatenate(h, axis=1) for h in (heard, heard_again))
    assert np.array_equal(a, b)


def test_uneven_times_stay(tmp_path: Path) -> None:
    clip = make_clip(seconds=1.0, sound=False)
    times = [Fraction(n, 1000) for n in (0, 33, 70, 200, 201, 450)]
    source = tmp_path / "vfr.mp4"
    write_pictures(zip(times, clip.frames.data, strict=False), clip.size, FPS, source,  # type: ignore[attr-defined]
                   clock=Fraction(1, 1000))  # fmt: skip
    seen: list[Fraction] = []

    def change(rgb: U8, time_s: Fraction) -> U8:
        seen.append(time_s)
        return rgb

    rewrite(source, tmp_path / "copy.mp4", change)
    with media.open(tmp_path / "copy.mp4") as video:
        assert [f.time for f in video.frames()] == seen == times


def test_noise_is_stored_whole(tmp_path: Path) -> None:
    """Luma noise of independent R, G and B, by BT.709's weights in limited range."""
    rng = np.random.default_rng(3)
    flat = tmp_path / "flat.mp4"
    grey = np.full((144, 96), 128, np.uint8)
    grey[:96] = 89  # R, G and B of 85, without rounding
    write_pictures(((Fraction(i, 10), grey) for i in range(5)), (96, 96), Fraction(10), flat)
    rewrite(flat, tmp_path / "noisy.mp4", lambda rgb, time_s: noisy(rgb, 15, rng))
    _, pictures, _ = decoded(tmp_path / "noisy.mp4")
    luma = pictures[:, :96].astype(float)
    expected = 15 * math.sqrt(0.2126**2 + 0.7152**2 + 0.0722**2) * 219 / 255
    assert luma.std() == pytest.approx(expected, rel=0.02)
    assert luma.mean() == pytest.approx(89, abs=0.15)


def test_what_cannot_be_read_leaves_nothing(files: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        rewrite(files["text"], tmp_path / "copy.mp4", lambda rgb, time_s: rgb)

    def broken(rgb: U8, time_s: Fraction) -> U8:
        raise KeyboardInterrupt if time_s else ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        rewrite(files["quiet"], tmp_path / "copy.mp4", broken)
    assert list(tmp_path.iterdir()) == []
