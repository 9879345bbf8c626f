"""Framing by ffmpeg's crop: how much larger, and where to."""

from __future__ import annotations

from pathlib import Path

import pytest
from known_clips import SIZE, differing, edit, report_of, told


@pytest.mark.parametrize(("zoom", "x", "y"), [(1.5, 0.8, 0.1), (1.2, 0.0, 0.5), (1.08, 0.5, 0.5)])
def test_a_crop_is_measured(clip: Path, tmp_path: Path, zoom: float, x: float, y: float) -> None:
    w, h = 2 * round(SIZE[0] / zoom / 2), 2 * round(SIZE[1] / zoom / 2)
    left, top = round(x * (SIZE[0] - w)), round(y * (SIZE[1] - h))
    look = f"crop={w}:{h}:{left}:{top},scale={SIZE[0]}:{SIZE[1]}:flags=bicubic"
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", look))
    assert "camera: framing" in differing(report)
    assert differing(report) <= {"camera: framing", "style: sharpness", "style: noise"}
    (f,) = told(report, "camera", "framing")
    value = f.values["B"]
    assert isinstance(value, dict)
    assert value["scale"] == pytest.approx(SIZE[0] / w, abs=0.015)
    # Where A's middle went, as a share of the frame.
    wanted = ((SIZE[0] / 2 - left) / w - 0.5, (SIZE[1] / 2 - top) / h - 0.5)
    assert value["shift"] == pytest.approx(wanted, abs=0.012)


def test_a_smaller_picture_is_no_framing(clip: Path, tmp_path: Path) -> None:
    report = report_of(clip, edit(clip, tmp_path / "b.mp4", "scale=160:90"))
    assert [f.relation for f in told(report, "camera", "framing")] == ["same"]
