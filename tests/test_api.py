"""The public surface: what it names, that it loads lazily, and that it works in every order."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import triptych

SURFACE = [
    "ChangedError",
    "Finding",
    "MissingExtraError",
    "NoPictureError",
    "NotFoundError",
    "OutputError",
    "Report",
    "SourceError",
    "TriptychError",
    "UnreadableError",
    "UsageError",
    "__version__",
    "diff",
    "open",
]


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60
    )


def test_surface_is_pinned() -> None:
    assert sorted(triptych.__all__) == SURFACE
    for name in SURFACE:
        assert getattr(triptych, name) is not None
        assert name in dir(triptych)


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'compare_all'"):
        _ = triptych.compare_all


def test_errors_are_one_tree() -> None:
    for name in SURFACE:
        if name.endswith("Error"):
            assert issubclass(getattr(triptych, name), triptych.TriptychError)


def test_version_is_the_installed_one() -> None:
    from importlib.metadata import version

    assert triptych.__version__ == version("triptych")


@pytest.mark.parametrize(
    "imports",
    [
        "import triptych",
        "import triptych.diff",
        "import triptych.diff.options, triptych",
        "import triptych; import triptych.diff.context",
        "import triptych; triptych.diff; import triptych.diff.folders",
        "import triptych.diff.options; from triptych import *; assert diff is triptych.diff",
        "from triptych.diff import options; import triptych",
        "import triptych; from triptych import diff; assert diff is triptych.diff",
    ],
)
def test_diff_can_be_called_whatever_was_imported_first(imports: str) -> None:
    # A file that is not there: the call itself, down to the reader, is what is tested.
    done = python(f"""
        {imports}
        try:
            triptych.diff("not there.mp4", "not there either.mp4")
        except triptych.NotFoundError as error:
            print(error)
    """)
    assert done.stderr == ""
    assert done.stdout.startswith("not there.mp4: ")


def test_open_gives_a_reader_that_says_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "text.mp4").write_text("no video at all")
    with pytest.raises(triptych.UnreadableError, match=r"text\.mp4"):
        triptych.open(tmp_path / "text.mp4")


def test_one_string_is_not_a_list_of_names() -> None:
    with pytest.raises(TypeError, match="skip takes a list"):
        triptych.diff("a.mp4", "b.mp4", skip="text")


def test_importing_is_cheap() -> None:
    done = python("""
        import sys, triptych
        heavy = {"numpy", "cv2", "av", "pydantic", "rich", "typer", "matplotlib", "onnxruntime"}
        print(sorted(heavy & set(sys.modules)))
    """)
    assert done.stdout == "[]\n"


def test_everything_measured_is_free_of_model_frameworks() -> None:
    done = python("""
        import importlib, pkgutil, sys, triptych
        for room in ("record", "media", "measure", "report", "diff"):
            package = importlib.import_module(f"triptych.{room}")
            for module in pkgutil.walk_packages(package.__path__, f"triptych.{room}."):
                importlib.import_module(module.name)
        print(sorted({"torch", "inspect_ai", "transformers"} & set(sys.modules)))
    """)
    assert done.stderr == ""
    assert done.stdout == "[]\n"


USER_SCRIPT = """
import triptych
import triptych.diff.options
from triptych import TriptychError, diff

report = triptych.diff("a.mp4", "b.mp4", skip=["text"])
different: bool = report.different
sentence: str = diff("a.mp4", "b.mp4").verdict
with triptych.open("a.mp4") as video:
    times = [float(frame.time) for frame in video.frames()]
try:
    pass
except TriptychError as error:
    print(error, triptych.__version__)
"""


def test_a_users_script_passes_strict_type_checking(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(USER_SCRIPT)
    bad.write_text("import triptych\ntriptych.diff(1, 'b.mp4')\ntriptych.diff('a', 'b', foo=1)\n")
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nstrict = true\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", config, "--cache-dir", tmp_path, good, bad],
        capture_output=True,
        text=True,
        timeout=180,
    )
    found = [line.split(": ", 1) for line in done.stdout.splitlines() if ": error: " in line]
    assert [where for where, _ in found] == [f"{bad}:2", f"{bad}:3"], done.stdout
