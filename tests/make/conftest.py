"""Known clips, in memory and as files."""

from __future__ import annotations

from pathlib import Path

import pytest
from known_clip import make_clip

from triptych.make.clip import Clip
from triptych.make.encode import write_clip


@pytest.fixture(scope="session")
def clip() -> Clip:
    return make_clip()


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Files of several kinds: with sound, another one, silent, still, short, not a video."""
    folder = tmp_path_factory.mktemp("clips")
    kinds = {
        "sound": make_clip(),
        "other": make_clip(seed=2, seconds=4.5),
        "quiet": make_clip(seed=3, sound=False),
        "still": make_clip(seed=4, moving=False, sound=False),
        "short": make_clip(seed=5, seconds=1.0),
    }
    out = {}
    for name, made in kinds.items():
        out[name] = folder / f"{name}.mp4"
        write_clip(made, out[name])
    out["text"] = folder / "text.mp4"
    out["text"].write_text("this is no video\n" * 50)
    return out
