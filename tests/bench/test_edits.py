"""A whole run on a small set that is made for it."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from triptych.bench.edits import bench_edits
from triptych.make.pairs import make_pairs
from triptych.record.scores import loads

SKIP = ("text", "speech", "people")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mirrored pair and a control, of a square that moves over a textured field."""
    folder = tmp_path_factory.mktemp("set")
    clip = folder / "square.mp4"
    y, x = np.mgrid[0:96, 0:128]
    field = 90 + 50 * np.sin(x / 7) * np.cos(y / 5) + 20 * np.sin(x * y / 97)
    rgb = np.stack([field, np.roll(field, 9, 1), np.roll(field, 5, 0)], 2).astype(np.uint8)
    with av.open(str(clip), "w") as container:
        stream = container.add_stream("libx264", rate=15)
        stream.width, stream.height, stream.pix_fmt = 128, 96, "yuv420p"
        stream.options = {"crf": "18", "preset": "veryfast", "threads": "1"}
        for i in range(50):
            picture = rgb.copy()
            top = 30 + int(20 * np.sin(i / 5))
            picture[top : top + 20, 10 + i : 30 + i] = (240, 220, 60)
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = i, Fraction(1, 15)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    pairs = folder / "pairs"
    make_pairs([clip], pairs, edits=["mirror", "remux"], strengths=["heavy", "control"], n=2)
    return pairs


def test_run_resume_and_failure(made: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs"
    shutil.copytree(made, pairs)
    said: list[tuple[int, int]] = []

    def run() -> list[tuple[int, int]]:
        said.clear()
        result = bench_edits(
            pairs, skip=SKIP, workers=1, progress=lambda done, of, name: said.append((done, of))
        )
        scores = loads((pairs / "run" / "scores.json").read_text(encoding="utf-8"))
        assert scores == result.scores
        return list(said)

    assert run() == [(1, 2), (2, 2)]
    first = (pairs / "run" / "scores.json").read_bytes()
    scores = loads(first.decode()).scores
    assert scores["recall/aspect/position: mirroring"].value == 100
    assert scores["controls/different"].value == 0
    assert scores["recall/all"].reason == "no interval: all of one clip"

    # Again: nothing is measured, and the same bytes come out.
    assert run() == []
    assert (pairs / "run" / "scores.json").read_bytes() == first

    # As after an interrupt: one report is there, the other is not.
    next((pairs / "run" / "reports").iterdir()).unlink()
    assert run() == [(2, 2)]

    # A video that cannot be read and one that is gone: both count.
    rows = [json.loads(row) for row in (pairs / "truth.jsonl").read_text().splitlines()]
    mirrored = next(r for r in rows if r["edit"] == "mirror")
    control = next(r for r in rows if r["edit"] == "remux")
    (pairs / mirrored["b"]).write_bytes(b"no video")
    (pairs / control["b"]).unlink()
    run()
    result = loads((pairs / "run" / "scores.json").read_text(encoding="utf-8"))
    assert (result.n, result.failed) == (2, 2)
    assert (result.scores["recall/all"].value, result.scores["recall/all"].n) == (0, 1)
    assert result.scores["controls/different"].value == 100
    misses = (pairs / "run" / "misses.txt").read_text(encoding="utf-8")
    assert misses.count("failed   ") == 2
    assert "no such file" in misses

    # The run lies in the set's folder, and does not keep the set from being made whole again.
    clip = made.parent / "square.mp4"
    again = make_pairs(
        [clip], pairs, edits=["mirror", "remux"], strengths=["heavy", "control"], n=2
    )
    assert len(again.pairs) == 2
