"""``triptych doctor`` says what is there, and what to do about what is not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from triptych.cli import environment
from triptych.cli.environment import Check, checks

from .conftest import Run


def test_this_machine_has_what_is_needed(triptych: Run) -> None:
    done = triptych("doctor")
    assert done.returncode == 0, done.stdout
    assert done.stderr == ""
    for name in ("Python", "PyAV", "decoders", "OpenCV", "on-screen text", "temporary folder"):
        assert any(
            line.startswith("ok ") and f" {name} " in line for line in done.stdout.split("\n")
        )
    assert "\x1b" not in done.stdout


def test_json(triptych: Run) -> None:
    found = json.loads(triptych("doctor", "--json").stdout)
    assert all(set(c) == {"name", "ok", "found", "needed", "advice"} for c in found)
    versions = {c["name"]: c["found"] for c in found}
    assert versions["Python"] == ".".join(map(str, sys.version_info[:3]))
    assert len({c["name"] for c in found}) == len(found)


def test_a_temporary_folder_that_cannot_be_written_is_trouble(
    triptych: Run, tmp_path: Path
) -> None:
    # Python tries /tmp and the current folder where TMPDIR is of no use: none may take a file.
    code = (
        "import os, tempfile; from triptych.cli.app import main\n"
        "tempfile._candidate_tempdir_list = lambda: ['/dev/null/x', '/proc']\n"
        "import sys; sys.argv = ['triptych', 'doctor']; main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2, done.stdout
    (row,) = (r for r in done.stdout.splitlines() if " temporary folder " in r)
    assert row.startswith("missing ")
    assert done.stderr == ""


def test_a_missing_part_is_said_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "_version", lambda package: None)
    monkeypatch.setattr(environment, "_inside", lambda package, name: None)
    found = {c.name: c for c in checks()}
    text, speech = found["on-screen text"], found["speech engine"]
    for name in ("people", "faces"):
        assert (found[name].ok, found[name].needed) == (False, False)
        assert "triptych[people]" in found[name].advice
    assert (text.ok, text.needed, speech.ok, speech.needed) == (False, True, False, False)
    assert "rapidocr" in text.advice
    assert "triptych[speech]" in speech.advice


def test_a_broken_part_is_a_finding_and_not_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)  # as if its library did not load
    found = {c.name: c for c in checks()}
    assert not found["OpenCV"].ok
    assert found["temporary folder"].ok


def test_every_failed_check_has_advice() -> None:
    for check in checks():
        assert isinstance(check, Check)
        if not check.ok:
            assert check.advice, check


def test_the_configuration_and_its_keys_are_looked_at_and_never_shown(
    triptych: Run, tmp_path: Path
) -> None:
    config = tmp_path / "config.toml"
    config.write_text(
        '[keys]\nOPENAI_API_KEY = "sk-secret"\n'
        '[servers.lab]\nurl = "http://127.0.0.1:1/v1"\nkey_env = "LAB_KEY"\n'
    )
    config.chmod(0o644)
    env = {"TRIPTYCH_CONFIG": str(config)}
    told = triptych("doctor", env=env).stdout
    assert "others can read it" in told and "lab wants LAB_KEY" in told
    assert "OPENAI_API_KEY" in told and "sk-secret" not in told
    config.chmod(0o600)
    assert "others can read it" not in triptych("doctor", env=env).stdout
    config.write_text('keys = "sk-secret"')
    told = triptych("doctor", env=env)
    assert "keys is not as it should be" in told.stdout and "sk-secret" not in told.stdout
    assert told.returncode == 0
