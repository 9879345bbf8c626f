"""Files are written whole or not at all."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from triptych.record.errors import OutputError
from triptych.record.files import atomic_path, check_target, make_folder, write_bytes, write_text


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def written_by_a_new_process(
    target: str | Path, **options: Any
) -> subprocess.CompletedProcess[str]:
    code = (
        "import sys; from triptych.record.errors import OutputError\n"
        "from triptych.record.files import write_text\n"
        "try:\n    write_text(sys.argv[1], 'ü\\n')\n"
        "except OutputError as error:\n    print(error, file=sys.stderr); sys.exit(2)\n"
    )
    return subprocess.run([sys.executable, "-c", code, target], text=True, timeout=60, **options)


def test_written_with_the_users_permissions(tmp_path: Path) -> None:
    # The mask is read when the program starts, so a new one is started.
    done = written_by_a_new_process(tmp_path / "x.txt", umask=0o027)
    assert done.returncode == 0
    assert (tmp_path / "x.txt").read_bytes() == b"\xc3\xbc\n"
    assert (tmp_path / "x.txt").stat().st_mode & 0o777 == 0o640
    assert names(tmp_path) == ["x.txt"]


def test_a_missing_folder_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"new/x\.txt: cannot be written: .*new does not exist"):
        write_text(tmp_path / "new" / "x.txt", "")
    with pytest.raises(OutputError, match="does not exist"):
        check_target(tmp_path / "new" / "x.txt")
    assert names(tmp_path) == []
    make_folder(tmp_path / "new" / "er")
    write_text(tmp_path / "new" / "er" / "x.txt", "x")
    assert (tmp_path / "new" / "er" / "x.txt").read_text() == "x"


def test_a_folder_of_results_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file/x: cannot be made: Not a directory"):
        make_folder(tmp_path / "file" / "x")


def test_a_link_stays_and_what_it_points_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "x.txt").write_text("old")
    (tmp_path / "link").symlink_to("real/../real/x.txt")
    (tmp_path / "dangling").symlink_to("real/new.txt")
    write_text(tmp_path / "link", "new")
    write_text(tmp_path / "dangling", "made")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "dangling").is_symlink()
    assert (tmp_path / "real" / "x.txt").read_text() == "new"
    assert (tmp_path / "real" / "new.txt").read_text() == "made"
    assert names(tmp_path / "real") == ["new.txt", "x.txt"]


def test_links_in_a_circle_are_said(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OutputError, match="a: cannot be written: 40 links"):
        write_text(tmp_path / "a", "")


@pytest.mark.parametrize("kind", ["pipe", "socket", "link to a pipe"])
def test_what_is_no_regular_file_is_refused_and_stays(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "x"
    with socket.socket(socket.AF_UNIX) as listener:
        if kind == "socket":
            listener.bind(str(target))
        elif kind == "pipe":
            os.mkfifo(target)
        else:
            os.mkfifo(tmp_path / "p")
            target.symlink_to("p")
        before = target.lstat()
        for write in (check_target, lambda t: write_text(t, "x")):
            with pytest.raises(OutputError, match="x: is not a regular file"):
                write(target)
        assert os.path.samestat(before, target.lstat())


def test_a_device_takes_the_bytes_and_stays_a_device(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/dev/null")
    for target in (Path("/dev/null"), tmp_path / "link"):
        before = Path("/dev/null").stat()
        write_text(target, "x" * 100_000)
        assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
        assert os.path.samestat(before, Path("/dev/null").stat())
    assert names(tmp_path) == ["link"]
    if Path("/dev/full").exists():
        with pytest.raises(OutputError, match="/dev/full: cannot be written: No space left"):
            write_text("/dev/full", "x")
        assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_standard_output_by_name_is_written_to(tmp_path: Path, name: str) -> None:
    if name == "link":
        (tmp_path / "link").symlink_to("/dev/stdout")
        name = str(tmp_path / "link")
    # Through a pipe, and into a file that the shell holds open and that holds something already.
    assert written_by_a_new_process(name, stdout=subprocess.PIPE).stdout == "ü\n"
    held = tmp_path / "held.txt"
    with held.open("w") as out:
        out.write("before ")
        out.flush()
        inode = held.stat().st_ino
        assert written_by_a_new_process(name, stdout=out).returncode == 0
    assert (held.read_text(), held.stat().st_ino) == ("before ü\n", inode)


def test_a_stream_that_is_not_open_is_said(tmp_path: Path) -> None:
    done = written_by_a_new_process("/dev/fd/77", stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("/dev/fd/77: cannot be written: ")


def test_the_temporary_name_keeps_the_ending(tmp_path: Path) -> None:
    with atomic_path(tmp_path / "clip.mp4") as temporary:
        assert temporary.suffix == ".mp4"
        assert temporary.parent == tmp_path
        temporary.write_bytes(b"1")
    assert names(tmp_path) == ["clip.mp4"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_what_stood_there_stays_when_writing_fails(
    tmp_path: Path, error: type[BaseException]
) -> None:
    target = tmp_path / "x.txt"
    write_text(target, "old")
    with pytest.raises(error), atomic_path(target) as temporary:
        temporary.write_text("half")
        raise error
    assert target.read_text() == "old"
    assert names(tmp_path) == ["x.txt"]


def test_a_reader_never_sees_half_of_it(tmp_path: Path) -> None:
    target = tmp_path / "x.bin"
    write_bytes(target, b"old" * 1000)
    with target.open("rb") as reader:
        write_bytes(target, b"new" * 1000)
        assert reader.read() == b"old" * 1000
    assert target.read_bytes() == b"new" * 1000


def test_a_full_disk_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    # A limit on the size of a file fails a write as a full disk does, and needs no privileges.
    code = """
import resource, signal, sys
from triptych.record.errors import OutputError
from triptych.record.files import write_bytes
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
try:
    write_bytes(sys.argv[1], b"x" * 20_000)
except OutputError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "x.bin"], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == f"{tmp_path / 'x.bin'}: cannot be written: File too large\n"
    assert names(tmp_path) == []


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"file/x\.txt: cannot be written: "):
        write_text(tmp_path / "file" / "x.txt", "")


def test_a_target_that_is_a_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OutputError, match="folder: is a folder, not a regular file"):
        write_text(tmp_path / "folder", "")
    assert names(tmp_path) == ["folder"]


def test_the_longest_and_oddest_names_can_be_written(tmp_path: Path) -> None:
    for name in ("n" * 251 + ".txt", "é" * 120 + ".txt", "-x", ".hidden", "a b\nc.txt"):
        write_text(tmp_path / name, name)
        assert (tmp_path / name).read_text() == name


def test_ctrl_c_while_writing_leaves_nothing(tmp_path: Path) -> None:
    code = """
import sys, time
from triptych.record.files import atomic_path
with atomic_path(sys.argv[1]) as temporary:
    temporary.write_text("half")
    print("ready", flush=True)
    time.sleep(60)
"""
    with subprocess.Popen(
        [sys.executable, "-c", code, tmp_path / "x.txt"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        # Whoever runs the tests in the background has Ctrl-C ignored, which is handed down.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) and None,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        assert len(names(tmp_path)) == 1
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
        assert time.monotonic() - started < 10
    assert names(tmp_path) == []
