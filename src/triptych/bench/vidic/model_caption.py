"""A model as the participant: it sees uniform frames of both videos and the prompt, no more.

Where it is asked for, and labelled, it sees the whole files, or what was measured as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from triptych import media
from triptych.bench.vidic.captions import Caption
from triptych.bench.vidic.load import video
from triptych.bench.vidic.local import Measured
from triptych.bench.vidic.protocol import Protocol
from triptych.bench.vidic.records import Pair
from triptych.bench.vidic.shown import MOST_FRAMES, Shown
from triptych.diff.written import Writing, prompt
from triptych.diff.written_input import facts, look
from triptych.models import (
    Endpoint,
    FrameStore,
    Message,
    Part,
    Reply,
    Text,
    shown,
    uniform_times,
    user,
    whole,
)
from triptych.record.errors import SourceError

#: Decoding takes a core each; frames of more videos at once would only wait for one another.
_CUTTERS = 2


@dataclass(frozen=True, slots=True)
class ModelCaptioner:
    """Captions pairs of ``folder``; frames are cut once a video and shared by all models.

    ``measured`` holds the reports of an assisted participant's pairs by their positions.
    """

    endpoint: Endpoint
    protocol: Protocol
    frames: FrameStore
    folder: Path
    how: Shown
    cutting: anyio.CapacityLimiter
    measured: Mapping[int, Measured] = field(default_factory=dict)

    async def __call__(self, pair: Pair) -> tuple[Caption, list[Reply]]:
        """The caption of ``pair``: what cannot be seen or said is a reason, never an error."""
        message = await self.asked(pair)
        if isinstance(message, str):
            return Caption(failed=message), []
        reply = await self.endpoint.generate([message], self.how.settings)
        return caption_of(reply), [reply]

    async def asked(self, pair: Pair) -> Message | str:
        """What the model is sent about ``pair``, or the reason that it cannot be."""
        if pair.wrong is not None:
            return pair.wrong
        try:
            a, b, told = await anyio.to_thread.run_sync(self._seen, pair, limiter=self.cutting)
        except SourceError as e:
            return str(e)
        seen = [*b, *a] if self.how.reverse else [*a, *b]
        return user(*told, *seen, self.protocol.caption)

    def _seen(self, pair: Pair) -> tuple[list[Part], list[Part], list[Part]]:
        """Video A, Video B, and what is said before them."""
        paths = (video(self.folder, pair.a), video(self.folder, pair.b))
        if self.how.assisted:
            return self._assisted(pair, paths)
        return self._parts(paths[0], "A"), self._parts(paths[1], "B"), []

    def _parts(self, path: Path, label: str) -> list[Part]:
        if self.how.whole:
            return [Text(f"Video {label}:"), whole(path, label, self.how.fps)]
        with media.open(path) as source:
            length = source.media.duration_s or 0.0
        times = uniform_times(length, self.how.frames, self.how.fps, MOST_FRAMES)
        return shown(self.frames.cut(path, label, times, self.how.size, self.how.perturbed))

    def _assisted(
        self, pair: Pair, paths: tuple[Path, Path]
    ) -> tuple[list[Part], list[Part], list[Part]]:
        """The moments and the facts that ``diff --model`` gives; the question stays the set's."""
        report, why = self.measured.get(pair.position, (None, "it was not measured"))
        if report is None:
            raise SourceError(pair.key, f"nothing to assist with: {why}")
        how = self.how
        writing = Writing(frames=how.frames, fps=how.fps, size=how.size, whole=how.whole)
        looked = look(report, (str(paths[0]), str(paths[1])), self.frames, writing)
        told: list[Part] = [Text(f"{prompt('facts')}\n{facts(report)}")]
        if how.whole:
            both: list[list[Part]] = [[Text(f"Video {n}:"), looked.clips[n]] for n in "AB"]
            return both[0], both[1], told
        return shown(looked.pictures["A"]), shown(looked.pictures["B"]), told


def caption_of(reply: Reply) -> Caption:
    """What ``reply`` says of a pair, or why it says nothing."""
    if not reply.ok:
        return Caption(failed=f"the model could not be asked: {reply.error}")
    if reply.refused:
        return Caption(failed="the model refused")
    return Caption(text=reply.text, cut=reply.stop == "length")


def captioner(
    endpoint: Endpoint, protocol: Protocol, frames: Path, folder: Path, how: Shown,
    measured: Mapping[int, Measured] | None = None,
) -> ModelCaptioner:  # fmt: skip
    """``frames`` is where cut frames are kept."""
    limit = anyio.CapacityLimiter(_CUTTERS)
    return ModelCaptioner(
        endpoint, protocol, FrameStore(frames), folder, how, limit, measured or {}
    )
