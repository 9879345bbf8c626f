"""The players on the page: both videos at the right moments."""

from __future__ import annotations

import pytest
from browser_pages import click_at, ready, times, until

from triptych.record.report import Alignment, Span


def test_a_click_on_the_timeline_moves_both(visit, written):
    page = visit(written())
    ready(page)
    click_at(page, "A", 3.0, 4.0)
    a, b = times(page)
    assert a == pytest.approx(3.0, abs=0.02)
    assert b == pytest.approx(1.5, abs=0.02)
    click_at(page, "B", 0.5, 4.0)
    a, b = times(page)
    assert b == pytest.approx(0.5, abs=0.02)
    assert a == pytest.approx(1.0, abs=0.02)
    assert page.inner_text("#now-A") == "0:01.0"


def test_pixels_at_that_moment(visit, written, read_index):
    """What the players show is what stands there in the files."""
    import numpy as np

    page = visit(written())
    ready(page)
    click_at(page, "A", 3.02, 4.0)
    times(page)
    for video, expected in (("A", 60), ("B", 60)):
        shown = page.evaluate(
            """(id) => { const v = document.getElementById(id);
            const c = document.createElement('canvas'); c.width = 160; c.height = 120;
            const g = c.getContext('2d'); g.drawImage(v, 0, 0, 160, 120);
            return [...g.getImageData(0, 0, 160, 120).data]; }""",
            f"video-{video}",
        )
        rgb = np.array(shown, np.uint8).reshape(120, 160, 4)[..., :3]
        # The copy has 15 pictures a second: one of them may be up to two frames back.
        assert expected - 3 <= read_index(rgb, mirrored=video == "B") <= expected


def test_a_reversed_span_is_stepped(visit, written):
    reverse = Alignment(
        matched=True,
        score=0.9,
        direction="reverse",
        spans=[Span(a=[0, 2], b=[0, 2], speed=1, direction="reverse", mirrored="none")],
    )
    page = visit(written(alignment=reverse))
    ready(page)
    click_at(page, "A", 0.5, 4.0)
    a, b = times(page)
    assert (a, b) == (pytest.approx(0.5, abs=0.02), pytest.approx(1.5, abs=0.02))
    assert "backwards" in page.inner_text("#sync")
    assert page.locator(".ribbon.rev").count() == 1
    # Crossed: the lower edge runs against the upper.
    points = page.get_attribute(".ribbon", "points").split()
    assert [float(p.split(",")[0]) for p in points] == [0, 50, 0, 50]
    click_at(page, "A", 3.0, 4.0)
    until(page, "document.querySelector('[data-screen=B] .veil').checkVisibility()")
    assert page.inner_text('[data-screen="B"] .veil') == "B shows nothing of this"


def test_both_play_in_step(visit, written):
    page = visit(written())
    ready(page)
    page.focus('[data-track="A"]')
    page.keyboard.press("Space")
    assert page.get_attribute("#play", "aria-pressed") == "true"
    until(page, "document.getElementById('video-A').currentTime > 0.8")
    page.keyboard.press("Space")
    assert page.get_attribute("#play", "aria-pressed") == "false"
    assert page.evaluate("document.getElementById('video-B').playbackRate") == 0.5
    a, b = times(page)
    assert b == pytest.approx(a / 2, abs=0.25)
    assert page.evaluate("document.getElementById('video-A').paused")


def test_a_cards_time_plays_there(visit, written):
    page = visit(written())
    ready(page)
    page.evaluate("window.HTMLMediaElement.prototype.play = async () => {}")
    page.locator('#finding-1 [data-seek="A"]').click()
    a, b = times(page)
    assert (a, b) == (pytest.approx(2.5, abs=0.02), pytest.approx(1.25, abs=0.02))
    assert page.get_attribute("#play", "aria-pressed") == "true"


def test_unrelated_videos(visit, written):
    page = visit(written(alignment=Alignment(matched=False, score=0.1)))
    ready(page)
    assert "no stretch of A was found in B" in page.inner_text(".ribbons")
    click_at(page, "A", 1.0, 4.0)
    assert times(page) == [pytest.approx(1.0, abs=0.02)] * 2


def test_n_and_p_go_from_difference_to_difference(visit, written):
    page = visit(written())
    ready(page)
    order = page.locator(".card.different").evaluate_all("cards => cards.map(c => c.id)")
    assert order == ["finding-1", "finding-2", "finding-3"]
    reached = []
    for key in "nnnnpp":
        page.keyboard.press(key)
        reached.append(page.evaluate("document.activeElement.id"))
    assert reached == [f"finding-{i}" for i in (1, 2, 3, 1, 3, 2)]
    page.keyboard.press("p")
    assert times(page) == [pytest.approx(2.5, abs=0.02), pytest.approx(1.25, abs=0.02)]
    assert page.locator(".transport kbd").all_inner_texts() == [
        "Space",
        "←",
        "→",
        ",",
        ".",
        "n",
        "p",
    ]
