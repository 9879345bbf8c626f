"""The page in a real browser: quiet, safe, readable, usable by keyboard."""

from __future__ import annotations

import pytest
from browser_pages import ready, times, until

from triptych.report.index import IndexRow, write_index

HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes_and_the_toggle(visit, written, scheme):
    page = visit(written(), color_scheme=scheme)
    ready(page)

    def brightness() -> float:
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(map(int, colour[4:-1].split(",")))

    assert (brightness() > 600) == (scheme == "light")
    page.click("#theme")
    assert page.inner_text("#theme") == "Theme: light"
    assert brightness() > 600
    page.click("#theme")
    assert page.inner_text("#theme") == "Theme: dark"
    assert brightness() < 150


def test_colours_can_be_read(visit, written):
    """Contrast of text by WCAG 2.2, success criterion 1.4.3: 4.5 to 1."""
    script = """() => {
      const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
      const lum = (css) => {
        canvas.fillStyle = css; canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(v => {
          v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
        return .2126 * r + .7152 * g + .0722 * b;
      };
      const back = (e) => {
        for (; e; e = e.parentElement) {
          const c = getComputedStyle(e).backgroundColor;
          if (c !== 'rgba(0, 0, 0, 0)') return c;
        }
        return 'white';
      };
      const bad = [];
      for (const e of document.querySelectorAll('main *')) {
        const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
        if (!own || !e.checkVisibility() || e.closest('svg, script, .unseen')) continue;
        const [x, y] = [lum(getComputedStyle(e).color), lum(back(e))];
        const contrast = (Math.max(x, y) + .05) / (Math.min(x, y) + .05);
        if (contrast < 4.5) bad.push([e.className, e.textContent.slice(0, 30), contrast]);
      }
      return bad;
    }"""
    for scheme in ("light", "dark"):
        page = visit(written(), color_scheme=scheme)
        assert page.evaluate(script) == []


def test_everything_by_keyboard(visit, written):
    page = visit(written())
    ready(page)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "findings"
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.setView") == "wipe":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#finding-1 .over').style.clipPath")
    for _ in range(5):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type") == "range":
            break
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.value") == "52"
    clip = page.evaluate("document.querySelector('#finding-1 .over').style.clipPath")
    assert clip == "inset(0px 0px 0px 52%)"
    page.focus('[data-track="A"]')
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert times(page) == [pytest.approx(1.0, abs=0.02), pytest.approx(0.5, abs=0.02)]
    assert page.get_attribute('[data-track="A"]', "aria-valuetext") == "0:01.0"


@pytest.mark.parametrize("video", [True, False])
def test_narrow_screens_do_not_scroll_sideways(visit, written, make_report, video):
    long = "x" * 300
    report = make_report()
    report.videos[0].notes = [long]
    report.findings[0].statement = long
    page = visit(
        written(video=video, verdict=long, findings=report.findings, videos=report.videos),
        width=360,
    )
    for button in page.locator('[data-set-view="wipe"]').all():
        button.click()
    page.locator(".same > summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_hostile_names_are_inert(visit, written, make_report):
    report = make_report(verdict=HOSTILE)
    for f in report.findings:
        f.statement = HOSTILE
        f.evidence = [e.model_copy(update={"shows": HOSTILE}) for e in f.evidence]
    path = written(verdict=HOSTILE, findings=report.findings)
    page = visit(path)
    assert page.inner_text("h1") == HOSTILE
    assert page.evaluate("window.hacked") is None


def test_without_video_or_script_it_still_tells(browser, written):
    path = written(video=False)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.locator("#finding-1 img").first.is_visible()
    assert page.locator("video").count() == 0
    assert not page.locator('[data-set-view="wipe"]').first.is_visible()
    context.close()


def test_the_index_in_the_browser(visit, make_report, tmp_path):
    rows = [IndexRow(HOSTILE, make_report(), "x.html"), IndexRow("y" * 200, only_in="A")]
    write_index(rows, tmp_path / "index.html")
    page = visit(tmp_path / "index.html", width=360)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.inner_text("tbody th a") == HOSTILE
