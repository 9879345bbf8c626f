"""A changed title is told as text, a pasted object beside it as a region."""

from __future__ import annotations

from triptych.diff.context import finding
from triptych.diff.told_once import ONLY_TEXT, told_once
from triptych.record.report import Evidence, Finding


def _found(aspect: str, box: list[float]) -> Finding:
    evidence = [Evidence(video="B", start_s=0, end_s=1, box=box)]
    return finding("subject", aspect, "different", "it differs", evidence=evidence)


def test_a_region_on_a_changed_title_is_left_out() -> None:
    title = _found("on-screen text", [100, 20, 200, 30])
    told = told_once([_found("regions", [110, 15, 60, 40]), title])
    assert [(f.aspect, f.relation) for f in told] == [
        ("on-screen text", "different"),
        ("regions", "same"),
    ]
    assert told[1].statement == ONLY_TEXT
    assert not told[1].evidence and told[1].measure is None


def test_a_region_elsewhere_stays() -> None:
    title = _found("on-screen text", [100, 20, 200, 30])
    apple = _found("regions", [400, 200, 30, 40])
    assert told_once([apple, title]) == [apple, title]


def test_a_region_that_only_touches_the_title_stays() -> None:
    title = _found("on-screen text", [100, 20, 200, 30])
    curtain = _found("regions", [0, 0, 640, 360])
    assert told_once([curtain, title]) == [curtain, title]
