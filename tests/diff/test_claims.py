"""What a claim says of a measured aspect in particular: which way, by how much."""

from __future__ import annotations

import pytest

from triptych.diff.caption import Claim
from triptych.diff.claims import against_measurements, aspects_of
from triptych.record.report import Finding


def finding(aspect: str, b: object) -> Finding:
    return Finding(
        id="p1", dimension="position", aspect=aspect, relation="different", statement="measured",
        values={"B": b}, confidence=1.0,
    )  # fmt: skip


def outcome(b: str, measured: Finding) -> str:
    claim = Claim("position", True, f"A: as filmed; B: {b}", "as filmed", b)
    (check,) = against_measurements(claim, [measured])
    return check.outcome


@pytest.mark.parametrize(
    ("said", "axis", "agrees"),
    [
        ("mirrored", "vertical", True),
        ("mirrored, left and right being exchanged", "horizontal", True),
        ("mirrored, left and right being exchanged", "vertical", False),
        ("flipped horizontally", "vertical", False),
        ("flipped upside down", "vertical", True),
        ("flipped upside down", "horizontal", False),
        ("flipped both horizontally and vertically", "vertical", True),
    ],
)
def test_which_way_it_is_mirrored(said: str, axis: str, agrees: bool) -> None:
    assert outcome(said, finding("mirroring", axis)).startswith("agrees") == agrees


@pytest.mark.parametrize(
    ("said", "degrees", "agrees"),
    [
        ("rotated", 7.5, True),
        ("rotated and upside down", 7.5, False),
        ("rotated and upside down", -178.0, True),
        ("rotated by half a turn", 90.0, False),
        ("rotated by about 90 degrees", -91.5, True),
        ("rotated by 270°", 90.0, True),
        ("turned by 15 degrees", 4.0, False),
        ("rotated by 9999999 degrees", None, True),
    ],
)
def test_by_how_much_it_is_turned(said: str, degrees: object, agrees: bool) -> None:
    assert outcome(said, finding("rotation", degrees)).startswith("agrees") == agrees


def test_flipped_is_not_turned() -> None:
    assert aspects_of(Claim("position", True, "B is flipped upside down")) == ["mirroring"]
    assert aspects_of(Claim("position", True, "B is upside down")) == ["rotation"]
    both = aspects_of(Claim("position", True, "B is mirrored and rotated upside down"))
    assert both == ["mirroring", "rotation"]
