"""Frames for the cards, and the proxy, from one forward pass over a video."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from PIL import Image

from triptych.media.frame import Frame
from triptych.media.video import Video
from triptych.report.proxy import Plan, ProxyMaker
from triptych.report.sources import Progress

#: Longest side of a still, pixels, and its JPEG quality; photographs take 20 to 70 KB so.
STILL_SIDE = 640
STILL_QUALITY = 80
#: Evidence times are rounded to the microsecond; the frame meant may begin just after.
_ROUNDING_S = 2e-6


@dataclass(frozen=True, slots=True, order=True)
class Shot:
    """A frame wanted: the one on screen at ``time`` seconds, its longest side in pixels."""

    time: float
    side: int = STILL_SIDE


@dataclass(slots=True)
class Captured:
    """What was taken: JPEG files by what was asked for, and the proxy (mp4) if one was made."""

    stills: dict[Shot, bytes] = field(default_factory=dict)
    proxy: bytes | None = None
    plan: Plan | None = None


def capture(
    video: Video,
    shots: Sequence[Shot],
    plan: Plan | None = None,
    *,
    progress: Progress | None = None,
) -> Captured:
    """Take each of ``shots``, and a proxy after ``plan``.

    One pass in presentation order, no seeking; it stops as soon as all is taken. A time before
    the first frame or after the last gets that one. Raises what ``video.frames()`` raises.
    """
    taken = Captured(plan=plan)
    waiting = sorted(set(shots), reverse=True)
    maker: ProxyMaker | None = None
    total = video.media.duration_s or 0.0
    held: Frame | None = None
    try:
        for frame in video.frames():
            if held is None and plan is not None:
                maker = ProxyMaker(video, plan, frame)
            if held is not None:
                _show(held, float(frame.time), waiting, maker, taken)
            held = frame
            if progress is not None and total:
                progress(f"frames of {video.media.id}", min(1.0, float(frame.time) / total))
            if not waiting and (maker is None or maker.wanted is None):
                video.check_unchanged()
                break
        if held is not None:
            _show(held, math.inf, waiting, maker, taken)
        if maker is not None:
            taken.proxy, maker = maker.finish(), None
    finally:
        if maker is not None:
            maker.abandon()
    return taken


def _show(
    frame: Frame,
    until: float,
    waiting: list[Shot],
    maker: ProxyMaker | None,
    taken: Captured,
) -> None:
    """``frame`` is on screen until ``until``: take what is wanted of it."""
    while waiting and waiting[-1].time < until - _ROUNDING_S:
        shot = waiting.pop()
        taken.stills[shot] = jpeg(frame, shot.side)
    if maker is not None:
        maker.show(frame, until)


def jpeg(frame: Frame, side: int = STILL_SIDE) -> bytes:
    """``frame`` as a JPEG file, its longest side at most ``side`` pixels."""
    out = io.BytesIO()
    Image.fromarray(frame.rgb(max_side=side)).save(out, "JPEG", quality=STILL_QUALITY)
    return out.getvalue()


def shrink(stills: dict[Shot, bytes], budget: int) -> dict[Shot, bytes]:
    """``stills`` made smaller, all alike, until they fit into ``budget`` bytes together."""
    share = 1.0
    small = stills
    while share > 0.2 and sum(map(len, small.values())) > budget:
        share *= 0.8
        small = {shot: _resized(data, share) for shot, data in stills.items()}
    return small


def _resized(data: bytes, share: float) -> bytes:
    out = io.BytesIO()
    with Image.open(io.BytesIO(data)) as picture:
        w, h = (max(1, round(n * share)) for n in picture.size)
        picture.resize((w, h), Image.Resampling.BOX).save(out, "JPEG", quality=STILL_QUALITY - 8)
    return out.getvalue()
