"""What ``triptych diff --model`` is asked for."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from triptych.record.errors import UsageError

if TYPE_CHECKING:
    from triptych.diff.written import Writing
    from triptych.models import Endpoint, FrameStore
    from triptych.record.report import Report


@dataclass(frozen=True, slots=True)
class Asked:
    """The options as given; see :class:`triptych.diff.written.Writing`."""

    model: str
    frames: int | None = None
    sample_fps: float | None = None
    size: str | None = None
    whole_video: bool = False
    unaided: bool = False
    check_order: bool = False
    repair: bool = False
    temperature: float | None = None
    max_tokens: int | None = None
    dry_run: bool = False
    budget: float | None = None
    prices: str | None = None
    cache: str | None = None

    def check(self) -> None:
        """Refuse early, before anything is measured. Raises a ``TriptychError``."""
        from triptych.models import uniform_times

        uniform_times(1.0, self.frames, self.sample_fps)
        self._writing()
        self._endpoint()

    def estimate(self, report: Report, paths: tuple[str, str]) -> str:
        """One line: what asking is expected to take; nothing is sent."""
        import anyio

        from triptych.diff.written import estimate

        total = anyio.run(estimate, report, paths, self._endpoint(), self._store(), self._writing())
        return total.told(self.model)

    def write(self, report: Report, paths: tuple[str, str]) -> tuple[Report, list[str]]:
        """The report with the model's findings, and lines on what that took."""
        import anyio

        from triptych.diff.written import write

        end = self._endpoint()

        async def work() -> tuple[Report, list[str]]:
            try:
                told, replies = await write(report, paths, end, self._store(), self._writing())
            finally:
                await end.close()
            stored = sum(r.stored for r in replies)
            costs = [r.cost for r in replies if not r.stored and r.cost is not None]
            used = [r.usage for r in replies if r.usage is not None]
            line = (
                f"{self.model}: {len(replies)} calls ({stored} of them made before), "
                f"{sum(u.input for u in used)} tokens in, {sum(u.output for u in used)} out, "
                f"{sum(costs):.4f} dollars now, {sum(r.retries.total for r in replies)} retries"
            )
            return told, [line]

        return anyio.run(work)

    def _endpoint(self) -> Endpoint:
        from triptych.models import Budget, Prices, endpoint

        return endpoint(
            self.model,
            "policy",
            calls=cache_folder(self.cache) / "calls",
            prices=Prices(self.prices),
            budget=Budget(self.budget) if self.budget is not None else None,
            only_counted=self.dry_run,
        )

    def _store(self) -> FrameStore:
        from triptych.models import FrameStore

        return FrameStore(cache_folder(self.cache) / "frames")

    def _writing(self) -> Writing:
        from triptych.diff.written import Writing
        from triptych.models import Settings

        return Writing(
            frames=self.frames,
            fps=self.sample_fps,
            size=read_size(self.size),
            whole=self.whole_video,
            unaided=self.unaided,
            check_order=self.check_order,
            repair=self.repair,
            settings=Settings(temperature=self.temperature, max_tokens=self.max_tokens),
        )


def cache_folder(given: str | None) -> Path:
    """Where calls and frames are kept: ``given``, or the user's folder for such things."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(given) if given else Path(home) / "triptych"


def read_size(given: str | None) -> int | tuple[int, int] | None:
    """The longest side in pixels, or width and height; raises :class:`UsageError`."""
    if given is None:
        return 640
    found = re.fullmatch(r"([1-9]\d{1,3})(?:x([1-9]\d{1,3}))?", given)
    if found is None:
        raise UsageError(
            f"--size: {given!r} is no size; give the longest side in pixels, or WIDTHxHEIGHT"
        )
    width, height = found.groups()
    return int(width) if height is None else (int(width), int(height))
