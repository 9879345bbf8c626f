"""All edits against the table: against what they claim, on a known clip."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from known_clip import made, make_clip

import triptych.make.edits  # noqa: F401
from triptych.make.clip import Clip
from triptych.make.registry import EDITS, Parameter, expand
from triptych.record.report import ASPECTS


@pytest.fixture(scope="module")
def long() -> Clip:
    return make_clip(6.0)


def every() -> list[tuple[str, Parameter]]:
    return [(e.name, p) for e in EDITS.values() for ps in e.strengths.values() for p in ps]


@pytest.mark.parametrize(("name", "parameter"), every())
def test_truth_names_what_must_be_found_and_frames_fit(
    long: Clip, name: str, parameter: Parameter
) -> None:
    faster = Clip(long.frames, Fraction(30), make_clip(4.0).sound)
    result = made(faster if name == "fps" else long, name, parameter)
    assert set(result.expected) == expand(EDITS[name].must)
    frames = result.clip.frames
    picture = frames[len(frames) - 1]
    assert picture.shape == (frames.height * 3 // 2, frames.width)
    assert picture.dtype == np.uint8
    if result.clip.sound is not None:
        heard = result.clip.sound.samples.shape[1] / result.clip.sound.rate
        assert heard == pytest.approx(result.clip.seconds, abs=0.001)


def test_the_table_of_the_aspects_is_covered() -> None:
    """Whatever can be made by an edit of this list is found by name in the report's aspects."""
    covered = set().union(*(expand(e.must) for e in EDITS.values()))
    everything = {f"{d}: {a}" for d, names in ASPECTS.items() for a in names}
    # What no edit of the table makes, and why: it takes another scene, other people or words.
    missing = {
        "subject: people", "subject: faces", "background: place", "camera: shots",
        "camera: shot scale", "motion: amount", "motion: direction", "position: layout",
        "sound: speech",
    }  # fmt: skip
    assert everything - covered == missing
