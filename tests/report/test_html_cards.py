"""The cards on the page: wipe, difference, boxes, moments, filter."""

from __future__ import annotations

from typing import Any

import pytest
from browser_pages import until

from triptych.record.report import Alignment, Evidence

# The mean level of the difference view, of 255.
DIFFERENCE = """() => { const c = document.querySelector('#finding-1 .under');
  const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
  return d.reduce((s, v, i) => s + (i % 4 < 3 ? v : 0), 0) / (0.75 * d.length); }"""


def show_difference(page: Any) -> float:
    page.click('#finding-1 [data-set-view="diff"]')
    until(page, "document.querySelector('#finding-1 .explain').textContent !== ''")
    return page.evaluate(DIFFERENCE)


def test_the_difference_of_the_same_picture_is_black(visit, written):
    # A at 2.5 s is frame 50; so is B at 1.25 s, mirrored: nothing is left but the coding.
    page = visit(written())
    assert show_difference(page) < 16
    assert "mirrored back (horizontally)" in page.inner_text("#finding-1 .explain")
    moved = visit(written(alignment=Alignment(matched=True, score=0.9)))
    assert show_difference(moved) > 60, "not mirrored back, it would show"


@pytest.mark.parametrize(
    ("mirror", "turn"), [("none", 90), ("none", 180), ("horizontal", 90), ("vertical", -90)]
)
def test_turned_pictures_are_turned_back(visit, written, make_report, frame_file, mirror, turn):
    def turned(rgb: Any) -> Any:
        """Mirrored first, then turned clockwise: the order of the record."""
        rgb = {"none": rgb, "horizontal": rgb[:, ::-1], "vertical": rgb[::-1]}[mirror]
        for _ in range(turn // 90 % 4):
            rgb = rgb[::-1].swapaxes(0, 1)  # a quarter turn clockwise
        return rgb

    b = frame_file(turned)
    report = make_report()
    video = report.videos[1]
    video.path = str(b)
    if turn % 180:
        video.display_width, video.display_height = video.display_height, video.display_width
    alignment = Alignment(matched=True, score=0.9, mirrored=mirror, rotation_deg=turn)
    page = visit(written(video=False, videos=report.videos, alignment=alignment))
    assert show_difference(page) < 16


def test_boxes_lie_on_the_picture(visit, written):
    page = visit(written())
    box = page.locator("#finding-3 .box").bounding_box()
    image = page.locator("#finding-3 .shot.b img").bounding_box()
    scale = image["width"] / 160
    assert box["x"] - image["x"] == pytest.approx(16 * scale, abs=1)
    assert box["y"] - image["y"] == pytest.approx(12 * scale, abs=1)
    assert box["width"] == pytest.approx(80 * scale, abs=1)
    assert box["height"] == pytest.approx(30 * scale, abs=1)


def test_the_scorecard_filters(visit, written):
    page = visit(written())
    page.click('[data-filter="position"]')
    shown = page.evaluate(
        "[...document.querySelectorAll('.card')].filter(c => !c.hidden).map(c => c.id)"
    )
    assert shown == ["finding-2"]
    page.click('[data-filter="position"]')
    assert page.locator(".card[hidden]").count() == 0
    page.focus('[data-filter="camera"]')
    page.keyboard.press("Space")
    assert page.locator("#finding-4").is_visible(), "the folded part opens"
    page.click("#filter button")
    assert page.locator(".card[hidden]").count() == 0


def test_many_moments_can_be_chosen(visit, written, make_report):
    findings = make_report().findings[:1]
    findings[0].evidence = [
        Evidence(video="A", start_s=t, end_s=t + 0.2, frame_s=t) for t in (0.5, 1.5, 2.5, 3.5)
    ]
    page = visit(written(findings=findings))
    assert page.locator("#finding-1 .chip").count() == 3
    assert "and 1 more" in page.inner_text("#finding-1 .moments")
    page.locator("#finding-1 .chip").nth(1).click()
    visible = [look.is_visible() for look in page.locator("#finding-1 .look").all()]
    assert visible == [False, True, False]


def test_what_was_not_looked_at_is_said(visit, written):
    page = visit(written())
    (said,) = page.locator(".unlooked").all_inner_texts()
    assert said.startswith("Not looked at: people, faces, regions, style, background, ")
