"""Figures of four hand-made reports, counted by hand."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image
from rich.console import Console

from triptych.bench.edits_judge import Judged
from triptych.bench.edits_misses import misses
from triptych.bench.edits_plot import plot
from triptych.bench.edits_scores import scores
from triptych.bench.edits_table import render
from triptych.record.scores import Scores

from .hand_made import judged, pair, report


@pytest.fixture
def run() -> list[Judged]:
    return [
        judged(
            pair("blur-light", "a.mp4", must=["style: sharpness"]),
            report({"style: sharpness": "same", "style: tone": "same", "style: bars": "unknown"}),
        ),
        judged(
            pair("blur-heavy", "b.mp4", must=["style: sharpness"], strength="heavy"),
            report({"style: sharpness": "different", "style: tone": "different"}),
        ),
        judged(
            pair("both", "a.mp4", edit="combined", strength="medium", edits=["speed", "mirror"],
                 must=["position: mirroring", "playback technique: speed"],
                 alignment={"speed": 2.0, "mirrored": "horizontal"}),
            report({"position: mirroring": "different", "playback technique: speed": "unknown"},
                   speed=2.02, speed_interval=[1.98, 2.06], mirrored="horizontal"),
        ),
        judged(
            pair("speed", "b.mp4", edit="speed", strength="heavy", alignment={"speed": 4.0},
                 must=["playback technique: speed"]),
            None, error="damaged",
        ),
        judged(pair("crf-23", "a.mp4", edit="crf", strength="control"),
               report({"style: tone": "same"})),
        judged(pair("crf-28", "b.mp4", edit="crf", strength="control"),
               report({"style: noise": "different", "style: tone": "same"})),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "n"),
    [
        ("recall/all", 40, 5),
        ("recall/medium and heavy", 50, 4),
        ("recall/strength/light", 0, 1),
        ("recall/strength/heavy", 50, 2),
        ("recall/edit/blur", 50, 2),
        ("recall/edit/blur/heavy", 100, 1),
        ("recall/edit/speed", 0, 1),
        ("recall/dimension/style", 50, 2),
        ("recall/dimension/playback technique", 0, 2),
        ("recall/aspect/position: mirroring", 100, 1),
        ("unknown/all", 20, 5),
        ("unknown/edit/combined", 50, 2),
        ("absent/all", 0, 5),
        ("false/all", 40, 5),  # tone: same, different, same, same; noise: different; bars unknown
        ("false/aspect/style: tone", 25, 4),
        ("false/dimension/style", 40, 5),
        ("false/edit/crf", 100 / 3, 3),
        ("controls/different", 50, 2),
        ("alignment/direction", 500 / 6, 6),
        ("alignment/mirroring", 500 / 6, 6),
        ("speed/ok", 50, 2),
        ("speed/within 2 %", 50, 2),
        ("speed/error, median", 1.0, 1),
        ("speed/interval covers", 100, 1),
        ("speed/interval width, median", 100 * (2.06 / 2.02 - 1), 1),
        ("speed unchanged/ok", 100, 4),
    ],
)
def test_values(run: list[Judged], name: str, value: float, n: int) -> None:
    score = scores(run)[name]
    assert score.value == pytest.approx(value, abs=1e-4)
    assert score.n == n


def test_a_set_without_speed_says_so(run: list[Judged]) -> None:
    score = scores(run[:2])["speed/error, median"]
    assert (score.value, score.reason) == (None, "no pair has a speed to be found")


def test_a_control_that_failed_did_not_pass() -> None:
    failed = judged(pair("crf", edit="crf", strength="control"), None, error="damaged")
    assert scores([failed])["controls/different"].value == 100


def test_misses_name_each_with_its_command(run: list[Judged]) -> None:
    found = list(misses(run, "my set"))
    assert [(m.kind, m.pair, m.aspect) for m in found] == [
        ("missed", "blur-light", "style: sharpness"),
        ("false", "blur-heavy", "style: tone"),
        ("missed", "both", "playback technique: speed"),
        ("failed", "speed", None),
        ("false", "crf-28", "style: noise"),
    ]
    assert found[0].command == (
        "triptych diff --only 'style: sharpness' -- "
        "'my set/sources/a.mp4' 'my set/videos/blur-light.mp4'"
    )


def test_misses_name_what_the_alignment_has_wrong() -> None:
    truth = {"speed": 2.0, "mirrored": "horizontal"}
    wrong = judged(pair("p", alignment=truth), report({}, direction="reverse", speed=2.2))
    assert [(m.kind, m.line.split(": ")[1]) for m in misses([wrong], "set")] == [
        ("inexact", "the alignment's direction is not the true one"),
        ("inexact", "the alignment's mirroring is not the true one"),
        ("inexact", "the speed is 2, stated is 2.2"),
    ]
    # Where frames are held or taken out there is no one speed to be right or wrong.
    held = judged(pair("q", edit="irregular-drops"), report({}, speed=None, speed_interval=None))
    assert not held.speed.ok
    assert list(misses([held], "set")) == []


def test_table_and_plot(run: list[Judged], tmp_path: Path) -> None:
    result = Scores(bench="edits", model="measured", n=6, failed=1, seconds=1, scores=scores(run))
    console = Console(file=io.StringIO(), width=140)
    render(result, console)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "6 pairs, 1 failed, 0.2 s each" in shown
    lines = [" ".join(line.split()) for line in shown.splitlines()]
    assert "recall, all 40.0 33.3-50.0 5" in lines
    assert "blur 0 (1) 100 (1) 0 (2) 50 (2)" in lines
    assert "crf (control) 33 (3)" in lines
    assert lines.index("style 50.0 0.0-100.0 2 40.0 0.0-66.7 5") < lines.index(
        "tone 25.0 0.0-50.0 4"
    )
    target = tmp_path / "recall.png"
    plot(result, target)
    with Image.open(target) as picture:
        assert picture.width == 1800
