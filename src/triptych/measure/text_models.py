"""The two networks that find and read text, run by onnxruntime without any network access.

The weights (PP-OCRv6 small, Apache-2.0) are files inside the installed package ``rapidocr``; they
are opened from there directly, so nothing is downloaded, written or logged. Finding text is
differentiable binarisation (Liao et al., AAAI 2020, section 3.4: threshold the probability map,
take each blob's box, grow it by area x ratio / perimeter). Reading is greedy CTC decoding.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from triptych.media.frame import U8
from triptych.record.errors import TriptychError, printable

F32 = npt.NDArray[np.float32]

#: Languages whose letters the recogniser's own dictionary holds in full (18,708 signs: Latin with
#: diacritics, Chinese, kana, Greek; no Cyrillic, Hangul, Arabic, Hebrew, Devanagari or Thai).
LANGUAGES = frozenset(
    (
        "af", "az", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "es", "et", "eu", "fi", "fr",
        "ga", "gl", "hr", "hu", "id", "is", "it", "ja", "la", "lb", "lt", "lv", "ms", "mt", "nb",
        "nl", "nn", "no", "pl", "pt", "ro", "sk", "sl", "sq", "sv", "sw", "tl", "tr", "uz", "vi",
        "zh",
    )
)  # fmt: skip

FINDER, READER = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"

#: Probability above which a pixel belongs to text, and the mean that a box must reach (the
#: values that the weights are published with).
PIXEL_THRESHOLD = 0.3
BOX_THRESHOLD = 0.5
#: Growth of a box, in area / perimeter.
UNCLIP_RATIO = 1.6
#: Height of what the recogniser reads, pixels.
LINE_HEIGHT = 48
#: Lines read at most in one picture, largest first, and their longest width at 48 px height:
#: bounds time where a picture is full of text or made to be.
MAX_LINES = 40
MAX_LINE_WIDTH = 2400


class TextModelError(TriptychError):
    """The networks are not there, or are not those that were tried."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"on-screen text was not read: {reason} (pip install 'rapidocr>=3.10' onnxruntime)"
        )


@dataclass(frozen=True, slots=True)
class Spot:
    """Where text stands: corners float32 (4, 2) from top left, clockwise, and the finder's score.

    In pixels of the picture that was given.
    """

    corners: F32
    score: float

    @property
    def box(self) -> tuple[float, float, float, float]:
        """x, y, w, h of the upright box around it."""
        x0, y0 = self.corners.min(axis=0)
        x1, y1 = self.corners.max(axis=0)
        return float(x0), float(y0), float(x1 - x0), float(y1 - y0)


class TextModels:
    """Finder and reader. One thread each call, so that results do not depend on the machine.

    Several threads may use it at once.
    """

    def __init__(self) -> None:
        """Load both. Raises :class:`TextModelError`."""
        folder = _model_folder()
        try:
            self._load(folder)
        except Exception as e:  # whatever another version of the runtime or the files raises
            why = printable(" ".join(f"{type(e).__name__}: {e}".split()))[:160]
            raise TextModelError(f"the models of rapidocr do not load ({why})") from e

    def _load(self, folder: Path) -> None:
        import onnxruntime  # type: ignore[import-untyped]

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        # Lines differ in width, and the arena would keep a block for each: 300 MB over two videos.
        options.enable_cpu_mem_arena = False

        def session(name: str) -> Any:
            return onnxruntime.InferenceSession(
                str(folder / name), options, providers=["CPUExecutionProvider"]
            )

        self._finder = session(FINDER)
        self._reader = session(READER)
        signs = self._reader.get_modelmeta().custom_metadata_map["character"].splitlines()
        self._signs = ["", *signs, " "]
        for network in (self._finder, self._reader):
            if [x.name for x in network.get_inputs()] != ["x"]:
                raise ValueError("networks with other inputs")

    def find(self, picture: U8, side: int, threshold: float = BOX_THRESHOLD) -> list[Spot]:
        """Text in ``picture`` (h, w, 3), looked at with a longest side of ``side`` pixels."""
        height, width = picture.shape[:2]
        scale = side / max(height, width)
        w, h = (max(32 * round(v * scale / 32), 32) for v in (width, height))
        shrunk = scale < 1
        small = cv2.resize(
            picture, (w, h), interpolation=cv2.INTER_AREA if shrunk else cv2.INTER_CUBIC
        )
        heat = np.asarray(
            self._finder.run(None, {"x": _tensor(np.asarray(small, np.uint8))})[0], np.float32
        )[0, 0]
        mask = cv2.dilate((heat > PIXEL_THRESHOLD).astype(np.uint8), np.ones((2, 2), np.uint8))
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        to_picture = np.array([width / w, height / h], np.float32)
        spots = []
        for contour in contours:
            spot = _spot(contour, heat, threshold)
            if spot is not None:
                corners = np.clip(spot.corners * to_picture, 0, [width - 1, height - 1])
                spots.append(Spot(corners.astype(np.float32), spot.score))
        spots.sort(key=lambda s: -s.box[2] * s.box[3])
        return sorted(spots[:MAX_LINES], key=lambda s: (s.box[1], s.box[0]))

    def read(self, picture: U8, spot: Spot) -> tuple[str, float, float]:
        """The line at ``spot``, its mean probability and the least of a letter, 0 to 1."""
        line = straighten(picture, spot)
        height, width = line.shape[:2]
        w = min(max(int(np.ceil(LINE_HEIGHT * width / height)), 8), MAX_LINE_WIDTH)
        line = np.asarray(cv2.resize(line, (w, LINE_HEIGHT)), np.uint8)
        # The network was trained on lines padded with zeros (mid grey) to a width in common.
        padded = np.zeros((1, 3, LINE_HEIGHT, max(32 * -(-w // 32), 160)), np.float32)
        padded[:, :, :, :w] = _tensor(line)
        odds = np.asarray(self._reader.run(None, {"x": padded})[0], np.float32)[0]
        best = odds.argmax(axis=1)
        fresh = np.ones(len(best), bool)
        fresh[1:] = best[1:] != best[:-1]
        kept = np.flatnonzero(fresh & (best != 0))
        if not len(kept):
            return "", 0.0, 0.0
        text = "".join(self._signs[best[i]] for i in kept)
        sure = odds[kept, best[kept]]
        # Spaces and punctuation are unsure at best, and nothing hangs on them.
        letters = [p for p, i in zip(sure, kept, strict=True) if self._signs[best[i]].isalnum()]
        return text.strip(), float(sure.mean()), float(min(letters, default=0.0))


@lru_cache(maxsize=1)
def text_models() -> TextModels:
    """Both networks, loaded once (0.2 s). Raises :class:`TextModelError`."""
    return TextModels()


def straighten(picture: U8, spot: Spot) -> U8:
    """The line at ``spot`` cut out upright; a column of text is laid on its side."""
    c = spot.corners
    width = max(int(max(np.linalg.norm(c[0] - c[1]), np.linalg.norm(c[2] - c[3]))), 1)
    height = max(int(max(np.linalg.norm(c[0] - c[3]), np.linalg.norm(c[1] - c[2]))), 1)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    line = cv2.warpPerspective(
        picture,
        cv2.getPerspectiveTransform(c, target),
        (width, height),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    if height >= 1.5 * width:
        line = np.rot90(line)
    return np.ascontiguousarray(line, np.uint8)


def _model_folder() -> Path:
    try:
        spec = importlib.util.find_spec("rapidocr")
    except ValueError:  # it stands among the modules without saying where it is from
        spec = None
    if spec is None or spec.origin is None:
        raise TextModelError("the package rapidocr is not installed")
    folder = Path(spec.origin).parent / "models"
    for name in (FINDER, READER):
        if not (folder / name).is_file():
            raise TextModelError(f"the installed rapidocr holds no {name}")
    return folder


def _tensor(picture: U8) -> F32:
    """(h, w, 3) uint8 as (1, 3, h, w) in -1..1."""
    scaled = picture.astype(np.float32) * np.float32(1 / 127.5) - np.float32(1)
    return np.ascontiguousarray(scaled.transpose(2, 0, 1)[None])


def _spot(contour: Any, heat: F32, threshold: float) -> Spot | None:
    """The blob's box, grown to the size of its text; ``None`` where it is too small or faint."""
    rectangle = cv2.minAreaRect(contour)
    (cx, cy), (w, h), angle = rectangle
    if min(w, h) < 3:
        return None
    x0, y0, bw, bh = cv2.boundingRect(contour)
    mask = np.zeros((bh, bw), np.uint8)
    box = cv2.boxPoints(rectangle) - np.array([x0, y0], np.float32)
    cv2.fillPoly(mask, [box.round().astype(np.int32)], 1)
    score = cv2.mean(heat[y0 : y0 + bh, x0 : x0 + bw], mask)[0]
    if score < threshold:
        return None
    growth = 2 * UNCLIP_RATIO * w * h / (2 * (w + h))
    corners = cv2.boxPoints(((cx, cy), (w + growth, h + growth), angle))
    return Spot(_clockwise(np.asarray(corners, np.float32)), float(score))


def _clockwise(corners: F32) -> F32:
    """Corners from top left, clockwise, whatever way the rectangle was turned."""
    order = np.argsort(corners[:, 0], kind="stable")
    left, right = corners[order[:2]], corners[order[2:]]
    left = left[np.argsort(left[:, 1], kind="stable")]
    right = right[np.argsort(right[:, 1], kind="stable")]
    return np.array([left[0], right[0], right[1], left[1]], np.float32)
