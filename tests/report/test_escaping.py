"""Hostile names and texts in the page, the index and its data."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from triptych.report.html import embedded_json, write_html
from triptych.report.index import IndexRow, link, write_index
from triptych.report.text import clean, clock, name, number, selector

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{7*7}}\u202egpj\x00\x1b"
)


class Tags(HTMLParser):
    """Collects elements and their attributes, as a browser would see them."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))


def tags(page: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed(page)
    return parser.seen


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\tc", "a b c"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\u202egpj.exe", "\\u202egpj.exe"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("\udcff", "\\udcff"),
        ("日本語 العربية", "日本語 العربية"),
    ],
)
def test_clean(text, shown):
    assert clean(text) == shown


def test_names_are_cut_in_the_middle():
    assert name("/a/b/c.mp4") == "c.mp4"
    assert name("-") == "-"
    assert name("x" * 50 + ".mp4", 20) == "x" * 10 + "…" + "xxxxx.mp4"
    assert len(name("x" * 50 + ".mp4", 20)) == 20


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0:00.0"), (59.96, "1:00.0"), (61.25, "1:01.2"), (3600, "1:00:00.0"), (-1.5, "-0:01.5")],
)
def test_clock(seconds, shown):
    assert clock(seconds) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(2.0, "2"), (0.0312, "0.031"), (1.2345, "1.23"), (123.45, "123.5"), (0.00004, "4e-05")],
)
def test_number(value, shown):
    assert number(value) == shown


def test_the_command_names_the_aspect_without_doubt(make_report):
    by_aspect = {f.aspect: f for f in make_report().findings}
    assert selector(by_aspect["mirroring"]) == "mirroring"
    assert selector(by_aspect["speech"]) == "sound: speech"


def test_json_cannot_end_its_script():
    data = {"a": "</script><!--<script>&\u2028"}
    shown = embedded_json(data)
    assert not set("<>&\u2028") & set(shown)
    assert json.loads(shown) == data


def hostile(report):
    report.verdict = HOSTILE
    report.created = HOSTILE
    for m in report.videos:
        m.codec = m.container = HOSTILE
        m.notes = [HOSTILE]
    for f in report.findings:
        f.statement = f.aspect = HOSTILE
        f.values = {HOSTILE: HOSTILE}
        for e in f.evidence:
            e.shows = HOSTILE
        if f.measure:
            f.measure.name = f.measure.unit = HOSTILE
            f.measure.values = {HOSTILE: HOSTILE}
    return report


def test_hostile_text_makes_no_elements(make_report, tmp_path):
    plain, bad = tmp_path / "plain.html", tmp_path / "bad.html"
    write_html(make_report(), plain, video=False)
    write_html(hostile(make_report()), bad, video=False)
    page = bad.read_text("utf-8")
    scripts = [a for t, a in tags(page) if t == "script"]
    assert len(scripts) == 2, "our data and our script"
    assert not [a for _, a in tags(page) if "onerror" in a]
    kinds = {t for t, _ in tags(page)}
    assert kinds == {t for t, _ in tags(plain.read_text("utf-8"))}
    assert "49" not in re.findall(r"\{\{7\*7\}\}|49", page), "no template inside a template"
    assert "\u202e" not in page
    assert "\x00" not in page


def test_nothing_outside_is_named(make_report, tmp_path):
    path = tmp_path / "r.html"
    write_html(make_report(), path)
    page = path.read_text("utf-8")
    for tag, attributes in tags(page):
        for key in ("src", "href", "data", "poster", "srcset", "action"):
            target = attributes.get(key)
            assert target is None or target.startswith(("#", "data:image/jpeg;base64,")), (tag, key)
    style = page[page.index("<style>") : page.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    policies = [a["content"] for t, a in tags(page) if t == "meta" and "http-equiv" in a]
    assert len(policies) == 1
    assert policies[0].startswith("default-src 'none';")
    assert "script-src 'sha256-" in policies[0]


def test_same_report_same_page(make_report, tmp_path):
    for out in ("1.html", "2.html"):
        write_html(make_report(), tmp_path / out)
    assert (tmp_path / "1.html").read_bytes() == (tmp_path / "2.html").read_bytes()


def test_a_video_that_is_gone_is_said(make_report, tmp_path):
    report = make_report()
    report.videos[1].path = str(tmp_path / "gone.mp4")
    write_html(report, tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "B could not be shown" in page
    assert "still-A-2500000" in page
    assert "proxy-A" not in page.split("<script>")[0]


def test_index_escapes_and_encodes(make_report, tmp_path):
    rows = [
        IndexRow(HOSTILE, hostile(make_report()), "a b/<x>#?.html"),
        IndexRow("only.mp4", only_in="B"),
        IndexRow("bad.mp4", failure=HOSTILE),
    ]
    write_index(rows, tmp_path / "index.html", folders=(HOSTILE, "b"))
    page = (tmp_path / "index.html").read_text("utf-8")
    assert "script" not in {t for t, _ in tags(page)}
    assert "img" not in {t for t, _ in tags(page)}
    assert [a["href"] for t, a in tags(page) if t == "a"] == [
        "#files",
        "./a%20b/%3Cx%3E%23%3F.html",
    ]


@pytest.mark.parametrize(
    ("page", "href"),
    [
        ("javascript:alert(1).html", "./javascript%3Aalert%281%29.html"),
        ("../../etc/passwd", "./etc/passwd"),
        ("/etc/passwd", "./etc/passwd"),
        ("名.html", "./%E5%90%8D.html"),
        ("\udcff.html", "./%FF.html"),
    ],
)
def test_links_stay_in_the_folder(page, href):
    assert link(page) == href
