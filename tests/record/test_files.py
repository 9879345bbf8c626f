"""Files are written whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from triptych.record.errors import OutputError
from triptych.record.files import atomic_path, write_bytes, write_text


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_written_with_the_users_permissions(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write_text(tmp_path / "deep" / "er" / "x.txt", "ü\n")
    finally:
        os.umask(mask)
    file = tmp_path / "deep" / "er" / "x.txt"
    assert file.read_bytes() == b"\xc3\xbc\n"
    assert file.stat().st_mode & 0o777 == 0o640
    assert names(file.parent) == ["x.txt"]


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
    with pytest.raises(OutputError, match="folder: cannot be written: Is a directory"):
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
