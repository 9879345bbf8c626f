"""Fixtures that all tests share."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def clips() -> Path:
    """The folder of real clips; tests that need it are skipped where it is absent.

    It is named by ``TRIPTYCH_CLIPS``, or lies in ``shared/clips`` beside the checkout.
    """
    folder = Path(os.environ.get("TRIPTYCH_CLIPS", ROOT.parent / "shared" / "clips"))
    if not folder.is_dir():
        pytest.skip(f"no real clips: set TRIPTYCH_CLIPS or put them in {folder}")
    return folder


@pytest.fixture(scope="session")
def vidic_data() -> Path:
    """The folder of published ViDiC data; tests that need it are skipped where it is absent.

    It is named by ``TRIPTYCH_DATA`` (its ``vidic`` folder), or lies in ``shared/data`` beside the
    checkout.
    """
    data = os.environ.get("TRIPTYCH_DATA", ROOT.parent / "shared" / "data")
    folder = Path(data) / "vidic"
    if not folder.is_dir():
        pytest.skip(f"no published data: set TRIPTYCH_DATA or put it in {folder}")
    return folder


#: Programs that make the files of some tests, or say what is in them.
PROGRAMS = ("ffmpeg", "ffprobe")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, None, None]:
    """Skip a test whose fixtures start a program that is not there."""
    yield from _skipping()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    """Skip a test that starts a program that is not there."""
    yield from _skipping()


def _skipping() -> Generator[None, None, None]:
    try:
        yield
    except FileNotFoundError as e:
        if e.filename in PROGRAMS:
            pytest.skip(f"the {e.filename} program is not installed: apt-get install ffmpeg")
        raise
