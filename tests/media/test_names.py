"""Names that look like something else, folders, patterns, stdin, URLs, and what is no file."""

from __future__ import annotations

import http.server
import io
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from triptych import media
from triptych.diff.folders import same_bytes
from triptych.media.sequence import natural
from triptych.record.errors import (
    NoPictureError,
    NotFoundError,
    SourceError,
    UnreadableError,
    UsageError,
)

Made = Callable[[str], Path]


@pytest.mark.parametrize(
    "name",
    [
        "com,ma:colon.mp4",
        "[br]ack%d.mp4",
        "日本語.mp4",
        "-dash.mp4",
        "-",
        "12:30.mp4",
        "http:x.mp4",
        "concat:a|b",
        'it\'s "quoted".mp4',
        "new\nline.mp4",
        "%04d.mp4",
        "a b;$(x)`y`.mp4",
    ],
)
def test_a_local_name_is_only_a_name(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / name).write_bytes(made("one_frame.mp4").read_bytes())
    monkeypatch.chdir(tmp_path)
    with media.open(name) as video:
        assert sum(1 for _ in video.frames()) == 1
        assert video.path == name == video.media.path


def test_a_file_named_like_a_url_is_the_file(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "http:").mkdir()
    (tmp_path / "http:" / "clip.mp4").write_bytes(made("one_frame.mp4").read_bytes())
    monkeypatch.chdir(tmp_path)
    with media.open("http://clip.mp4") as video:
        assert sum(1 for _ in video.frames()) == 1


def test_a_name_that_is_no_text(made: Made, tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.mp4")
    (tmp_path / name).write_bytes(made("one_frame.mp4").read_bytes())
    with media.open(tmp_path / name) as video:
        assert sum(1 for _ in video.frames()) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{}\n#EXT-X-ENDLIST\n"),
        ("list.mp4", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{}\n#EXT-X-ENDLIST\n"),
        ("list.ffconcat", "ffconcat version 1.0\nfile '{}'\n"),
        ("list.mpd", '<?xml version="1.0"?><MPD><BaseURL>{}</BaseURL></MPD>'),
        (
            "list.sdp",
            "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video 9 RTP/AVP 96\n",
        ),
    ],
)
def test_a_playlist_reaches_no_other_file(made: Made, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "inner.ts").write_bytes(made("reschange.ts").read_bytes())
    (tmp_path / name).write_text(text.format("inner.ts"))
    with pytest.raises(UnreadableError) as caught:
        media.open(tmp_path / name)
    assert "\n" not in str(caught.value)
    if "sdp" not in name:
        assert "names other files" in str(caught.value)


def test_a_playlist_reaches_no_network(tmp_path: Path) -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.settimeout(0.2)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/x.ts"
        (tmp_path / "p.m3u8").write_text(f"#EXTM3U\n#EXTINF:1,\n{url}\n#EXT-X-ENDLIST\n")
        with pytest.raises(SourceError):
            media.open(tmp_path / "p.m3u8")
        with pytest.raises(TimeoutError):
            server.accept()


def test_pipes_sockets_and_devices_are_said_at_once(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo.mp4"
    os.mkfifo(fifo)
    with pytest.raises(UnreadableError, match="named pipe"):
        media.open(fifo)
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(str(tmp_path / "sock"))
        with pytest.raises(UnreadableError, match="socket"):
            media.open(tmp_path / "sock")
    with pytest.raises(UnreadableError, match="device"):
        media.open("/dev/zero")


@pytest.mark.parametrize("name", ["/proc/kmsg", "/proc/version"])
def test_a_file_without_a_size_is_not_waited_for(tmp_path: Path, name: str) -> None:
    """The kernel's log is an ordinary file by its kind, and a read of it waits for news."""
    if not Path(name).exists():
        pytest.skip(f"no {name} here")
    with pytest.raises(UnreadableError, match=r"is empty \(or has no size"):
        media.open(name)
    (tmp_path / "f1.png").symlink_to(name)
    with pytest.raises(UnreadableError, match=r"not one image can be read: f1\.png is empty"):
        media.open(tmp_path)
    assert not same_bytes(name, name)


def stdin_of(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_stdin_is_spooled_and_removed(
    made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The index of this file is at its end, so it cannot be read without seeking.
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    stdin_of(made("base.mp4").read_bytes(), monkeypatch)
    with media.open("-") as video:
        assert sum(1 for _ in video.frames()) == 90
        assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == []
    for data in (b"", b"nothing at all"):
        stdin_of(data, monkeypatch)
        with pytest.raises(UnreadableError):
            media.open("-")
        assert list(tmp_path.iterdir()) == []


def test_closed_stdin_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UnreadableError, match="stdin is closed"):
        media.open("-")


class Handler(http.server.BaseHTTPRequestHandler):
    body = b""
    seen: list[str]

    def do_GET(self) -> None:
        type(self).seen.append(self.path)
        if self.path == "/clip":
            self.send_response(200)
            self.send_header("Content-Length", str(len(self.body)))
            self.end_headers()
            self.wfile.write(self.body)
        elif self.path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", str(len(self.body) + 100))
            self.end_headers()
            self.wfile.write(self.body)
        elif self.path in ("/moved", "/escape"):
            self.send_response(302)
            self.send_header(
                "Location", "/clip" if self.path == "/moved" else "ftp://127.0.0.1:1/x"
            )
            self.end_headers()
        else:
            self.send_error(404)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        return


@pytest.fixture
def server(made: Made) -> Iterator[str]:
    Handler.body, Handler.seen = made("base.mp4").read_bytes(), []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as web:
        thread = threading.Thread(target=web.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{web.server_address[1]}"
        web.shutdown()
        thread.join()


def test_a_url_is_fetched_only_when_allowed(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with pytest.raises(NotFoundError, match="allow"):
        media.open(f"{server}/clip")
    assert Handler.seen == []
    told: list[tuple[int, int | None]] = []
    for place in ("clip", "moved"):
        with media.open(
            f"{server}/{place}", allow_url=True, progress=lambda a, b: told.append((a, b))
        ) as video:
            assert sum(1 for _ in video.frames()) == 90
            assert video.media.path == f"{server}/{place}"
    assert told[-1] == (len(Handler.body), len(Handler.body))
    for place, what in {"gone": "404", "cut": "ended after", "escape": "redirects"}.items():
        with pytest.raises(SourceError, match=what) as caught:
            media.open(f"{server}/{place}", allow_url=True)
        assert "\n" not in str(caught.value)
    for url in ("ftp://127.0.0.1/x", "file:///etc/hostname", "http://127.0.0.1:1/x"):
        with pytest.raises(SourceError):
            media.open(url, allow_url=True)
    assert list(tmp_path.iterdir()) == []


def shots(folder: Path, names: dict[str, tuple[int, int]]) -> Path:
    folder.mkdir(exist_ok=True)
    for i, (name, size) in enumerate(names.items()):
        Image.new("RGB", size, (20 * i, 20 * i, 20 * i)).save(folder / name)
    return folder


def greys(path: Path, **options: float) -> list[int]:
    with media.open(path, **options) as video:  # type: ignore[arg-type]
        return [int(f.rgb()[0, 0, 0]) // 20 for f in video.frames()]


def test_a_folder_is_read_in_natural_order(tmp_path: Path) -> None:
    names = ["f1.png", "f2.png", "f9.png", "f10.jpg", "f100.bmp"]
    folder = shots(tmp_path / "shots", dict.fromkeys(names, (16, 16)))
    (folder / ".hidden.png").write_bytes(b"x")
    (folder / "readme.txt").write_text("x")
    assert greys(folder) == [0, 1, 2, 3, 4]
    assert sorted(["f10.jpg", "f9.png", "f2.png"], key=natural) == names[1:4]
    with media.open(folder) as video:
        assert [f.time for f in video.frames()] == [Fraction(i, 25) for i in range(5)]
    assert any("25 frames a second" in n for n in video.media.notes)
    with media.open(folder, fps=29.97) as video:
        assert [f.time for f in video.frames()][1] == Fraction(1001, 30000)
    assert not any("25" in n for n in video.media.notes)
    with pytest.raises(UsageError):
        media.open(folder, fps=0)


def test_a_pattern_may_start_anywhere_and_skip(tmp_path: Path) -> None:
    names = [f"a%{n:04d}.png" for n in (98, 99, 100, 102)] + ["a%5.png", "ab0101.png"]
    folder = shots(tmp_path / "s", dict.fromkeys(names, (16, 16)))
    with media.open(folder / "a%%%04d.png") as video:
        assert [int(f.rgb()[0, 0, 0]) // 20 for f in video.frames()] == [0, 1, 2, 3]
    assert "missing from the sequence: 1 numbers" in video.media.notes
    for wrong in ("b%04d.png", "a%s.png", "%d%d.png"):
        with pytest.raises(NotFoundError):
            media.open(folder / wrong)


def test_a_sequence_of_mixed_sizes_and_a_bad_picture(tmp_path: Path) -> None:
    folder = shots(tmp_path / "s", {"1.png": (16, 16), "2.png": (32, 8), "3.png": (32, 8)})
    (folder / "2b.png").write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    with media.open(folder, fps=10) as video:
        frames = [(f.time, f.width, f.height) for f in video.frames()]
    assert frames == [(0, 16, 16), (Fraction(1, 10), 32, 8), (Fraction(3, 10), 32, 8)]
    assert [(d.start_s, d.end_s) for d in video.media.damage] == [(0.2, 0.3)]
    assert "2b.png" in video.media.damage[0].reason
    assert any("picture size changes at 0.100 s" in n for n in video.media.notes)


def test_photos_are_shown_upright(tmp_path: Path) -> None:
    picture = Image.fromarray(np.full((10, 20, 3), 90, np.uint8))
    exif = Image.Exif()
    exif[0x0112] = 6
    (tmp_path / "s").mkdir()
    picture.save(tmp_path / "s" / "1.jpg", exif=exif)
    for path in (tmp_path / "s", tmp_path / "s" / "1.jpg"):
        with media.open(path) as video:
            frame = next(iter(video.frames()))
        assert (frame.width, frame.height) == (10, 20) == (video.media.width, video.media.height)


def test_a_still_picture_is_a_video_of_one_frame(tmp_path: Path) -> None:
    Image.fromarray(np.full((10, 20), 40000, np.uint16)).save(tmp_path / "deep.png")
    with media.open(tmp_path / "deep.png") as video:
        frames = list(video.frames())
    assert len(frames) == 1 and video.media.bit_depth == 16
    assert abs(int(frames[0].rgb()[0, 0, 0]) - round(40000 / 257)) <= 1
    assert "a still picture" in video.media.notes


def test_a_folder_without_pictures(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(NoPictureError, match="folder without images"):
        media.open(tmp_path)
    (tmp_path / "bad.png").write_bytes(b"x")
    with pytest.raises(UnreadableError, match=r"bad\.png"):
        media.open(tmp_path)
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(UnreadableError, match=r"bad\.png"):
        media.open(tmp_path)
