"""What one pass over a real file leaves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from triptych import media
from triptych.measure.survey import THUMB_SIDE, Stills, analysis_size, survey
from triptych.media.frame import I420, Frame


class Counter:
    def __init__(self) -> None:
        self.times: list[float] = []

    def observe(self, time: float, frame: Frame, picture: I420) -> None:
        assert (frame.width, frame.height) == (640, 360)
        assert picture.y.shape == (180, 320)
        self.times.append(time)


def test_every_frame_is_seen_once_at_its_time(tmp_path: Path) -> None:
    if shutil.which("ffmpeg") is None:
        pytest.skip("the ffmpeg program makes this clip: apt-get install ffmpeg")
    path = tmp_path / "a.mp4"
    source = ["-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25:duration=2"]
    command = ["ffmpeg", "-nostdin", "-v", "error", *source, "-pix_fmt", "yuv420p", str(path)]
    subprocess.run(command, check=True)
    counter, progress = Counter(), list[float]()
    with media.open(str(path)) as video:
        seen = survey(video, (counter,), progress.append)
    assert seen.frame_times == pytest.approx(np.arange(50) / 25)
    assert counter.times == seen.frame_times.tolist()
    assert seen.thumbs.pictures.shape == (50, THUMB_SIDE, THUMB_SIDE)
    assert len(seen.stills.pictures) == 50
    assert seen.size == (320, 180)
    assert seen.duration == pytest.approx(2.0)
    assert progress == pytest.approx([0, 0.52, 1.04, 1.56])


@pytest.mark.parametrize(
    ("size", "wanted"),
    [
        ((1920, 1080), (320, 180)),
        ((1080, 1920), (180, 320)),
        ((176, 144), (176, 144)),
        ((175, 143), (176, 144)),
        ((4000, 10), (320, 16)),
    ],
)
def test_the_analysis_size_is_even_and_small(size: tuple[int, int], wanted: object) -> None:
    assert analysis_size(*size) == wanted


def test_the_nearest_still() -> None:
    stills = Stills(np.array([0.0, 1.0, 3.0]), [])
    assert [stills.nearest(t) for t in (-1, 0.4, 0.6, 1.9, 2.1, 9)] == [0, 0, 1, 1, 2, 2]
