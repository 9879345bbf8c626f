"""What ends the first pass early."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from triptych import media
from triptych.diff.options import Options
from triptych.diff.see import see_both
from triptych.measure.sound import RATE, survey_sound
from triptych.media.video import SoundBlock, Video
from triptych.record.errors import UnreadableError


class Counted:
    """A video that counts what is read of it."""

    def __init__(self, video: Video) -> None:
        self.video, self.media, self.path = video, video.media, video.path
        self.seen = 0

    def frames(self) -> Iterator[object]:
        for frame in self.video.frames():
            self.seen += 1
            yield frame


def test_one_that_cannot_be_read_ends_the_pass_over_the_other(tmp_path: Path) -> None:
    long, broken = tmp_path / "long.avi", tmp_path / "broken.mp4"
    for out, seconds in ((long, 4000), (broken, 1)):
        source = f"testsrc2=size=64x48:rate=5:duration={seconds}"
        how = ("-c:v", "mpeg4", "-v", "error", "-y")
        subprocess.run(["ffmpeg", "-f", "lavfi", "-i", source, *how, out], check=True)
    data = broken.read_bytes()
    begin, end = data.index(b"mdat") + 4, data.index(b"moov") - 4
    broken.write_bytes(data[:begin] + bytes(end - begin) + data[end:])
    with media.open(long) as a, media.open(broken, id="B") as b:
        counted = Counted(a)
        with pytest.raises(UnreadableError, match="not one frame can be decoded"):
            see_both([counted, b], Options(only=("bars",)), lambda: None)  # type: ignore[list-item]
    assert counted.seen < 15_000


def test_reading_sound_ends_when_its_progress_says_so() -> None:
    class Endless:
        def sound(self, rate: int = RATE) -> Iterator[SoundBlock]:
            for second in range(10**9):
                yield SoundBlock(Fraction(second), np.zeros(rate, np.float32))

    stop = threading.Event()

    def progress(time: float) -> None:
        if time >= 5:
            stop.set()
            raise InterruptedError

    with pytest.raises(InterruptedError):
        survey_sound(Endless(), progress)  # type: ignore[arg-type]
    assert stop.is_set()
