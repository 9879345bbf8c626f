"""What is compared is never written over, by whatever name it was given."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.cli.outputs import Outputs
from triptych.diff.folders import is_folder_of_videos
from triptych.record.errors import UsageError


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


def test_a_new_file_beside_the_videos_may_be_written(tmp_path: Path) -> None:
    (tmp_path / "renders").mkdir()
    new = tmp_path / "renders" / "report.json"
    _outputs(new).check([str(tmp_path / "renders"), "b.mp4"], single=True)


def test_a_name_too_long_for_a_file_is_no_folder() -> None:
    assert not is_folder_of_videos("y" * 300)
