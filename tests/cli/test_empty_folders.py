"""Folders in which there is nothing to compare: which one, and what was looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import FAST, Run


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A folder that holds everything but videos."""
    folder = tmp_path / "empty"
    (folder / "sub").mkdir(parents=True)
    (folder / "readme.txt").write_text("nothing to see")
    return folder


def test_two_folders_without_videos(triptych: Run, empty: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    done = triptych("diff", empty, tmp_path / "other")
    assert (done.returncode, done.stdout) == (2, "")
    said = f"triptych: {empty}: no videos in it, nor in {tmp_path / 'other'} (looked for files"
    assert done.stderr.startswith(said) and done.stderr.count("\n") == 1
    assert ".mp4" in done.stderr and "numbered images" in done.stderr


def test_one_of_two_folders_without_videos(
    triptych: Run, empty: Path, tmp_path: Path, base: Path
) -> None:
    """All is only in the other, as it should be said; but the name may be a wrong one."""
    full = tmp_path / "full"
    full.mkdir()
    (full / "a.mp4").write_bytes(base.read_bytes())
    for a, b, side in ((empty, full, "B"), (full, empty, "A")):
        done = triptych("diff", a, b, *FAST)
        assert (done.returncode, done.stdout) == (1, f"only in {side}  a.mp4\n")
        assert f"triptych: {empty}: no videos in it (looked for files" in done.stderr
        assert str(full) not in done.stderr


@pytest.mark.parametrize("more", [0, 1])
def test_a_folder_without_videos_beside_files(
    triptych: Run, empty: Path, base: Path, more: int
) -> None:
    done = triptych("diff", base, empty, *[base] * more)
    assert done.returncode == 2
    assert done.stderr.startswith(f"triptych: {empty}: no video in it (looked for files")
