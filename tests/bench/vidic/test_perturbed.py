"""The paper's corruptions: named right, repeatable, and put on copies once."""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from cli.conftest import write_clip
from triptych.bench.vidic.copies import copy_all
from triptych.bench.vidic.perturbed import COPY, Perturbation, perturbations
from triptych.bench.vidic.records import Pair
from triptych.models.frames import FrameStore
from triptych.record.errors import UsageError

NOISE = Perturbation("noise", 15)


def test_the_papers_strengths() -> None:
    assert [p.name for p in perturbations()] == [
        "noise-15", "noise-30", "noise-45", "blur-5", "blur-9", "blur-15",
        "saturation-0.75", "saturation-0.5", "saturation-0.25",
    ]  # fmt: skip
    assert [p.kind for p in perturbations(["blur", "noise", "blur"])] == ["noise"] * 3 + [
        "blur"
    ] * 3
    for bad in (["fog"], []):
        with pytest.raises(UsageError, match="none of noise, blur, saturation"):
            perturbations(bad)


def test_noise_hangs_on_the_time_alone() -> None:
    flat = np.full((32, 48, 3), 128, np.uint8)
    first, second = (NOISE(flat, Fraction(n, 25)) for n in (0, 1))
    assert np.array_equal(NOISE(flat, Fraction(1, 25)), second)
    assert abs(np.corrcoef(first.ravel(), second.ravel())[0, 1]) < 0.05
    # As the paper's seed gives it, told apart by microseconds.
    grain = np.random.default_rng([42, 40_000]).standard_normal(flat.shape, np.float32)
    assert np.array_equal(second, np.clip(np.rint(128 + 15 * grain), 0, 255))
    assert np.array_equal(COPY(flat, Fraction(0)), flat)


def test_frames_are_changed_whichever_way_they_are_cut(tmp_path: Path) -> None:
    clip = write_clip(tmp_path / "clip.mp4")
    all_at_once = FrameStore(tmp_path / "one").cut(clip, "A", [0.2, 0.6, 1.0], change=NOISE)
    alone = FrameStore(tmp_path / "two").cut(clip, "A", [1.0], change=NOISE)
    assert alone[0].digest == all_at_once[2].digest
    store = FrameStore(tmp_path / "one")
    clean = store.cut(clip, "A", [0.2, 0.6, 1.0])
    assert not {p.digest for p in clean} & {p.digest for p in all_at_once}
    store.cut(clip, "A", [0.2, 0.6, 1.0], change=NOISE)
    assert store.decoded == 1


@pytest.fixture
def pairs(tmp_path: Path) -> list[Pair]:
    """Two pairs with one A; the second's B is no video. The third leads out of the set."""
    write_clip(tmp_path / "set/a.mp4", seconds=0.4)
    write_clip(tmp_path / "set/in/b.avi", seconds=0.4, mirror=True)
    (tmp_path / "set/c.mp4").write_bytes(b"no video")
    names = [("a.mp4", "in/b.avi"), ("a.mp4", "c.mp4"), ("a.mp4", "../a.mp4")]
    return [Pair(position=i, index=i, a=a, b=b, questions=()) for i, (a, b) in enumerate(names)]


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(p.relative_to(folder)): (s.st_ino, s.st_mtime_ns)
        for p in folder.rglob("*") if p.is_file() and p.suffix != ".json" for s in [p.stat()]
    }  # fmt: skip


def test_copies_are_made_once_and_anew_where_they_must(pairs: list[Pair], tmp_path: Path) -> None:
    source, target = tmp_path / "set", tmp_path / "copies"
    found = copy_all(source, pairs, NOISE, target, workers=1)
    assert found[0] == pairs[0]
    assert [bool(p.wrong) for p in found] == [False, True, True]
    assert "c.mp4" in (found[1].wrong or "") and "leads out" in (found[2].wrong or "")
    made = stamps(target)
    assert set(made) == {"a.mp4", "in/b.avi"}
    copy_all(source, pairs, NOISE, target, workers=1)
    assert stamps(target) == made
    # A line that is not there, as after a kill; another video under the name.
    lines = json.loads((target / "copies.json").read_text("utf-8"))
    del lines["a.mp4"]
    (target / "copies.json").write_text(json.dumps(lines), "utf-8")
    copy_all(source, pairs, NOISE, target, workers=1)
    again = stamps(target)
    assert again["a.mp4"] != made["a.mp4"] and again["in/b.avi"] == made["in/b.avi"]
    write_clip(source / "in/b.avi", seconds=0.6)
    copy_all(source, pairs, NOISE, target, workers=1)
    assert stamps(target)["in/b.avi"] != again["in/b.avi"]
    with av.open(os.fspath(target / "in/b.avi")) as container:
        assert len(list(container.decode(video=0))) == 9
