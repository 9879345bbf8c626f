"""The report's records: what they hold, and that they come back from JSON as they were."""

from __future__ import annotations

import json
from typing import Any, get_args

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from triptych.record.report import (
    ASPECTS,
    DIMENSIONS,
    Alignment,
    Audio,
    Check,
    Damage,
    Dimension,
    Evidence,
    Finding,
    Measure,
    Media,
    ModelUse,
    Report,
    Span,
    dumps,
    json_schema,
    loads,
)


def a_report(**changes: Any) -> Report:
    """A report with every kind of record in it."""
    audio = Audio(codec="aac", sample_rate=48000, channels=2, start_s=-0.021333, duration_s=8.0)
    media = Media(
        id="A",
        path='dir/日本 "q" <b>.mp4',
        container="mov,mp4",
        codec="h264",
        width=320,
        height=240,
        fps=30000 / 1001,
        vfr=False,
        frames=240,
        duration_s=8.008,
        audio=audio,
        damage=[Damage(start_s=1.0, end_s=1.5, reason="cannot be decoded")],
        notes=["variable frame rate"],
    )
    finding = Finding(
        id="f1",
        dimension="playback technique",
        aspect="speed",
        relation="different",
        statement="B plays twice as fast",
        values={"A": 1.0, "B": 2.0, "words": ["a", None, {"deep": True}]},
        measure=Measure(name="slope", unit="ratio", threshold=0.02, values={"A": 1, "B": 2.0}),
        evidence=[Evidence(video="A", start_s=0, end_s=1, frame_s=0.5, box=[0, 1, 2, 3.5])],
        confidence=0.9,
        model=ModelUse(role="perception", id="m", prompt_hash="00"),
        checks=[Check(kind="measurement", outcome="agrees", against=["f0"])],
    )
    span = Span(a=[0, 8], b=[0, 4], speed=2.0, direction="forward", mirrored="none")
    values: dict[str, Any] = {
        "created": "2026-01-01T00:00:00Z",
        "verdict": "B is A at twice the speed",
        "videos": [media, media.model_copy(update={"id": "B"})],
        "alignment": Alignment(matched=True, score=0.99, speed=2.0, spans=[span]),
        "dimensions": dict.fromkeys(DIMENSIONS, "same"),
        "findings": [finding],
    }
    return Report(**(values | changes))


def test_round_trip() -> None:
    report = a_report()
    assert loads(dumps(report)) == report
    assert dumps(loads(dumps(report))) == dumps(report)


def test_text_is_written_as_it_is_and_ends_in_a_newline() -> None:
    text = dumps(a_report())
    assert "日本" in text
    assert text.endswith("}\n")


def test_keys_come_in_the_order_of_the_contract() -> None:
    data = json.loads(dumps(a_report()))
    assert list(data) == [
        "schema",
        "created",
        "verdict",
        "videos",
        "alignment",
        "dimensions",
        "findings",
    ]
    assert data["schema"] == "triptych.diff/1"
    assert list(data["dimensions"]) == list(DIMENSIONS)
    assert list(data["findings"][0]) == [
        "id",
        "dimension",
        "aspect",
        "relation",
        "statement",
        "values",
        "measure",
        "evidence",
        "confidence",
        "source",
        "model",
        "checks",
    ]


def test_several_reports_are_an_array() -> None:
    data = json.loads(dumps([a_report(), a_report(verdict="the same")]))
    assert [r["verdict"] for r in data] == ["B is A at twice the speed", "the same"]


def test_schema_is_valid_and_admits_what_is_written() -> None:
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    data = json.loads(dumps(a_report()))
    validator.validate(data)
    for spoil in (
        {"schema": "triptych.diff/2"},
        {"extra": 1},
        {"dimensions": {"subject": "perhaps"}},
        {"videos": [{"path": "no id"}]},
    ):
        assert not validator.is_valid(data | spoil), spoil


def test_unknown_fields_and_values_out_of_range_are_refused() -> None:
    for spoil in (
        {"dimenssion": "style"},
        {"relation": "similar"},
        {"confidence": 1.5},
        {"confidence": float("nan")},
        {"dimension": "playback"},
    ):
        values = a_report().findings[0].model_dump() | spoil
        with pytest.raises(ValidationError):
            Finding(**values)
    with pytest.raises(ValidationError):
        Evidence(video="A", start_s=0, end_s=1, box=[0, 0, 1])


def test_only_numbers_that_json_knows_are_written() -> None:
    report = a_report(alignment=Alignment(matched=False, score=float("inf")))
    with pytest.raises(ValueError, match="JSON"):
        dumps(report)


def test_floats_are_plain_however_deep_they_lie() -> None:
    nan, inf = float("nan"), float("inf")
    deep = {
        "list": [0.12345678, nan, [inf, -0.0]],
        "dict": {"x": 1 / 3, "y": {"z": -inf, "n": 7, "yes": True, "word": "nan"}},
        "bare": 2 / 3,
        "none": nan,
        "tuple": (1 / 3,),
    }
    plain = {
        "list": [0.123457, None, [None, 0.0]],
        "dict": {"x": 0.333333, "y": {"z": None, "n": 7, "yes": True, "word": "nan"}},
        "bare": 0.666667,
        "none": None,
        "tuple": [0.333333],
    }
    report = a_report()
    report.findings[0].values = deep
    report.findings[0].measure = Measure(name="m", unit="1", values=deep)
    written = json.loads(dumps(report))["findings"][0]
    assert written["values"] == written["measure"]["values"] == plain
    assert written["values"]["dict"]["y"]["yes"] is True
    assert "-0.0\n" not in dumps(report)
    assert loads(dumps(report)) == report


@given(st.floats(-1e6, 1e6))
def test_times_are_kept_to_the_microsecond(seconds: float) -> None:
    written = Evidence(video="A", start_s=seconds, end_s=seconds).start_s
    assert abs(written - seconds) <= 0.5e-6 + 1e-9
    text = json.dumps(written)
    assert text != "-0.0"
    assert len(text.partition(".")[2]) <= 6 or "e" in text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back(text: str) -> None:
    report = a_report(verdict=text)
    assert loads(dumps(report)).verdict == text


def test_a_name_that_is_no_utf8_can_be_written_and_comes_back() -> None:
    media = Media(id="A", path="\udcff \ud83d.mp4")
    text = dumps(a_report(videos=[media]))
    assert r'"path": "\udcff \ud83d.mp4"' in text
    assert json.loads(text.encode())["videos"][0]["path"] == media.path


def test_the_same_report_gives_the_same_bytes() -> None:
    assert dumps(a_report()) == dumps(a_report())


def test_different_is_said_if_any_dimension_differs() -> None:
    assert not a_report().different
    unknown = dict.fromkeys(DIMENSIONS, "unknown")
    assert not a_report(dimensions=unknown).different
    assert a_report(dimensions=unknown | {"sound": "different"}).different


def test_every_dimension_has_aspects_and_none_stands_twice() -> None:
    assert get_args(Dimension) == DIMENSIONS == tuple(ASPECTS)
    for aspects in ASPECTS.values():
        assert aspects
        assert len(set(aspects)) == len(aspects)
