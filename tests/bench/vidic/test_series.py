"""Sweeps and corruptions behind a real server: what is on the wire, and what comes of it."""

from __future__ import annotations

import base64
import io
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")

from PIL import Image

from cli.conftest import write_clip
from models.chat_server import Answer, ChatServer
from triptych.bench.compare import compare
from triptych.bench.vidic.robustness import robustness
from triptych.bench.vidic.run_judged import Judging
from triptych.bench.vidic.series import Series
from triptych.bench.vidic.series_table import plot
from triptych.bench.vidic.shown import from_preset
from triptych.bench.vidic.sweep import axes, sweep
from triptych.models import Budget, Patience, Prices
from triptych.record.errors import UsageError

from .made_lists import entry, item, write

PATIENCE = Patience(timeout_s=60.0, retries=1, first_s=0.01, most_s=0.02)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """Two pairs of videos of 128 x 96, two seconds; a difference and a similarity each."""
    for name in ("p/a", "p/b", "q/a", "q/b"):
        write_clip(tmp_path / f"{name}.mp4", mirror=name == "p/b", crf=10)
    asked = [item(question="d?")], [item(correct="no", question="s?")]
    return write(tmp_path / "c.json", [entry(n, *asked) for n in ("p", "q")])


def shown(request: dict[str, Any]) -> list[np.ndarray]:
    """The pictures of a request, decoded."""
    content = request["messages"][-1]["content"]
    urls = [p["image_url"]["url"] for p in content if p["type"] == "image_url"] if isinstance(
        content, list) else []  # fmt: skip
    return [
        np.asarray(Image.open(io.BytesIO(base64.b64decode(u.partition(",")[2]))).convert("RGB"))
        for u in urls
    ]


def captioned(server: ChatServer) -> list[list[np.ndarray]]:
    """The pictures of each request for a caption, in order."""
    return [seen for r in server.requests if (seen := shown(r))]


def script(request: dict[str, Any], number: int) -> Answer:
    """Says that a difference is there as soon as four frames of each video are seen."""
    seen = shown(request)
    if seen:
        return Answer(f"In Video A, {len(seen)}." if len(seen) < 8 else "In Video A, x, not B.")
    asked = request["messages"][-1]["content"]
    yes = "x, not B" in asked and "Question: d?" in asked
    return Answer(json.dumps({"answer": "yes" if yes else "no"}))


def luma(rgb: np.ndarray) -> np.ndarray:
    return rgb.astype(float) @ [0.299, 0.587, 0.114]


def saturation(rgb: np.ndarray) -> float:
    """S of HSV by its definition, over pixels that are not dark."""
    top, low = rgb.max(axis=2).astype(float), rgb.min(axis=2).astype(float)
    light = top > 60
    return float(((top - low) / np.maximum(top, 1))[light].mean())


def test_corruptions_reach_the_wire(made: Path, tmp_path: Path) -> None:
    with ChatServer(script) as server:
        name = f"openai-api/m@{server.url}"
        args: dict[str, Any] = {"model": name, "out": tmp_path / "run", "limit": 1, "seed": 1}
        how = from_preset(frames=1, size=128)
        found = robustness(made, Judging(name, patience=PATIENCE), how=how, **args)
        seen = captioned(server)
        before = len(server.requests)
        again = robustness(made, Judging(name, patience=PATIENCE), how=how, **args)
        assert len(server.requests) == before
    names = [p.name for p in found.series.points]
    assert names[0] == "clean" and len(names) == len(seen) == 10
    wire = dict(zip(names, seen, strict=True))
    clean = wire["clean"][0]
    weights = math.sqrt(0.299**2 + 0.587**2 + 0.114**2)
    grains = {}
    for sigma in (15, 30, 45):
        # Where nothing is clipped; JPEG takes and adds a little.
        middle = (clean > 2 * sigma).all(axis=2) & (clean < 255 - 2 * sigma).all(axis=2)
        apart = [luma(n) - luma(c) for n, c in zip(wire[f"noise-{sigma}"], wire["clean"])]  # noqa: B905
        grains[sigma] = apart[0]
        if sigma < 45:  # few pixels are so far from both ends
            assert middle.sum() > 500
            assert apart[0][middle].std() == pytest.approx(sigma * weights, rel=0.1)
        # One pattern for both videos, which are of one size and begin at one time.
        assert np.corrcoef(apart[0].ravel(), apart[1].ravel())[0, 1] > 0.6
    assert grains[15].std() < grains[30].std() < grains[45].std()
    sharp = [np.abs(np.diff(luma(wire[n][0]), axis=1)).mean()
             for n in ("clean", "blur-5", "blur-9", "blur-15")]  # fmt: skip
    assert sharp == sorted(sharp, reverse=True) and sharp[3] < 0.7 * sharp[0]
    for factor in (0.75, 0.5, 0.25):
        pale = saturation(wire[f"saturation-{factor:g}"][0])
        assert pale == pytest.approx(factor * saturation(clean), abs=0.03)
    notes = {p.name: " ".join(p.notes) for p in found.series.points}
    assert "perturbed" not in notes["clean"]
    assert (
        "perturbed: Gaussian blur, kernel 9 x 9 pixels, at the video's own size" in notes["blur-9"]
    )
    assert again.series.points[3].scores == found.series.points[3].scores
    assert all(p.spent and p.spent.stored == p.spent.calls for p in again.series.points)


def test_blur_is_in_pixels_of_the_video_and_frames_are_scaled_after(
    made: Path, tmp_path: Path
) -> None:
    with ChatServer(script) as server:
        name = f"openai-api/m@{server.url}"
        how = from_preset(frames=1, size=32)
        robustness(made, Judging(name, patience=PATIENCE), model=name, how=how, limit=1,
                   kinds=["blur"], out=tmp_path / "run")  # fmt: skip
        seen = captioned(server)
    assert {p.shape for request in seen for p in request} == {(24, 32, 3)}
    # Five pixels of 128 are little more than one of 32: hardly to be seen after scaling.
    assert np.abs(luma(seen[1][0]) - luma(seen[0][0])).mean() < 6


def test_sweep_of_rates(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with ChatServer(script) as server:
        name = f"openai-api/m@{server.url}"
        found = sweep(made, Judging(name, patience=PATIENCE), model=name, fps=[1, 2, 3], sizes=[64],
                      out=out)  # fmt: skip
        frames = [len(s) for s in captioned(server)]
        judged = len(server.requests) - len(frames)
        before = len(server.requests)
        again = sweep(made, Judging(name, patience=PATIENCE), model=name, fps=[1, 2, 3], sizes=[64],
                      out=out)  # fmt: skip
        assert len(server.requests) == before
    assert sorted(frames) == [4, 4, 8, 8, 12, 12]
    # What was judged of one caption is not asked again: two captions, two questions.
    assert judged == 4
    series = Series.model_validate_json((out / "series.json").read_text("utf-8"))
    assert [p.name for p in series.points] == ["fps-1", "fps-2", "fps-3"]
    assert [p.scores["Diff"].value for p in series.points] == [0, 100, 100]
    assert [p.change.get("Avg") and p.change["Avg"].value for p in series.points] == [None, 50, 50]
    assert series.points[1].change["Diff"] == compare(out / "fps-1", out / "fps-2").scores["Diff"]
    spent = series.points[2].spent
    assert spent is not None
    assert (spent.calls, spent.pictures, spent.largest) == (6, 24, (64, 48))
    assert (spent.input, spent.output, spent.cost) == (42, 18, None)
    flat = found.series.flat()
    assert (flat.n, flat.failed, flat.scores["fps-2/change/Avg"].value) == (12, 0, 50)
    assert again.series.flat().scores == flat.scores
    plot(series, out / "sweep.png")
    with Image.open(out / "sweep.png") as picture:
        assert np.asarray(picture.convert("L")).std() > 10


def test_sweep_of_sizes_and_points_that_fail(made: Path, tmp_path: Path) -> None:
    def large_ones_fail(request: dict[str, Any], number: int) -> Answer:
        seen = shown(request)
        return Answer(status=400) if seen and seen[0].shape[1] > 64 else script(request, number)

    with ChatServer(large_ones_fail) as server:
        name = f"openai-api/m@{server.url}"
        found = sweep(made, Judging(name, patience=PATIENCE), model=name, fps=[2],
                      sizes=[32, (64, 64), 720], out=tmp_path / "run")  # fmt: skip
        sizes = {p.shape[1::-1] for s in captioned(server) for p in s}
    assert sizes == {(32, 24), (64, 64), (128, 96)}  # and nothing is made larger
    assert [p.name for p in found.series.points] == ["size-32", "size-64x64", "size-720"]
    assert [p.failed for p in found.series.points] == [0, 0, 4]
    assert found.series.points[2].scores["Avg"].value == 0
    assert found.series.points[2].change["Sim"].value == -100
    plot(found.series, tmp_path / "$p$.png")


def test_one_budget_for_all_points(made: Path, tmp_path: Path) -> None:
    """Calls of two dollars: four for the first point, two for each other while there is money."""
    usage = {"prompt_tokens": 2000, "completion_tokens": 1, "total_tokens": 2001}

    def dear(request: dict[str, Any], number: int) -> Answer:
        return replace(script(request, number), usage=usage)

    table = tmp_path / "prices.toml"
    table.write_text(
        '[[model]]\nname = "openai-api/*"\ninput = 1000\noutput = 0\npictures = "none"\n'
    )
    budget = Budget(17.0)
    with ChatServer(dear) as server:
        name = f"openai-api/m@{server.url}"
        judging = Judging(name, patience=PATIENCE, budget=budget, prices=Prices(table))
        found = sweep(made, judging, model=name, fps=[2, 2.5, 3, 3.5], sizes=[32],
                      out=tmp_path / "run")  # fmt: skip
    points = found.series.points
    assert budget.spent == 2 * len(server.requests) == 16
    assert points[0].failed == 0 and points[0].spent and points[0].spent.cost == 12
    assert points[-1].failed == points[-1].n
    assert all("budget" in (j.failed or "") for j in found.results[-1].failed)


def test_axes() -> None:
    assert axes([], []) == ([0.5, 1, 2, 4], [1280])
    assert axes([1, 2, 1], []) == ([1, 2], [1280])
    assert axes([], [64, 32]) == ([2], [64, 32])
    assert axes([3], []) == ([3], [224, 448, 720, 1280])
    assert axes([], [448]) == ([0.5, 1, 2, 4], [448])
    for rates, sizes in (([1, 2], [64, 32]), ([1], [64]), ([0], []), ([math.inf, 1], [])):
        with pytest.raises(UsageError):
            axes(rates, sizes)


@pytest.mark.parametrize(
    ("model", "judge"), [("measured", "scripted/blind"), ("scripted/x", "facts")]
)
def test_who_cannot_be_swept(made: Path, tmp_path: Path, model: str, judge: str) -> None:
    with pytest.raises(UsageError, match="name a model"):
        sweep(made, Judging(judge), model=model, out=tmp_path / "run")
