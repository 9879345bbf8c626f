"""Options that make no sense are refused, from Python as on the command line."""

from __future__ import annotations

from typing import Any

import pytest

import triptych
from triptych.diff.options import NAMES, NAMES_NOT_YET, Options
from triptych.record.errors import UsageError


@pytest.mark.parametrize("option", ["only", "skip"])
def test_what_is_not_measured_yet_cannot_be_asked_for(option: str) -> None:
    for name in NAMES_NOT_YET:
        with pytest.raises(UsageError, match=f"--{option}: '{name}' is not measured yet"):
            Options(**{option: (name,)})
    assert {"people", "faces", "shot scale", "text", "speech"} <= NAMES
    assert not NAMES & NAMES_NOT_YET


@pytest.mark.parametrize(
    ("name", "meant"),
    [("sond", "sound"), ("Style", "style"), ("sharpnes", "sharpness"), ("xyzzy", None)],
)
def test_the_nearest_name_is_offered(name: str, meant: str | None) -> None:
    with pytest.raises(UsageError) as error:
        Options(only=(name,))
    assert ("did you mean" in str(error.value)) == (meant is not None)
    assert meant is None or f"did you mean {meant}?" in str(error.value)
    assert "style (colour, tone, sharpness, noise, bars); background (" in str(error.value)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"fps": x} for x in (float("nan"), float("inf"), 0, -25.0)),
        *({"offset_s": x} for x in (float("nan"), float("inf"), float("-inf"))),
        *({"lang": x} for x in ("", "e", "eng", "EN", "e1", "en\n", "en-GB", "ё0")),
        *({"stream_a": -1}, {"stream_b": -1}),
    ],
)
def test_values_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as error:
        Options(**wrong)
    assert "\n" not in str(error.value)
    with pytest.raises(UsageError):
        triptych.diff("a.mp4", "b.mp4", **wrong)


def test_values_that_make_sense_are_taken() -> None:
    options = Options(fps=23.976, offset_s=-1.5, lang="de", stream_a=0, stream_b=1)
    assert (options.fps, options.offset_s, options.lang) == (23.976, -1.5, "de")
