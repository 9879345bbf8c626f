"""The report of a comparison: ``triptych.diff/1``.

Everything that a comparison says is one of these records. They are exported as JSON Schema
(:func:`json_schema`) and written as JSON (:func:`dumps`): keys in a fixed order, seconds to the
microsecond, so that two runs on the same files give the same bytes, ``created`` aside.
"""

from __future__ import annotations

import json
import math
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from triptych.record.aspects import ASPECTS as ASPECTS
from triptych.record.aspects import DIMENSIONS as DIMENSIONS
from triptych.record.aspects import NOT_YET as NOT_YET
from triptych.record.aspects import Dimension as Dimension

SCHEMA: Literal["triptych.diff/1"] = "triptych.diff/1"

Relation = Literal["same", "different", "unknown"]
Direction = Literal["forward", "reverse"]
Mirroring = Literal["none", "horizontal", "vertical"]
Modality = Literal["picture", "text", "speech", "sound"]


def _microseconds(value: float) -> float:
    return round(float(value), 6) + 0.0  # "+ 0.0" turns -0.0 into 0.0


def _plain(value: Any) -> Any:
    """``value`` with every float in it, however deep, to the microsecond.

    NaN and infinity, which JSON does not know, become ``None``: "could not be had".
    """
    if isinstance(value, float):
        return _microseconds(value) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value


#: A float that JSON shows to six decimals: seconds to the microsecond, ratios and scores alike.
Number = Annotated[float, AfterValidator(_microseconds)]
Box = Annotated[list[Number], Field(min_length=4, max_length=4)]
Interval = Annotated[list[Number], Field(min_length=2, max_length=2)]
#: What a finding states or measures of one video; ``None`` where it could not be had.
Value = Annotated[
    str | bool | int | float | list[Any] | dict[str, Any] | None, BeforeValidator(_plain)
]


class Record(BaseModel):
    """Base of all records: unknown fields are an error, so that a typo cannot pass unseen."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)


class Damage(Record):
    """A stretch of a video that could not be decoded, or that the header promised in vain."""

    start_s: Number
    end_s: Number
    reason: str


class Audio(Record):
    """The sound track that was used."""

    codec: str
    sample_rate: int
    channels: int
    start_s: Number | None = None
    duration_s: Number | None = None
    language: str | None = None


class Media(Record):
    """What a video file is, apart from what it shows.

    Sizes are pixels; ``display_*`` are after the rotation flag and the pixel shape were applied.
    ``bars`` are the black borders left, top, right, bottom, in display pixels. ``start_s`` is
    where the container's clock stood at the first frame; all other times count from there.
    ``None`` is "not known".
    """

    id: str
    path: str
    container: str | None = None
    codec: str | None = None
    width: int | None = None
    height: int | None = None
    display_width: int | None = None
    display_height: int | None = None
    rotation: int = 0
    fps: Number | None = None
    vfr: bool | None = None
    frames: int | None = None
    duration_s: Number | None = None
    start_s: Number | None = None
    bit_depth: int | None = None
    hdr: str | None = None
    interlaced: bool | None = None
    bars: list[int] = Field(default_factory=lambda: [0, 0, 0, 0], min_length=4, max_length=4)
    audio: Audio | None = None
    damage: list[Damage] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)


class Span(Record):
    """A stretch of A and the stretch of B that shows the same; B's ``speed`` is relative to A."""

    a: Interval
    b: Interval
    speed: Number
    direction: Direction
    mirrored: Mirroring


class Alignment(Record):
    """How B's time maps to A's.

    ``speed`` is how many times faster B plays the same content. ``offset_s`` is the time in B of
    A's first matched moment, less its time in A. ``score`` and ``runner_up`` are the similarity
    of the chosen hypothesis and of the best one that contradicts it, 0 to 1.
    """

    matched: bool
    score: Number
    runner_up: Number | None = None
    speed: Number | None = None
    speed_interval: Interval | None = None
    direction: Direction = "forward"
    mirrored: Mirroring = "none"
    rotation_deg: Number | None = None
    offset_s: Number | None = None
    spans: list[Span] = Field(default_factory=list)


class Evidence(Record):
    """A moment, and perhaps a place, to look at or listen to.

    ``box`` is x, y, w, h in display pixels of that video; ``frame_s`` is the exact time of one
    frame.
    """

    video: str
    start_s: Number
    end_s: Number
    frame_s: Number | None = None
    box: Box | None = None
    modality: Modality = "picture"
    shows: str = ""


class Measure(Record):
    """The number behind a finding, its unit, and the threshold it was held against."""

    name: str
    unit: str
    threshold: Number | None = None
    values: dict[str, Value] = Field(default_factory=dict)


class ModelUse(Record):
    """The model that wrote a finding."""

    role: str
    id: str
    prompt_hash: str


class Check(Record):
    """What a finding was checked against, and how it came out."""

    kind: Literal["measurement", "contradiction", "order", "repair"]
    outcome: str
    against: list[str] = Field(default_factory=list)


class Finding(Record):
    """One statement about one aspect, with what stands behind it."""

    id: str
    dimension: Dimension
    aspect: str
    relation: Relation
    statement: str
    values: dict[str, Value] = Field(default_factory=dict)
    measure: Measure | None = None
    evidence: list[Evidence] = Field(default_factory=list)
    confidence: Number = Field(ge=0, le=1)
    source: Literal["measured", "model"] = "measured"
    model: ModelUse | None = None
    checks: list[Check] = Field(default_factory=list)


class Report(Record):
    """The comparison of two videos."""

    schema_: Literal["triptych.diff/1"] = Field(default=SCHEMA, alias="schema")
    created: str
    verdict: str
    videos: list[Media]
    alignment: Alignment
    dimensions: dict[Dimension, Relation]
    findings: list[Finding]

    model_config = ConfigDict(extra="forbid", validate_assignment=True, populate_by_name=True)

    @property
    def different(self) -> bool:
        """Whether any dimension differs (exit code 1 of ``triptych diff``)."""
        return "different" in self.dimensions.values()


def dumps(report: Report | list[Report]) -> str:
    """``report`` (or several) as indented JSON with a final newline."""
    if isinstance(report, list):
        data: Any = [r.model_dump(mode="json", by_alias=True) for r in report]
    else:
        data = report.model_dump(mode="json", by_alias=True)
    return json_text(data)


def json_text(data: Any) -> str:
    """``data`` as indented JSON with a final newline, such that UTF-8 can hold it.

    A file name whose bytes are no UTF-8 has lone surrogates in Python; JSON writes these as
    escapes, which Python reads back as they were.
    """
    text = json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    return text.encode("utf-8", "backslashreplace").decode()


def loads(text: str) -> Report:
    """The report that :func:`dumps` wrote; raises ``pydantic.ValidationError`` where it is not."""
    return Report.model_validate_json(text)


def json_schema() -> dict[str, Any]:
    """JSON Schema of a report."""
    return Report.model_json_schema(by_alias=True)
