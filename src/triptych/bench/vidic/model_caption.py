"""A model as the participant: it sees uniform frames of both videos and the prompt, no more."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import anyio

from triptych import media
from triptych.bench.vidic.captions import Caption
from triptych.bench.vidic.load import video
from triptych.bench.vidic.protocol import Protocol
from triptych.bench.vidic.records import Pair
from triptych.bench.vidic.shown import MOST_FRAMES, Shown
from triptych.models import Endpoint, FrameStore, Part, Reply, shown, uniform_times, user
from triptych.record.errors import SourceError

#: Decoding takes a core each; frames of more videos at once would only wait for one another.
_CUTTERS = 2


@dataclass(frozen=True, slots=True)
class ModelCaptioner:
    """Captions pairs of ``folder``; frames are cut once a video and shared by all models."""

    endpoint: Endpoint
    protocol: Protocol
    frames: FrameStore
    folder: Path
    how: Shown
    cutting: anyio.CapacityLimiter

    async def __call__(self, pair: Pair) -> tuple[Caption, list[Reply]]:
        """The caption of ``pair``: what cannot be seen or said is a reason, never an error."""
        if pair.wrong is not None:
            return Caption(failed=pair.wrong), []
        try:
            a = await self._parts(pair.a, "A")
            b = await self._parts(pair.b, "B")
        except SourceError as e:
            return Caption(failed=str(e)), []
        seen = [*b, *a] if self.how.reverse else [*a, *b]
        message = user(*seen, self.protocol.caption)
        reply = await self.endpoint.generate([message], self.how.settings)
        if not reply.ok:
            return Caption(failed=f"the model could not be asked: {reply.error}"), [reply]
        if reply.refused:
            return Caption(failed="the model refused"), [reply]
        return Caption(text=reply.text, cut=reply.stop == "length"), [reply]

    async def _parts(self, name: str, label: str) -> list[Part]:
        return await anyio.to_thread.run_sync(self._cut, name, label, limiter=self.cutting)

    def _cut(self, name: str, label: str) -> list[Part]:
        path = video(self.folder, name)
        with media.open(path) as source:
            length = source.media.duration_s or 0.0
        times = uniform_times(length, self.how.frames, self.how.fps, MOST_FRAMES)
        return shown(self.frames.cut(path, label, times, self.how.size, self.how.perturbed))


def captioner(
    endpoint: Endpoint, protocol: Protocol, frames: Path, folder: Path, how: Shown
) -> ModelCaptioner:
    """``frames`` is where cut frames are kept."""
    limit = anyio.CapacityLimiter(_CUTTERS)
    return ModelCaptioner(endpoint, protocol, FrameStore(frames), folder, how, limit)
