"""Fixtures that all tests share."""

from __future__ import annotations

import os
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
