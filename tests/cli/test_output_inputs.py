"""What is compared is never written over, by whatever name it was given."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.cli.outputs import Outputs
from triptych.diff.folders import is_folder_of_videos
from triptych.record.errors import OutputError, UsageError

from .conftest import FAST, Run


def _outputs(json: Path) -> Outputs:
    return Outputs(html=None, json=str(json), side_by_side=None, markers=None, video=True)


@pytest.mark.parametrize("given", ["renders", "renders/f%03d.png"])
def test_a_file_inside_what_is_compared_is_not_written_over(tmp_path: Path, given: str) -> None:
    (tmp_path / "renders").mkdir()
    inside = tmp_path / "renders" / "f001.png"
    inside.write_bytes(b"a picture")
    with pytest.raises(UsageError, match="in a folder that is compared"):
        _outputs(inside).check([str(tmp_path / given), "b.mp4"], single=True)
    assert inside.read_bytes() == b"a picture"


def test_what_a_link_in_a_folder_leads_to_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "renders" / "deep").mkdir(parents=True)
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(b"a video")
    (tmp_path / "renders" / "deep" / "link.mp4").symlink_to(clip)
    with pytest.raises(UsageError, match="is one of the videos"):
        _outputs(clip).check([str(tmp_path / "renders"), "b"], single=False)


def test_a_new_file_beside_the_videos_may_be_written(tmp_path: Path) -> None:
    (tmp_path / "renders").mkdir()
    new = tmp_path / "renders" / "report.json"
    _outputs(new).check([str(tmp_path / "renders"), "b.mp4"], single=True)


def test_a_name_too_long_for_a_file_is_no_folder() -> None:
    assert not is_folder_of_videos("y" * 300)


@pytest.mark.parametrize("option", ["--html", "--json", "--markers"])
@pytest.mark.parametrize("given", ["clip.mp4", "link.mp4"])
def test_what_stdin_is_redirected_from_is_not_written_over(
    triptych: Run, base: Path, tmp_path: Path, option: str, given: str
) -> None:
    clip = tmp_path / "clip.mp4"
    clip.write_bytes(base.read_bytes())
    (tmp_path / "link.mp4").symlink_to(clip)
    with clip.open("rb") as stdin:
        done = triptych("diff", "-", base, *FAST, option, tmp_path / given, stdin=stdin)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is one of the videos, and would be overwritten" in done.stderr
    assert clip.read_bytes() == base.read_bytes()


def test_stdin_beside_outputs_that_are_no_files(triptych: Run, base: Path) -> None:
    """What is no file cannot be lost: /dev/null may be read and written."""
    done = triptych("diff", "-", base, *FAST, "--json", "/dev/null")
    assert (done.returncode, done.stderr) == (2, "triptych: -: stdin is empty\n")


@pytest.mark.parametrize(
    ("html", "json"),
    [
        ("out", "out/index.html"),
        ("out", "out/../out/index.html"),
        ("out", "out/index_pages/001-b.html"),
        ("out", "out"),
        ("out/page.html", "out/page.html"),
        ("out/page.html", "out/page_pages/001-b.html"),
    ],
)
def test_no_output_lies_where_the_pages_go(tmp_path: Path, html: str, json: str) -> None:
    (tmp_path / "out").mkdir()
    outputs = Outputs(html=str(tmp_path / html), json=str(tmp_path / json))
    with pytest.raises(UsageError, match=r"asked for twice|is where the pages of --html go"):
        outputs.check(["a", "b", "c"], single=False)


def test_other_outputs_may_lie_beside_the_pages(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for json in (out / "report.json", tmp_path / "report.json"):
        Outputs(html=str(out), json=str(json)).check(["a", "b", "c"], single=False)


def test_the_folder_of_pages_is_made_and_that_of_a_file_is_not(tmp_path: Path) -> None:
    Outputs(html=str(tmp_path / "new")).check(["a", "b", "c"], single=False)
    with pytest.raises(OutputError, match="make the folder first"):
        Outputs(html=str(tmp_path / "new" / "x.html")).check(["a", "b", "c"], single=False)
