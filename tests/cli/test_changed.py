"""A file that is swapped after it was compared: no page shows other pictures than were compared."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from triptych.cli.inputs import Inputs
from triptych.diff.options import Options
from triptych.record.errors import ChangedError

from .conftest import FAST, start, write_clip

FEW = Options(only=("position",))


@pytest.mark.skipif(sys.platform != "linux", reason="sets the size of a pipe")
@pytest.mark.parametrize("option", ["--html", "--side-by-side"])
def test_swapped_before_the_page_is_written(tmp_path: Path, base: Path, option: str) -> None:
    """A report that nobody reads holds the program up between comparing and showing."""
    import fcntl

    a, b = tmp_path / "a.mp4", tmp_path / "b.mp4"
    a.write_bytes(base.read_bytes())
    b.write_bytes(base.read_bytes())
    other = write_clip(tmp_path / "other.mp4", mirror=True)
    page = tmp_path / "page.mp4"
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
    args = ("diff", a, b, *FAST, "--json", "/dev/stdout", option, page)
    with start(*args, stdout=write, stderr=subprocess.PIPE) as process:
        os.close(write)
        first = os.read(read, 1)
        other.replace(b)
        with os.fdopen(read, "rb") as rest:
            assert (first + rest.read()).startswith(b"{")
        assert process.stderr is not None
        said = process.stderr.read().decode()
        assert process.wait(60) == 2
    assert said == f"triptych: {b}: changed after it was compared (compare again)\n"
    assert not page.exists()


def test_written_to_between_two_comparisons(tmp_path: Path, base: Path) -> None:
    a = tmp_path / "a.mp4"
    a.write_bytes(base.read_bytes())
    with Inputs([], FEW) as inputs:
        inputs.compare(str(a), str(base), FEW)
        with a.open("ab") as file:
            file.write(b"more")
        with pytest.raises(ChangedError, match="changed after it was compared"):
            inputs.compare(str(a), str(base), FEW)


def test_one_of_a_sequence_is_drawn_again(tmp_path: Path, base: Path) -> None:
    from PIL import Image

    for i in range(5):
        Image.new("RGB", (64, 48), (40 * i, 90, 200 - 40 * i)).save(tmp_path / f"f{i}.png")
    for name in (str(tmp_path), str(tmp_path / "f%d.png")):
        with Inputs([], FEW) as inputs:
            inputs.compare(name, str(base), FEW)
            with inputs.opened(name, str(base)):
                pass
            Image.new("RGB", (64, 48), (9, 9, 9)).save(tmp_path / "f3.png")
            with pytest.raises(ChangedError), inputs.opened(name, str(base)):
                pass
