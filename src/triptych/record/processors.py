"""How many processors there are for this process."""

from __future__ import annotations

import os


def processors() -> int:
    """Processors that this process may use, at least 1; a container may allow fewer than exist."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
