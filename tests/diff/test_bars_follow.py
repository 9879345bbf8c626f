"""Bars that a clip brought along, and bars that were put over it."""

from __future__ import annotations

from pathlib import Path

import pytest
from known_clips import edit, report_of, told


@pytest.fixture(scope="module")
def pillared(clip: Path, work: Path) -> Path:
    """The clip with pillars of an eighth on both sides."""
    look = "scale=192:144,pad=256:144:32:0:black"
    return edit(clip, work / "pillared.mp4", look)


@pytest.mark.parametrize(
    "look",
    [
        "drawbox=226:20:28:30:orange:t=fill",  # a logo on the right pillar
        "scale=1024:576,crop=944:528:'4*(20*t/5)':24,scale=256:144:flags=bicubic",  # a pan
    ],
)
def test_what_covers_or_moves_own_bars_takes_none_away(
    pillared: Path, tmp_path: Path, look: str
) -> None:
    report = report_of(pillared, edit(pillared, tmp_path / "b.mp4", look), only=("style: bars",))
    (f,) = told(report, "style", "bars")
    assert f.relation == "same"


def test_bars_put_over_are_bars(clip: Path, tmp_path: Path) -> None:
    look = "drawbox=0:0:iw:18:black:t=fill,drawbox=0:ih-18:iw:18:black:t=fill"
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", look), only=("style: bars",))
    (f,) = told(report, "style", "bars")
    assert f.relation == "different"


def test_bars_taken_off_are_told(pillared: Path, clip: Path) -> None:
    report = report_of(pillared, clip, only=("style: bars",))
    (f,) = told(report, "style", "bars")
    assert f.relation == "different"
