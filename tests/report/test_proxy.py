"""Stills and proxies: the right frames at the right times, within the budget."""

from __future__ import annotations

import io
import json
import subprocess

import av
import numpy as np
import pytest
from PIL import Image

from triptych import media
from triptych.report.proxy import LADDER, PROXY_BYTES, WINDOW_RUNG, Plan, Window, plan
from triptych.report.stills import Shot, capture, shrink


def pixels(jpeg: bytes) -> np.ndarray:
    with Image.open(io.BytesIO(jpeg)) as picture:
        return np.asarray(picture.convert("RGB"))


def test_stills_show_the_frame_on_screen(pair, read_index):
    # Frame i is on screen from i/20 s on.
    times = {0.0: 0, 0.049: 0, 0.05: 1, 1.0: 20, 1.049999: 21, 2.51: 50, 99.0: 79}
    with media.open(pair[0]) as video:
        got = capture(video, [Shot(t) for t in times])
    assert got.proxy is None
    assert {t: read_index(pixels(got.stills[Shot(t)])) for t in times} == times


def test_sizes_of_stills(pair):
    with media.open(pair[0]) as video:
        got = capture(video, [Shot(1.0, 640), Shot(1.0, 80)])
    sizes = {}
    for shot, data in got.stills.items():
        with Image.open(io.BytesIO(data)) as picture:
            sizes[shot.side] = picture.size
    assert sizes == {640: (160, 120), 80: (80, 60)}


def test_proxy_plays_the_same_at_the_same_time(pair, tmp_path, read_index):
    with media.open(pair[0]) as video:
        got = capture(video, [], plan(4.0, []))
    assert got.proxy is not None
    path = tmp_path / "p.mp4"
    path.write_bytes(got.proxy)
    probed = json.loads(
        subprocess.run(
            ["ffprobe", "-v", "error", "-show_streams", "-of", "json", str(path)],
            capture_output=True,
            check=True,
        ).stdout
    )["streams"]
    picture, sound = probed
    assert (picture["codec_name"], picture["pix_fmt"]) == ("h264", "yuv420p")
    assert picture["profile"] == "Constrained Baseline"
    assert float(picture["duration"]) == pytest.approx(4.0, abs=0.01)
    assert sound["codec_name"] == "aac"
    assert float(sound["duration"]) == pytest.approx(4.0, abs=0.1)
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            shown = read_index(frame.to_ndarray(format="rgb24"))
            assert shown == int(frame.time * 20 + 1e-6), frame.time
    assert got.proxy.index(b"moov") < got.proxy.index(b"mdat"), "can be played as it arrives"


def test_proxies_are_the_same_every_time(pair):
    made = []
    for _ in range(2):
        with media.open(pair[0]) as video:
            made.append(capture(video, [], plan(4.0, [])).proxy)
    assert made[0] == made[1]


def test_windows_hold_their_stretch(pair, tmp_path, read_index):
    windows = (Window(0.5, 1.5, 0.0), Window(3.0, 3.5, 1.0))
    with media.open(pair[0]) as video:
        got = capture(video, [], Plan(windows, WINDOW_RUNG, whole=False))
    (tmp_path / "p.mp4").write_bytes(got.proxy or b"")
    with av.open(str(tmp_path / "p.mp4")) as container:
        frames = [
            (f.time, read_index(f.to_ndarray(format="rgb24"))) for f in container.decode(video=0)
        ]
    assert len(frames) == 15
    for time, shown in frames:
        source = 0.5 + time if time < 1.0 - 1e-6 else 3.0 + time - 1.0
        assert shown == int(source * 20 + 1e-6), time
    with av.open(str(tmp_path / "p.mp4")) as container:
        sound = sum(f.samples for f in container.decode(audio=0)) / 32000
    assert sound == pytest.approx(1.5, abs=0.1)


def test_plans_fit_the_budget():
    for duration in (0.1, 60, 200, 350, 3600, 3 * 3600):
        made = plan(duration, [10.0 * i for i in range(60) if 10 * i < duration])
        length = sum(w.end_s - w.start_s for w in made.windows)
        bits = (made.rung.bitrate + made.rung.sound_bitrate) * length
        assert bits / 8 <= PROXY_BYTES
        assert made.whole == (duration <= LADDER[-1].seconds)
        ends = [0.0, *(w.end_s for w in made.windows)]
        assert all(w.start_s >= e for w, e in zip(made.windows, ends, strict=False))


def test_windows_follow_each_other_without_gaps():
    made = plan(3600.0, [100.0, 104.0, 2000.0, 3599.0])
    assert [round(w.start_s) for w in made.windows] == [97, 1997, 3596]
    at = 0.0
    for w in made.windows:
        assert w.at_s == pytest.approx(at)
        at += w.end_s - w.start_s


def test_shrinking_stops_at_the_budget(pair):
    with media.open(pair[0]) as video:
        got = capture(video, [Shot(t / 10) for t in range(20)])
    total = sum(map(len, got.stills.values()))
    small = shrink(got.stills, total * 2 // 3)
    assert sum(map(len, small.values())) <= total * 2 // 3
    assert small.keys() == got.stills.keys()
    assert shrink(got.stills, total) == got.stills
