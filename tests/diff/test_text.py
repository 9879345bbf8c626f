"""Findings about on-screen text, on clips written for the purpose and on a real one."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from triptych import media
from triptych.diff.context import Context
from triptych.diff.options import Options
from triptych.diff.text import findings, told
from triptych.measure.survey import survey
from triptych.measure.text_check import TextSide
from triptych.measure.text_compare import TextComparison
from triptych.measure.text_models import FINDER, READER, text_models
from triptych.measure.text_reading import FrameText, Line, TextReading
from triptych.measure.text_sampling import TextFrames, TextSampler
from triptych.measure.text_tracking import track_text
from triptych.measure.timemap import Piece, TimeMap
from triptych.record.report import Alignment, Finding


def compare(
    a: Path, b: Path, options: Options | None = None, *, read: bool = True
) -> list[Finding]:
    samplers = TextSampler(), TextSampler()
    videos = media.open(a), media.open(b, id="B")
    surveys = [survey(v, [s]) for v, s in zip(videos, samplers, strict=True)]
    ctx = Context(
        options=options or Options(),
        a=surveys[0],
        b=surveys[1],
        video_a=videos[0],
        video_b=videos[1],
        alignment=Alignment(matched=True, score=1.0),
        timemap=TimeMap([Piece(0.0, surveys[0].duration, 0.0, 1.0)]),
        observed={"text": (samplers[0].frames(), samplers[1].frames())} if read else {},
    )
    return list(findings(ctx))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two-second clips: nothing, a title, the title with another number."""
    import av
    from PIL import Image, ImageDraw, ImageFont

    folder = tmp_path_factory.mktemp("text")
    paths = {}
    for name, text in (("none", ""), ("twenty", "SALE 20 %"), ("thirty", "SALE 30 %")):
        image = Image.new("RGB", (640, 360), (40, 60, 80))
        ImageDraw.Draw(image).text((200, 280), text, font=ImageFont.load_default(50), fill="white")
        paths[name] = folder / f"{name}.mp4"
        with av.open(str(paths[name]), "w") as container:
            stream = container.add_stream("mpeg4", rate=10)
            stream.width, stream.height, stream.bit_rate = 640, 360, 2_000_000
            for _ in range(20):
                frame = av.VideoFrame.from_ndarray(np.asarray(image), "rgb24")
                container.mux(stream.encode(frame))
            container.mux(stream.encode())
    return paths


def test_a_changed_number_is_told_with_its_moment_and_place(written: dict[str, Path]) -> None:
    (found,) = compare(written["twenty"], written["thirty"])
    assert (found.dimension, found.aspect) == ("subject", "on-screen text")
    assert found.relation == "different"
    assert found.statement == '"SALE 20 %" at 0:00.0-0:01.5 in A reads "SALE 30 %" in B'
    assert found.measure is not None
    assert (found.measure.name, found.measure.unit) == ("word error", "1")
    assert found.measure.values["error"] == 1
    assert [(e.video, e.modality, e.shows) for e in found.evidence] == [
        ("A", "text", "SALE 20 %"),
        ("B", "text", "SALE 30 %"),
    ]
    box = found.evidence[0].box
    assert box is not None
    assert abs(box[0] - 200) < 20
    assert 270 < box[1] + box[3] / 2 < 350


def test_an_added_title_is_told(written: dict[str, Path]) -> None:
    (found,) = compare(written["none"], written["twenty"])
    assert found.relation == "different"
    assert found.statement == '"SALE 20 %" at 0:00.0-0:01.5 in B is not in A'
    assert found.values == {"A": None, "B": "SALE 20 %"}


def test_no_text_in_either_is_the_same(written: dict[str, Path]) -> None:
    (found,) = compare(written["none"], written["none"])
    assert (found.relation, found.statement) == ("same", "no on-screen text found in either")


def test_without_the_reader_or_with_other_files_it_is_unknown(
    written: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "rapidocr"
    (package / "models").mkdir(parents=True)
    (package / "__init__.py").touch()
    spec = importlib.util.spec_from_file_location("rapidocr", package / "__init__.py")
    for found_spec, content, reason in (
        (None, None, "is not installed"),
        (spec, None, "holds no PP-OCRv6_det_small.onnx"),
        (spec, b"other", "do not load"),
    ):
        if content is not None:
            for name in (FINDER, READER):
                (package / "models" / name).write_bytes(content)
        monkeypatch.setattr(importlib.util, "find_spec", lambda _, s=found_spec: s)
        text_models.cache_clear()
        (found,) = compare(written["twenty"], written["thirty"])
        assert found.relation == "unknown"
        assert reason in found.statement and "pip install" in found.statement
        assert "\n" not in found.statement


def side(text: str, count: int, step: float) -> TextSide:
    """A side on which ``text`` was read ``count`` times, of a video looked at every ``step``."""
    line = Line(text, 0.9, 0.9, (10.0, 10.0, 90.0, 20.0))
    times = [step * i for i in range(count)]
    frames = TextFrames(
        times, [b""] * count, [(t, i) for i, t in enumerate(times)], 640, 360, 1.0, step
    )
    read = tuple(FrameText(i, t, (line,)) for i, t in enumerate(times))
    reading = TextReading(frames, read)
    return TextSide(reading, track_text(reading), (0.0, 0.0, 640.0, 360.0))


def test_text_that_was_read_once_is_neither_there_nor_not() -> None:
    a, b = side("hotel", 1, 0.5), side("", 0, 0.5)
    (found,) = told(TextComparison(), a, b)
    assert found.relation == "unknown"
    assert found.statement == 'text was read, but not steadily (such as "hotel")'


@pytest.mark.parametrize(
    ("step", "relation", "says"),
    [(0.5, "same", False), (1.0, "same", True), (4.0, "unknown", True)],
)
def test_long_videos_say_how_often_they_were_looked_at(
    step: float, relation: str, says: bool
) -> None:
    a = side("Hotel Post", 5, step)
    (found,) = told(TextComparison(same=[(a.items[0], a.items[0])]), a, a)
    assert found.relation == relation
    assert (f"every {step:g} s" in found.statement) == says


def test_what_was_not_read_is_unknown(written: dict[str, Path]) -> None:
    (skipped,) = compare(written["twenty"], written["thirty"], read=False)
    assert (skipped.relation, "skipped" in skipped.statement) == ("unknown", True)
    (foreign,) = compare(written["twenty"], written["thirty"], Options(lang="ru"))
    assert (foreign.relation, "'ru'" in foreign.statement) == ("unknown", True)


def test_a_real_counter_agrees_with_itself(clips: Path) -> None:
    path = clips / "psd_counter.mp4"
    (found,) = compare(path, path)
    assert found.relation == "same"
    texts = found.values["A"]
    assert isinstance(texts, list)
    samples = {t["text"].split(" = ")[0]: t["samples"] for t in texts}
    # Ten frames a second, counted from 1: the clip's own clock.
    assert [[time, f"Frame = {round(time * 10) + 1}"] for time, _ in samples["Frame"]] == samples[
        "Frame"
    ]
