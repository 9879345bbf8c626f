"""The page in a real browser: quiet, safe, usable by keyboard, at the right moments."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from triptych.record.report import Alignment, Evidence, Span
from triptych.report.html import PAGE_BYTES, write_html
from triptych.report.index import IndexRow, write_index

playwright_api = pytest.importorskip("playwright.sync_api")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with playwright_api.sync_playwright() as p:
        chromium = p.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a page; at the end there must have been no request and no complaint."""
    contexts, requests, complaints = [], [], []

    def open_page(path: Path, width: int = 1280, height: int = 800, **options: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda r: requests.append(r.url))
        page.on("console", lambda m: complaints.append(m.text))
        page.on("pageerror", lambda e: complaints.append(str(e)))
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints
    assert {u.split(":")[0] for u in requests} <= {"file", "data", "blob"}
    assert sum(u.startswith("file:") for u in requests) == len(contexts), "only the page itself"


@pytest.fixture(scope="module")
def usual(make_report: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    write_html(make_report(), path)
    return path


@pytest.fixture
def written(make_report: Callable[..., Any], usual: Path, tmp_path: Path) -> Callable[..., Path]:
    """Writes a page of the usual report, with other fields where given."""

    def write(video: bool = True, **fields: Any) -> Path:
        if video and not fields:
            return usual
        path = tmp_path / "report.html"
        write_html(make_report(**fields), path, video=video)
        assert path.stat().st_size < PAGE_BYTES
        return path

    return write


PLAYERS = "['A', 'B'].map(id => document.getElementById('video-' + id))"


def until(page: Any, script: str) -> None:
    """Wait until ``script`` is true; playwright's own way is forbidden by the page's policy."""
    for _ in range(400):
        if page.evaluate(script):
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"never true: {script}")


def ready(page: Any) -> None:
    until(page, "['A','B'].every(v => document.getElementById('video-'+v).readyState >= 2)")


def times(page: Any) -> list[float]:
    until(page, f"{PLAYERS}.every(v => !v.seeking)")
    return page.evaluate(f"{PLAYERS}.map(v => v.currentTime)")


def click_at(page: Any, video: str, seconds: float, scale: float) -> None:
    """A click on a track; the page then plays, so it is paused at once."""
    track = page.locator(f'[data-track="{video}"]')
    track.scroll_into_view_if_needed()
    box = track.bounding_box()
    page.evaluate("window.HTMLMediaElement.prototype.play = async () => {}")
    page.mouse.click(box["x"] + box["width"] * seconds / scale, box["y"] + box["height"] / 2)


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


def test_unrelated_videos(visit, written):
    page = visit(written(alignment=Alignment(matched=False, score=0.1)))
    ready(page)
    assert "no stretch of A was found in B" in page.inner_text(".ribbons")
    click_at(page, "A", 1.0, 4.0)
    assert times(page) == [pytest.approx(1.0, abs=0.02)] * 2


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


def test_the_index_in_the_browser(visit, make_report, tmp_path):
    rows = [IndexRow(HOSTILE, make_report(), "x.html"), IndexRow("y" * 200, only_in="A")]
    write_index(rows, tmp_path / "index.html")
    page = visit(tmp_path / "index.html", width=360)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.inner_text("tbody th a") == HOSTILE
