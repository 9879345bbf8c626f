from __future__ import annotations

import base64
import hashlib
import io
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from models.chat_server import ChatServer
from models.conftest import run
from triptych.models import Patience, endpoint, user
from triptych.models.frames import FrameStore, shown, uniform_times, whole
from triptych.record.errors import SourceError, UsageError


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """Two seconds at 10 frames a second, each 10 levels brighter than the one before."""
    path = tmp_path / "clip.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for i in range(20):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 20 + 10 * i, np.uint8), "rgb24")
            frame.pts, frame.time_base = i, Fraction(1, 10)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def test_frames_carry_their_own_times_and_are_cut_once(clip: Path, tmp_path: Path) -> None:
    store = FrameStore(tmp_path / "frames")
    cut = store.cut(clip, "A", [0.05, 0.56, 0.58, 1.9], size=32)
    assert [p.time_s for p in cut] == [0.0, 0.5, 1.9]
    levels = [np.asarray(Image.open(p.path)).mean() for p in cut]
    assert levels == pytest.approx([20, 70, 210], abs=4)
    assert {(p.width, p.height) for p in cut} == {(32, 24)}
    assert all(hashlib.sha256(p.path.read_bytes()).hexdigest() == p.digest for p in cut)
    copy = clip.with_name("copy.mp4")
    copy.write_bytes(clip.read_bytes())
    again = FrameStore(tmp_path / "frames")
    assert [p.digest for p in again.cut(copy, "B", [0.05, 0.56, 0.58, 1.9], size=32)] == [
        p.digest for p in cut
    ]
    assert again.decoded == 0
    cut[0].path.unlink()
    assert len(again.cut(clip, "A", [0.05, 0.56, 0.58, 1.9], size=32)) == 3
    assert again.decoded == 1
    (square,) = again.cut(clip, "A", [1.0], size=(40, 40))
    assert (square.width, square.height) == (40, 40)


def test_uniform_times() -> None:
    assert uniform_times(4.0, 4) == [0.5, 1.5, 2.5, 3.5]
    assert uniform_times(2.0, fps=2) == [0.0, 0.5, 1.0, 1.5]
    assert len(uniform_times(1000.0, fps=10)) == 256
    for bad in ({"count": 0}, {"fps": 0.0}, {"fps": float("nan")}):
        with pytest.raises(UsageError):
            uniform_times(1.0, **bad)  # type: ignore[arg-type]


def test_what_cannot_be_read(tmp_path: Path) -> None:
    bad = tmp_path / "bad.mp4"
    bad.write_bytes(b"no video")
    store = FrameStore(tmp_path / "frames")
    for path in (bad, tmp_path / "absent.mp4"):
        with pytest.raises(SourceError):
            store.cut(path, "A", [0.0])


def test_pictures_and_whole_videos_on_the_wire(
    clip: Path, tmp_path: Path, patience: Patience
) -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")
    cut = FrameStore(tmp_path / "frames").cut(clip, "A", [0.0, 1.0])
    with ChatServer(["seen"]) as server:
        end = endpoint(f"vllm/m@{server.url}", "policy", patience=patience)
        reply = run(end, lambda: end.generate([user("look", *shown(cut), whole(clip, "B"))]))
    assert reply.text == "seen", reply
    parts = server.requests[0]["messages"][0]["content"]
    assert [p["type"] for p in parts] == [
        *("text", "text", "image_url", "text", "image_url", "video_url")
    ]
    assert [p["text"] for p in parts if "text" in p] == [
        *("look", "Video A at 0.00 s:", "Video A at 1.00 s:")
    ]
    picture = base64.b64decode(parts[2]["image_url"]["url"].removeprefix("data:image/jpeg;base64,"))
    assert hashlib.sha256(picture).hexdigest() == cut[0].digest
    assert Image.open(io.BytesIO(picture)).size == (64, 48)
    video = base64.b64decode(parts[5]["video_url"]["url"].removeprefix("data:video/mp4;base64,"))
    assert video == clip.read_bytes()
    assert [(s.kind, s.video, s.time_s) for s in reply.sent] == [
        ("picture", "A", 0.0),
        ("picture", "A", 1.0),
        ("video", "B", 2.0),
    ]
