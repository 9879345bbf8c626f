"""A real browser for the tests of pages, and what they do in it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from triptych.report.html import PAGE_BYTES, write_html

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


# Of a module: while playwright runs, its event loop does too, and no other can in this thread.
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as p:
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


@pytest.fixture(scope="session")
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
