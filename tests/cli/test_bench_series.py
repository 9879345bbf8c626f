"""``triptych bench sweep`` and ``bench robustness`` as people and scripts run them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from .conftest import FAST, Run, write_clip


@pytest.fixture(scope="module")
def pairs(triptych: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    clip = write_clip(folder / "clip.mp4", seconds=4)
    made = triptych("make", "pairs", clip, "-o", folder / "pairs", "--edits", "mirror,remux")
    assert made.returncode == 0, made.stderr
    return folder / "pairs"


def test_measured_on_perturbed_copies(triptych: Run, pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    args = ["bench", "robustness", pairs, "--model", "measured", "--judge", "facts", *FAST]
    args += ["--kinds", "saturation", "--workers", "2", "-n", "2", "--out", out, "-q"]
    done = triptych(*args, timeout=400)
    assert (done.returncode, done.stderr) == (0, "")
    names = ["clean", "copy", "saturation-0.75", "saturation-0.5", "saturation-0.25"]
    assert {p.name for p in out.iterdir()} == {
        *names, "run.json", "series.json", "scores.json", "robustness.png",
    }  # fmt: skip
    for told in ("less clean, paired", "assisted: ", "copy: perturbed: nothing changed, but written"
                 " anew; lossless copies", "S of HSV times 0.25", "not comparable"):  # fmt: skip
        assert told in done.stdout, told
    series = json.loads((out / "series.json").read_text("utf-8"))
    assert series["schema"] == "triptych.series/1"
    assert [p["name"] for p in series["points"]] == names
    # Writing anew changes nothing of what is found, and these edits are no matter of colour.
    assert [p["scores"]["Avg"]["value"] for p in series["points"]] == [100.0] * 5
    assert not any("perturbed" in n for n in series["points"][0]["notes"])
    with Image.open(out / "robustness.png") as picture:
        assert picture.width > 500
    kept = {p: p.stat().st_mtime_ns for p in out.rglob("*.mp4")}
    assert len(kept) == 4 * len({p.name for p in kept}) > 0
    again = triptych(*args, "--json", "-", timeout=400)
    assert json.loads(again.stdout)["scores"]["clean/Avg"]["value"] == 100
    assert again.stdout == (out / "scores.json").read_text("utf-8")
    assert {p: p.stat().st_mtime_ns for p in out.rglob("*.mp4")} == kept


SCRIPT = {
    "schema": "triptych.script/1",
    "rules": [{"role": "policy", "answer": "In Video A, x. In Video B, y."}],
    "default": {"answer": "no"},
}


def test_sweep_of_a_scripted_model(triptych: Run, pairs: Path, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")
    (tmp_path / "script.json").write_text(json.dumps(SCRIPT), "utf-8")
    name = "scripted/script.json"
    args = ["bench", "sweep", pairs, "--model", name, "--judge", name, "--size", "64,32"]
    done = triptych(*args, "--out", "run", cwd=tmp_path, timeout=400)
    assert done.returncode == 0, done.stderr
    assert "the runs are in run, the plot is run/sweep.png" in done.stderr
    assert "size 64 " in done.stdout and "32x24" in done.stdout
    assert "the judge is the model under test" in done.stdout
    held = triptych("bench", "compare", "run/size-64", "run/size-32", cwd=tmp_path, timeout=400)
    assert held.returncode == 0
    (tmp_path / "mute.json").write_text(json.dumps(SCRIPT | {"rules": [], "default": "?"}), "utf-8")
    args = [*args[:3], "--model", name, "--judge", "scripted/mute.json", "--fps", "1,2"]
    mute = triptych(*args, "--out", "mute", "--json", "-", cwd=tmp_path, timeout=400)
    assert mute.returncode == 2
    assert "not one question was answered" in mute.stderr
    scores = json.loads(mute.stdout)
    assert scores["failed"] == scores["n"] > 0
    table = triptych(*args, "--out", "mute", cwd=tmp_path, timeout=400).stdout
    assert "the judge said neither yes nor no: ? (at every point)" in table


@pytest.mark.parametrize(
    "args",
    [
        ["sweep", "--model", "measured", "--judge", "scripted/blind"],
        ["sweep", "--model", "scripted/blind", "--judge", "scripted/blind"],
        ["sweep", "--model", "scripted/reader", "--judge", "facts"],
        ["sweep", "--model", "scripted/reader", "--judge", "scripted/blind", "--fps", "1,x"],
        ["sweep", "--model", "scripted/reader", "--judge", "scripted/blind", "--fps", "1,0"],
        ["sweep", "--model", "scripted/reader", "--judge", "scripted/blind", "--size", "1x"],
        ["sweep", "--model", "scripted/reader", "--judge", "scripted/blind", "--fps", "1,2",
         "--size", "32,64"],
        ["robustness", "--model", "measured", "--judge", "facts", "--kinds", "fog"],
        ["robustness", "--model", "scripted/reader", "--judge", "facts"],
    ],
)  # fmt: skip
def test_wrong_use_is_one_line(triptych: Run, pairs: Path, tmp_path: Path, args: list[str]) -> None:
    done = triptych("bench", args[0], pairs, *args[1:], "--out", tmp_path / "run", timeout=400)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "unexpected" not in done.stderr
