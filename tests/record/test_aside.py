"""Ctrl-C does not wait for native code."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from triptych.record.aside import aside, left_behind

#: A minute of work in one step of Python, as a model's is.
LONG = """
import hashlib, os, sys
from triptych.record.aside import aside, left_behind
def work(left):
    print("working", flush=True)
    hashlib.pbkdf2_hmac("sha512", b"x", b"y", 50_000_000)
try:
    aside(work)
except KeyboardInterrupt:
    assert left_behind()
    os._exit(130)
"""


def test_what_the_work_gives_or_raises() -> None:
    assert aside(lambda left: (7, left.is_set())) == (7, False)
    with pytest.raises(ZeroDivisionError):
        aside(lambda left: 1 // 0)
    assert not left_behind()


def test_an_interrupt_is_heard_at_once() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", LONG],
        stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"working\n"
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(20) == 130
        finally:
            process.kill()
    assert time.monotonic() - begun < 5
