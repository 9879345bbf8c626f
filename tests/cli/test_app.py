"""The program as a whole: help, version, wrong use."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from triptych.diff.options import NAMES
from triptych.record.report import ASPECTS

from .conftest import Run


def test_help_names_every_verb(triptych: Run) -> None:
    done = triptych("--help")
    assert done.returncode == 0
    assert done.stderr == ""
    for verb in ("diff", "make", "doctor", "demo"):
        assert f"\n  {verb} " in done.stdout


@pytest.mark.parametrize("verb", ["diff", "make", "make pairs", "doctor", "demo"])
def test_every_verb_has_help(triptych: Run, verb: str) -> None:
    done = triptych(*verb.split(), "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: triptych {verb} ")
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_help_of_diff_shows_examples_and_exit_codes(triptych: Run) -> None:
    text = triptych("diff", "--help").stdout
    assert "triptych diff before.mp4 after.mp4 --html report.html" in text
    assert "0 no difference found, 1 different, 2 trouble" in text


def test_help_of_diff_names_what_only_and_skip_take(triptych: Run) -> None:
    shown = " ".join(triptych("diff", "--help").stdout.split())
    for dimension, aspects in ASPECTS.items():
        takes = [a for a in aspects if a in NAMES]
        assert f"{dimension} ({', '.join(takes)})" in shown
    assert "text, speech, people; see below" in shown


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        ("click.Abort()", 130, "interrupted"),
        ("typer.Abort()", 130, "interrupted"),
        ("KeyboardInterrupt()", 130, "interrupted"),
        ("BrokenPipeError()", 141, ""),
        ("click.UsageError('bad\\nuse')", 2, "bad use (see 'triptych --help')"),
        ("UnreadableError('a.mp4', 'is broken')", 2, "a.mp4: is broken"),
        ("ZeroDivisionError('by\\nzero')", 2, "unexpected ZeroDivisionError: by (this is a fault"),
    ],
)
def test_what_escapes_the_verbs_is_an_exit_code_and_one_line(
    error: str, code: int, line: str
) -> None:
    program = f"""
import click, sys, typer
from triptych.cli import app
from triptych.record.errors import UnreadableError
def fail(**options):
    raise {error}
app.app = fail
app.main()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(f"triptych: {line}" if line else "")
    assert done.stderr.count("\n") == bool(line), done.stderr


def test_help_loads_nothing_heavy() -> None:
    code = """
import sys
from triptych.cli.app import app
app(["diff", "--help"], standalone_mode=False)
heavy = {"numpy", "cv2", "av", "rich", "matplotlib", "onnxruntime", "PIL", "triptych.record.report"}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]"


def test_version(triptych: Run) -> None:
    from triptych import __version__

    assert triptych("--version").stdout == f"triptych {__version__}\n"


def test_the_installed_program_is_the_same() -> None:
    program = Path(sys.executable).with_name("triptych")
    if not program.exists():
        pytest.skip("the package is not installed, so there is no program")
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("triptych ")


def test_without_a_verb_help_goes_to_stderr(triptych: Run) -> None:
    done = triptych()
    assert (done.returncode, done.stdout) == (2, "")
    assert "Usage: triptych" in done.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["dif"], "No such command 'dif'"),
        (["diff"], "Missing argument"),
        (["diff", "a.mp4"], "diff takes two videos or more"),
        (["diff", "a.mp4", "b.mp4", "--htm", "x"], "No such option: --htm"),
        (["diff", "a.mp4", "b.mp4", "--stream", "-1"], "Invalid value for '--stream'"),
        (["diff", "a.mp4", "b.mp4", "--offset", "soon"], "Invalid value for '--offset'"),
        (["diff", "a.mp4", "b.mp4", "--offset", "nan"], "--offset: nan makes no sense"),
        (["diff", "a.mp4", "b.mp4", "--fps", "0"], "--fps: 0.0 makes no sense"),
        (["diff", "a.mp4", "b.mp4", "--fps", "inf"], "--fps: inf makes no sense"),
        (["diff", "a.mp4", "b.mp4", "--skip", "text,taste"], "'taste' is not a dimension"),
        (["diff", "a.mp4", "b.mp4", "--only", "Style"], "'Style' is not a dimension"),
        (["diff", "a.mp4", "b.mp4", "--only", "sond"], "did you mean sound? There are: subject ("),
        (["diff", "a.mp4", "b.mp4", "--only", "poeple"], "did you mean people?"),
        (["diff", "a.mp4", "b.mp4", "--lang", "english"], "--lang: 'english' is not a language"),
        (["diff", "-", "-"], "stdin can only be read once"),
        (["diff", "a.mp4", "b.mp4", "--html", "a.mp4"], "a.mp4: is one of the videos"),
        (["diff", "a.mp4", "b.mp4", "--html", "x", "--json", "x"], "x: is asked for twice"),
        (["diff", "a", "b", "c", "--markers", "m.csv"], "take exactly two videos"),
        (["diff", "a", "b", "c", "--side-by-side", "m.mp4"], "take exactly two videos"),
        (["doctor", "--color"], "No such option: --color"),
    ],
)
def test_wrong_use_is_one_line_and_2(
    triptych: Run, tmp_path: Path, args: list[str], message: str
) -> None:
    done = triptych(*args, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("triptych: ")
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []
