"""The clip that most tests of comparing start from."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from known_clips import film


@pytest.fixture(scope="session")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the clips of one session."""
    if shutil.which("ffmpeg") is None:
        pytest.skip("the ffmpeg program makes these clips: apt-get install ffmpeg")
    return tmp_path_factory.mktemp("known")


@pytest.fixture(scope="session")
def clip(work: Path) -> Path:
    """A: five seconds, 256x144, 25 fps, no sound."""
    return film(work / "clip.mp4")
