"""Single reports held against single truths."""

from __future__ import annotations

import pytest

from .hand_made import judged, pair, report


def test_must_may_and_the_rest() -> None:
    j = judged(
        pair("p", must=["style: sharpness"], may=["style: noise"]),
        report({"style: sharpness": "different", "style: noise": "different",
                "style: colour": "different", "style: tone": "same", "style: bars": "unknown"}),
    )  # fmt: skip
    assert j.must == {"style: sharpness": "different"}
    assert j.false == ["style: colour"]
    assert j.quiet == {
        "style: colour": "different",
        "style: tone": "same",
        "style: bars": "unknown",
    }
    assert j.missed == {}


@pytest.mark.parametrize("said", ["same", "unknown"])
def test_what_is_not_different_is_missed(said: str) -> None:
    j = judged(pair("p", must=["style: noise", "style: tone"]), report({"style: noise": said}))
    assert j.missed == {"style: noise": said, "style: tone": "absent"}


def test_several_findings_on_one_aspect() -> None:
    p = pair("p", must=["camera: movement", "camera: shots"])
    r = report({"camera: movement": "different", "camera: movement!": "same",
                "camera: shots": "unknown", "camera: shots!": "same"})  # fmt: skip
    assert judged(p, r).must == {"camera: movement": "different", "camera: shots": "unknown"}


def test_a_failed_pair_misses_everything() -> None:
    j = judged(pair("p", must=["style: noise"]), None, error="gone")
    assert (j.must, j.quiet, j.error) == ({"style: noise": "failed"}, {}, "gone")
    assert not (j.direction or j.mirroring or j.speed.ok)


def test_what_is_left_out_is_not_asked_for() -> None:
    p = pair("p", must=["subject: on-screen text", "style: noise"])
    assert judged(p, report({}), skip=("text",)).must == {"style: noise": "absent"}


@pytest.mark.parametrize(
    ("true", "alignment", "error", "width", "ok"),
    [
        (2.0, {"speed": 2.03, "speed_interval": [2.0, 2.06]}, 1.5, 1.4778, True),
        (2.0, {"speed": 2.08, "speed_interval": [1.99, 2.17]}, 4.0, 4.3269, True),  # inside
        (2.0, {"speed": 2.08, "speed_interval": [2.05, 2.11]}, 4.0, 1.4423, False),  # and sure
        (2.0, {"speed": None, "speed_interval": [1.5, 2.5]}, None, 25.0, False),
        (0.5, {"speed": 0.51, "speed_interval": [0.4, 0.62]}, 2.0, 21.5686, True),
        (1.0, {"speed": None, "speed_interval": None}, None, None, False),
        (1.0, {"matched": False}, None, None, False),
    ],
)
def test_speed(
    true: float, alignment: dict[str, object], error: float | None, width: float | None, ok: bool
) -> None:
    speed = judged(pair("p", alignment={"speed": true}), report({}, **alignment)).speed
    assert speed.error == (None if error is None else pytest.approx(error, abs=1e-4))
    assert speed.width == (None if width is None else pytest.approx(width, abs=1e-4))
    assert speed.ok is ok


@pytest.mark.parametrize(
    ("true", "mirrored", "turned", "right"),
    [
        ("none", "none", 0.0, True),
        ("none", "none", 180.0, True),
        ("horizontal", "horizontal", 0.0, True),
        ("vertical", "horizontal", 180.0, True),  # the same picture
        ("vertical", "horizontal", 0.0, False),
        ("none", "horizontal", 180.0, False),
        ("horizontal", "none", 180.0, False),
    ],
)
def test_mirroring(true: str, mirrored: str, turned: float, right: bool) -> None:
    p = pair("p", alignment={"mirrored": true})
    assert judged(p, report({}, mirrored=mirrored, rotation_deg=turned)).mirroring is right


def test_what_did_not_match_has_no_direction() -> None:
    assert judged(pair("p"), report({})).direction
    assert not judged(pair("p"), report({}, matched=False)).direction
    assert not judged(pair("p", alignment={"direction": "reverse"}), report({})).direction
