"""Files that are made once a session, each when a test first asks for it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from media_recipes import build

Made = Callable[[str], Path]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """``made("base.mp4")`` is the path of that recipe's file."""
    if shutil.which("ffmpeg") is None:
        pytest.skip("the ffmpeg program makes these files: apt-get install ffmpeg")
    folder = tmp_path_factory.mktemp("made")
    return lambda name: build(name, folder)
