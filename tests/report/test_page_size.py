"""A page keeps within its bytes: players go first, then the frames become smaller."""

from __future__ import annotations

import pytest

from triptych.report import html


@pytest.fixture
def size(make_report, tmp_path, monkeypatch):
    """Writes a page under a limit; gives its text and its size."""

    def write(limit):
        monkeypatch.setattr(html, "PAGE_BYTES", limit)
        html.write_html(make_report(), tmp_path / "page.html")
        text = (tmp_path / "page.html").read_text(encoding="utf-8")
        return text, (tmp_path / "page.html").stat().st_size

    return write


def test_players_go_first_and_then_frames_shrink(size):
    whole, full = size(12_000_000)
    assert 'id="proxy-A"' in whole
    still, without = size(full - 1)
    assert without < full
    assert 'id="proxy-A"' not in still and "<video" not in still
    assert "The moving pictures were left out" in still
    assert "made smaller" not in still
    small, least = size(without - 1)
    assert least < without
    assert "The frames were made smaller" in small
    assert small.count("data:image/jpeg") == still.count("data:image/jpeg") > 0
