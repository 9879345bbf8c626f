"""The report in a terminal: one screen, nothing that steers it."""

from __future__ import annotations

import io

from rich.console import Console

from triptych.record.report import ASPECTS, DIMENSIONS, NOT_YET, Finding
from triptych.report.terminal import render, to_text

HOSTILE = "[bold red]x[/bold red] \x1b[2J\x07 \u202egpj.exe \u200b\u2066 \udc80 [link=http://e]"


def test_one_screen_with_the_verdict_first(make_report):
    report = make_report()
    told = {(f.dimension, f.aspect) for f in report.findings}
    report.findings += [f for f in every_aspect() if (f.dimension, f.aspect) not in told]
    lines = to_text(report).splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert lines[0] == "B is A mirrored, at twice the speed; the rest is the same."


def test_every_dimension_has_its_word_and_its_symbol(make_report):
    report = make_report()
    shown = to_text(report)
    symbol = {"same": "=", "different": "≠", "unknown": "?"}
    for dimension in DIMENSIONS:
        relation = report.dimensions[dimension]
        assert f"{symbol[relation]} {relation:<9}  {dimension}" in shown


def test_numbers_thresholds_and_moments(make_report):
    shown = to_text(make_report())
    assert "speed: 2× (threshold 1.05×); at A 0:02.0–0:03.0; B 0:01.0–0:01.5" in shown
    assert "B has no sound to compare" in shown
    assert "A: full range, read as such" in shown
    assert "B: damaged at 0:01.6–0:01.7: lost packet" in shown


def test_narrow_terminals_keep_every_word(make_report):
    shown = to_text(make_report(), width=40)
    assert all(len(line) <= 40 for line in shown.splitlines())
    assert sorted(to_text(make_report(), width=200).split()) == sorted(shown.split())


def test_hostile_text_arrives_as_written(make_report):
    report = make_report(verdict=HOSTILE)
    report.findings[0].statement = HOSTILE
    report.videos[0].notes = [HOSTILE]
    report.videos[0].path = f"/tmp/{HOSTILE}.mp4"
    for options in ({"color_system": None}, {"force_terminal": True, "color_system": "standard"}):
        out = io.StringIO()
        render(report, Console(file=out, width=300, highlight=False, **options))
        shown = out.getvalue()
        assert "[bold red]x[/bold red]" in shown
        assert "\\x1b[2J" in shown
        assert "\x1b[2J" not in shown
        assert "http://e]" in shown
        assert "\x1b]8" not in shown, "no terminal link"
        for bad in "\x07\u202e\u200b\u2066\udc80":
            assert bad not in shown


def test_plain_when_piped_and_in_ascii(make_report):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    report = make_report(verdict="日本 ≠ 中国")
    render(report, Console(file=stream, width=80))
    stream.flush()
    shown = stream.buffer.getvalue().decode("ascii")
    assert "\x1b" not in shown
    assert "x different  subject" in shown
    assert "\\u65e5\\u672c x \\u4e2d\\u56fd" in shown
    assert "0:02.0-0:03.0" in shown


def test_many_findings_are_cut_and_counted(make_report):
    report = make_report()
    report.findings = [report.findings[0]] * 30
    shown = to_text(report)
    assert "and 21 more" in shown


def every_aspect(but=()):
    return [
        Finding(
            id=f"{d}/{a}", dimension=d, aspect=a, relation="same", statement="same", confidence=1
        )
        for d, aspects in ASPECTS.items()
        for a in aspects
        if (d, a) not in NOT_YET and a not in but and d not in but
    ]


def unknown_part(report):
    shown = to_text(report, width=400)
    return shown.partition("\nUnknown\n")[2].partition("\n\n")[0].splitlines()


def test_what_was_left_out_and_what_cannot_be_measured_is_said(make_report, monkeypatch):
    report = make_report(findings=every_aspect())
    report.videos[1].audio = report.videos[0].audio
    assert unknown_part(report) == []
    with monkeypatch.context() as patch:  # an aspect that no measurer looks at
        patch.setattr("triptych.report.text.NOT_YET", {("motion", "timing")})
        report.findings = every_aspect(but=("timing",))
        assert unknown_part(report) == ["  ? not measured by this version: timing"]
    report.findings = every_aspect(but=("style", "tone", "loudness", "direction"))
    assert unknown_part(report)[0] == (
        "  ? not looked at: style, motion: direction, playback technique: direction, loudness"
    )


def test_sound_that_is_not_there_was_not_left_out(make_report):
    report = make_report(findings=every_aspect(but=("loudness", "speech", "offset", "content")))
    assert report.videos[1].audio is None
    assert not any("not looked at" in line for line in unknown_part(report))
    report.videos[1].audio = report.videos[0].audio
    assert "  ? not looked at: loudness, speech, offset, content" in unknown_part(report)


def test_files_of_the_same_bytes_leave_nothing_to_look_at(make_report):
    report = make_report(findings=[], dimensions=dict.fromkeys(DIMENSIONS, "same"))
    assert unknown_part(report) == []
