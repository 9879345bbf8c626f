"""What is asked for is measured, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from known_clips import edit, report_of

from triptych.diff.options import NAMES, Options
from triptych.record.errors import UsageError
from triptych.record.report import ASPECTS


def wanted(options: Options) -> set[str]:
    return {f"{d}: {x}" for d, aspects in ASPECTS.items() for x in aspects if options.wants(d, x)}


def test_everything_is_wanted_at_first() -> None:
    assert len(wanted(Options())) == sum(len(x) for x in ASPECTS.values())


def test_only_and_skip() -> None:
    assert wanted(Options(only=("position",))) == {f"position: {x}" for x in ASPECTS["position"]}
    assert wanted(Options(only=("position", "speed"), skip=("layout",))) == {
        "position: mirroring",
        "position: rotation",
        "playback technique: speed",
    }
    both = {"playback technique: direction", "motion: direction"}
    assert wanted(Options(only=("direction",))) == both
    assert wanted(Options(only=("motion: direction",))) == {"motion: direction"}


def test_slow_measurers_have_short_names() -> None:
    everything = wanted(Options())
    assert everything - wanted(Options(skip=("text",))) == {"subject: on-screen text"}
    assert everything - wanted(Options(skip=("speech",))) == {"sound: speech"}
    assert wanted(Options(only=("text",))) == {"subject: on-screen text"}
    seen = {"subject: people", "subject: faces", "camera: shot scale"}
    assert everything - wanted(Options(skip=("people",))) == seen
    assert wanted(Options(only=("people",))) == seen
    assert wanted(Options(only=("subject: people",))) == {"subject: people"}


@pytest.mark.parametrize("name", ["", "colr", "Position", "style:colour", "*", "motion: speed"])
@pytest.mark.parametrize("option", ["only", "skip"])
def test_a_wrong_name_is_said(name: str, option: str) -> None:
    with pytest.raises(UsageError) as error:
        Options(**{option: (name,)})
    assert repr(name) in str(error.value)
    assert "\n" not in str(error.value)
    assert "on-screen text" in str(error.value)


def test_every_name_is_taken() -> None:
    for name in NAMES:
        assert wanted(Options(only=(name,)))


def test_the_report_holds_what_was_asked_for(clip: Path, tmp_path: Path) -> None:
    b = edit(clip, tmp_path / "b.mp4", "hflip,eq=brightness=-0.2")
    only = report_of(clip, b, only=("mirroring", "speed"), skip=())
    assert {f.aspect for f in only.findings} == {"mirroring", "speed"}
    assert only.dimensions["position"] == "different"
    assert only.dimensions["background"] == "unknown"
    less = report_of(clip, b, skip=("position", "text", "speech", "people"))
    assert "position" not in {f.dimension for f in less.findings}
    assert less.dimensions["background"] == "different"
