"""The folder of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.bench import run_folder
from triptych.bench.run_folder import RunFolder, key
from triptych.record.errors import UsageError

from .hand_made import report


def test_kept_and_found_again(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run", "edits")
    said = report({"style: tone": "same"})
    assert run.kept("abc") is None
    run.keep("abc", said, 1.5)
    assert RunFolder(tmp_path / "run", "edits").kept("abc") == (said, 1.5)


@pytest.mark.parametrize("torn", ["", "{", "[]", '{"seconds": 1}', '{"seconds": 1, "report": {}}'])
def test_what_is_not_whole_does_not_count(tmp_path: Path, torn: str) -> None:
    run = RunFolder(tmp_path, "edits")
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "abc.json").write_text(torn)
    assert run.kept("abc") is None


def test_other_folders_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "scores.json").write_text("mine")
    with pytest.raises(UsageError, match="something else"):
        RunFolder(tmp_path, "edits")
    with pytest.raises(UsageError, match="is a file"):
        RunFolder(tmp_path / "scores.json", "edits")
    RunFolder(tmp_path / "run", "edits")
    with pytest.raises(UsageError, match="something else"):
        RunFolder(tmp_path / "run", "vidic")


def test_the_key_goes_by_videos_settings_and_code(monkeypatch: pytest.MonkeyPatch) -> None:
    first = key(["a", "b"], {"skip": []})
    assert first == key(["a", "b"], {"skip": []})
    others = {key(["b", "a"], {"skip": []}), key(["a", "b"], {"skip": ["text"]})}
    monkeypatch.setattr(run_folder, "_code", lambda: "changed")
    others.add(key(["a", "b"], {"skip": []}))
    assert len(others | {first}) == 4
