"""``triptych make pairs``; what it makes is tested where it is made."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Run, write_clip


def test_pairs(triptych: Run, tmp_path: Path) -> None:
    clip = write_clip(tmp_path / "clip.mp4", seconds=4)
    out = tmp_path / "pairs"
    done = triptych("make", "pairs", clip, "-o", out, "-n", "2", "--seed", "7")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2 pairs (2 new), ")
    truth = (out / "truth.jsonl").read_text(encoding="utf-8")
    assert len([json.loads(line) for line in truth.splitlines()]) == 2
    again = triptych("make", "pairs", clip, "-o", out, "-n", "2", "--seed", "7")
    assert again.stdout.startswith("2 pairs (0 new), ")
    assert (out / "truth.jsonl").read_text(encoding="utf-8") == truth


def test_trouble_is_one_line_and_2(triptych: Run, tmp_path: Path) -> None:
    clip = write_clip(tmp_path / "clip.mp4")
    for args in (["gone.mp4"], [str(clip), "--edits", "mirage"], [str(clip), "-n", "0"]):
        done = triptych("make", "pairs", *args, "-o", tmp_path / "out")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1, done.stderr
        assert "unexpected" not in done.stderr
    assert triptych("make").returncode == 2
