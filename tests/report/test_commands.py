"""The command on each card can be pasted and does no harm."""

from __future__ import annotations

import shlex

import pytest

from triptych.report.commands import for_finding, for_report


def test_names_are_quoted(make_report):
    report = make_report()
    report.videos[0].path = "$(rm -rf ~); 'x'.mp4"
    report.videos[1].path = "-b.mp4"
    assert shlex.split(for_report(report)) == [
        "triptych",
        "diff",
        "$(rm -rf ~); 'x'.mp4",
        "./-b.mp4",
    ]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("triptych diff a b --html out.html --json r.json --lang de", ["--lang", "de"]),
        ("triptych diff a b c --offset=-3 --skip text --fps 12", ["--offset=-3", "--fps", "12"]),
        ("triptych diff --allow-url http://x/y -- --lang", ["--allow-url"]),
        ("an 'unclosed quote --lang de", []),
    ],
)
def test_only_what_bears_on_the_finding_is_kept(make_report, typed, kept):
    report = make_report()
    a, b = (m.path for m in report.videos)
    words = shlex.split(for_finding(report, report.findings[2], typed))
    assert words == ["triptych", "diff", a, b, *kept, "--only", "on-screen text"]
