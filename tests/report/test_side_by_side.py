"""The aligned video of both, checked by the levels of its frames."""

from __future__ import annotations

import av
import numpy as np
import pytest

from triptych.record.errors import OutputError, UsageError
from triptych.record.report import Alignment, Evidence, Span
from triptych.report import frame_server
from triptych.report.captions import STRIP, drawable
from triptych.report.side_by_side import layout, write_side_by_side

# Both pictures are 160x120, 4 pixels apart, under a strip.
A = np.s_[STRIP:, :160]
B = np.s_[STRIP:, 164:]


def frames(path):
    with av.open(str(path)) as container:
        return [(f.time, f.to_ndarray(format="rgb24")) for f in container.decode(video=0)]


def spans(*items):
    return Alignment(
        matched=True,
        score=0.9,
        spans=[
            Span(a=a, b=b, speed=1, direction="reverse" if back else "forward", mirrored="none")
            for a, b, back in items
        ],
    )


def test_b_shows_what_a_shows(make_report, tmp_path, read_index):
    write_side_by_side(make_report(findings=[]), tmp_path / "s.mp4")
    shown = frames(tmp_path / "s.mp4")
    assert len(shown) == 80
    assert shown[0][1].shape == (STRIP + 120, 324, 3)
    for time, rgb in shown:
        assert read_index(rgb[A]) == round(time * 20)
        # B has every second frame of A.
        assert read_index(rgb[B], mirrored=True) == 2 * (round(time * 20) // 2)
    with av.open(str(tmp_path / "s.mp4")) as container:
        sound = np.concatenate([f.to_ndarray()[0] for f in container.decode(audio=0)])
    assert len(sound) / 32000 == pytest.approx(4.0, abs=0.1)
    tone = np.abs(np.fft.rfft(sound[:32000]))
    assert int(np.argmax(tone)) == 440


@pytest.mark.parametrize("chunk", [frame_server.CHUNK_BYTES, 40_000])
def test_backwards_and_missing_stretches(make_report, tmp_path, monkeypatch, read_index, chunk):
    monkeypatch.setattr(frame_server, "CHUNK_BYTES", chunk)
    report = make_report(alignment=spans(([0, 1], [0.5, 1.5], True), ([3, 4], [0, 1], False)))
    write_side_by_side(report, tmp_path / "s.mp4")
    for time, rgb in frames(tmp_path / "s.mp4"):
        shown = read_index(rgb[B], mirrored=True)
        # B's frame k is A's frame 2k and is on screen from k/20 s on.
        if time <= 1:
            assert shown == 2 * int((1.5 - time) * 20 + 1e-6), time
        elif 1.3 < time < 2.7:
            assert rgb[B][-40:].max() < 60, "blank"
        elif time >= 3:
            assert shown == 2 * int((time - 3) * 20 + 1e-6), time


def test_boxes_are_drawn_while_they_last(make_report, tmp_path):
    report = make_report()
    report.findings[0].evidence = [
        Evidence(video="A", start_s=1.0, end_s=2.0, box=[20, 30, 60, 40])
    ]
    report.findings = report.findings[:1]
    write_side_by_side(report, tmp_path / "s.mp4")
    for time, rgb in frames(tmp_path / "s.mp4"):
        edge = rgb[STRIP + 32 : STRIP + 68, 19:23].astype(int)
        red = (edge[..., 0] - edge[..., 2]).max()
        assert (red > 60) == (1.0 <= time <= 2.0), time


def test_the_same_bytes_every_time(make_report, tmp_path):
    for name in ("1.mp4", "2.mp4"):
        write_side_by_side(make_report(), tmp_path / name)
    assert (tmp_path / "1.mp4").read_bytes() == (tmp_path / "2.mp4").read_bytes()


def test_names_in_any_script(make_report, pair, tmp_path):
    report = make_report()
    for m, name in zip(report.videos, ["日本語 \u202e😀.mp4", "x" * 300 + ".mp4"], strict=True):
        m.path = str(tmp_path / name)
    sources = dict(zip("AB", pair, strict=True))
    write_side_by_side(report, tmp_path / "s.mp4", sources=sources)
    assert len(frames(tmp_path / "s.mp4")) == 80
    assert drawable("aé語\u202e") == "aé□\\u202e"


@pytest.mark.parametrize(
    ("a", "b", "beside"),
    [
        ((1280, 720), (1280, 720), True),
        ((720, 1280), (720, 1280), True),
        ((720, 1280), (1280, 720), True),
        ((1920, 800), (1920, 800), False),
    ],
)
def test_layout_is_near_a_screen(make_report, a, b, beside):
    videos = make_report().videos
    for m, (w, h) in zip(videos, (a, b), strict=True):
        m.display_width, m.display_height = w, h
    made = layout(*videos)
    assert made.beside == beside
    for pane, (w, h) in ((made.a, a), (made.b, b)):
        assert max(pane) <= 640
        assert pane[0] / pane[1] == pytest.approx(w / h, rel=0.02)
    assert (made.a[1] == made.b[1]) if beside else (made.a[0] == made.b[0])
    assert all(n % 2 == 0 for n in made.size)


def test_nothing_is_left_behind_on_failure(make_report, tmp_path):
    report = make_report()
    with pytest.raises(UsageError, match="mp4"):
        write_side_by_side(report, tmp_path / "s.avi")
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(OutputError):
        write_side_by_side(report, blocked / "s.mp4")
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
