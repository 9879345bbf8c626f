"""Every outcome is an exit code, and trouble is one line."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from triptych.cli.trouble import guarded
from triptych.record.errors import UnreadableError


def code_of(outcome: int | BaseException) -> int:
    def command() -> int:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    with pytest.raises(typer.Exit) as leaving:
        guarded(command)()
    return leaving.value.exit_code


@pytest.mark.parametrize("code", [0, 1, 2])
def test_the_commands_own_code_is_kept(code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of(code) == code
    assert capsys.readouterr() == ("", "")


def test_trouble_is_one_safe_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of(UnreadableError("a\n\x1b[2Jb.mp4", "is broken")) == 2
    assert capsys.readouterr() == ("", "triptych: a\\n\\x1b[2Jb.mp4: is broken\n")


@pytest.mark.parametrize(
    "error", [ZeroDivisionError("by\nzero"), MemoryError(), OSError(errno.EIO, "disk"), KeyError(1)]
)
def test_what_nobody_foresaw_is_2_as_well(
    error: Exception, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRIPTYCH_DEBUG", raising=False)
    assert code_of(error) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"triptych: unexpected {type(error).__name__}")
    assert "TRIPTYCH_DEBUG=1" in err
    monkeypatch.setenv("TRIPTYCH_DEBUG", "1")
    assert code_of(error) == 2
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_ctrl_c_and_a_gone_reader_have_the_shells_codes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert code_of(KeyboardInterrupt()) == 130
    assert capsys.readouterr() == ("", "triptych: interrupted\n")
    assert code_of(BrokenPipeError()) == 141
    assert capsys.readouterr() == ("", "")


def test_arguments_and_names_pass_through() -> None:
    def command(a: int, *, b: int) -> int:
        """Text."""
        return a + b

    wrapped = guarded(command)
    assert wrapped.__doc__ == "Text."
    with pytest.raises(typer.Exit) as leaving:
        wrapped(1, b=2)
    assert leaving.value.exit_code == 3


SLEEPER = """
import sys, time
from triptych.cli.trouble import on_terminate
from triptych.record.files import atomic_path
on_terminate()
with atomic_path(sys.argv[1]) as temporary:
    print("ready", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_polite_kill_cleans_up(tmp_path: Path, number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLEEPER, tmp_path / "x"], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        assert process.wait(timeout=30) == 128 + number
    assert list(tmp_path.iterdir()) == []


def test_nohup_is_respected(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLEEPER.replace("60", "1"), tmp_path / "x"],
        stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN) and None,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGHUP)
        assert process.wait(timeout=30) == 0


SECTION = """
def section(number):
    signal.raise_signal(number)  # handled before this returns
    print("over", flush=True)
"""
INTERRUPTED = f"""
import signal, sys, time
from triptych.cli.trouble import on_terminate
# Who starts programs in the background has them ignore it, and that is inherited.
signal.signal(signal.SIGINT, signal.default_int_handler)
on_terminate()
exec(compile({SECTION!r}, "<frozen importlib._bootstrap>", "exec"))
try:
    section(int(sys.argv[1]))
    time.sleep(60)
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_no_signal_breaks_into_the_machinery_of_imports(number: signal.Signals) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(int(number))], capture_output=True, timeout=30
    )
    assert (done.returncode, done.stdout, done.stderr) == (128 + number, b"over\n", b"")
