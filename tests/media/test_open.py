"""A plain file opens and gives frames with times and pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych import media
from triptych.record.errors import NotFoundError


def test_a_real_clip_gives_all_its_frames(clips: Path) -> None:
    with media.open(clips / "skv_bigbuckbunny.mp4") as video:
        frames = [(float(f.time), f.i420(64, 36).y.shape) for f in video.frames()]
    assert len(frames) == 132
    assert frames[0] == (0.0, (36, 64))
    assert frames[-1][0] == pytest.approx(131 / 25)


def test_nothing_under_that_name(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        media.open(tmp_path / "none.mp4")
