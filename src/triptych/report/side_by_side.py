"""Both videos in one picture, aligned: for each moment of A the moment of B that shows the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np

from triptych.media.frame import U8
from triptych.record.errors import UsageError
from triptych.record.files import atomic_path
from triptych.record.report import Media, Report, Span
from triptych.report import text as t
from triptych.report.captions import STRIP, blank, boxed, strip
from triptych.report.frame_server import FrameServer
from triptych.report.mp4 import SOUND_RATE, Mp4Writer
from triptych.report.proxy import Sound
from triptych.report.sources import Progress, Sources, opened
from triptych.report.times import span_at, through

#: Longest side of one picture, pixels, and most pictures per second.
PANE_SIDE = 640
MAX_FPS = 30
#: A box stays at least this long, seconds, or nobody sees it.
BOX_S = 0.6
_GAP = 4
#: Two 16:9 pictures are as far from 16:9 either way; eyes compare more easily left and right.
_TIE = 0.1

Boxes = list[tuple[tuple[float, float, float, float], str]]


@dataclass(frozen=True, slots=True)
class Layout:
    """Sizes (width, height) of both pictures in pixels, and whether they stand side by side."""

    a: tuple[int, int]
    b: tuple[int, int]
    beside: bool

    @property
    def size(self) -> tuple[int, int]:
        """Of the whole, strips and gap included; even, as the encoder needs it."""
        (aw, ah), (bw, bh) = self.a, self.b
        if self.beside:
            return aw + _GAP + bw, STRIP + max(ah, bh)
        return max(aw, bw), 2 * STRIP + ah + _GAP + bh


def layout(a: Media, b: Media) -> Layout:
    """Side by side or stacked, whichever is nearer in shape to a 16:9 screen."""
    sizes = [(m.display_width or 640, m.display_height or 360) for m in (a, b)]
    shapes = [w / h for w, h in sizes]
    wide, tall = sum(shapes), 1 / sum(1 / s for s in shapes)
    beside = abs(math.log(wide / (16 / 9))) <= abs(math.log(tall / (16 / 9))) + _TIE
    if beside:
        height = min([max(h for _, h in sizes), PANE_SIDE, *(PANE_SIDE / s for s in shapes)])
        panes = [(_even(height * s), _even(height)) for s in shapes]
    else:
        width = min([max(w for w, _ in sizes), PANE_SIDE, *(PANE_SIDE * s for s in shapes)])
        panes = [(_even(width), _even(width / s)) for s in shapes]
    return Layout(panes[0], panes[1], beside)


def _even(value: float) -> int:
    return max(2, 2 * round(value / 2))


def write_side_by_side(
    report: Report,
    path: str | Path,
    *,
    progress: Progress | None = None,
    sources: Sources | None = None,
) -> None:
    """Write an mp4 (H.264, A's sound as AAC) with A left or above and B right or below.

    It runs in A's time. B shows the frame that the alignment's spans give, backwards too, and
    says so where it shows nothing of A; videos that do not match run from the same time. Findings
    with boxes are drawn while their evidence lasts. Memory stays flat in duration. Raises
    :class:`~triptych.record.errors.SourceError` where a video cannot be read any more and
    :class:`~triptych.record.errors.OutputError` where ``path`` cannot be written.
    """
    if Path(path).suffix.lower() != ".mp4":
        raise UsageError(f"{t.name(str(path))}: a side-by-side video is an mp4; name it *.mp4")
    a, b = report.videos[:2]
    with ExitStack() as stack:
        video_a = stack.enter_context(opened(a, sources))
        video_b = stack.enter_context(opened(b, sources))
        plan = layout(a, b)
        rate = Fraction(min(a.fps or 25, MAX_FPS)).limit_denominator(1001)
        target = stack.enter_context(atomic_path(path))
        server_a = FrameServer(video_a, plan.a)
        server_b = FrameServer(video_b, plan.b)
        server_a.at(0.0)  # the sound's clock starts at the first frame
        sound = Sound(video_a.sound(SOUND_RATE))
        draw = _Composer(report, plan)
        duration = max(a.duration_s or 0.0, 1 / float(rate))
        with Mp4Writer(
            target, plan.size, rate, crf=20, sound_bitrate=96_000 if sound.present else None
        ) as out:
            for i in range(max(1, math.ceil(duration * float(rate) - 1e-6))):
                time = i / float(rate)
                match = draw.match(time)
                picture_b = None
                if match is not None:
                    tb, span = match
                    back = span is not None and span.direction == "reverse"
                    floor = min(span.b) if span is not None else 0.0
                    picture_b = server_b.at(tb, reverse=back, floor=floor)
                out.add_picture(
                    draw.frame(time, server_a.at(time), match[0] if match else None, picture_b)
                )
                for block in sound.until(time):
                    out.add_sound(block.time, block.samples)
                if progress is not None:
                    progress("side by side", min(1.0, time / duration))
        for video in (video_a, video_b):
            video.check_unchanged()


class _Composer:
    """Puts strips, pictures and boxes of both videos into one picture."""

    def __init__(self, report: Report, plan: Layout) -> None:
        self.report = report
        self.plan = plan
        self.a, self.b = report.videos[:2]
        self.spans: Sequence[Span] = report.alignment.spans if report.alignment.matched else ()
        self._blank_b = blank(plan.b, "nothing of this in B")
        self._strip: Callable[[str, str, str, int], U8] = lru_cache(maxsize=8)(strip)

    def match(self, time: float) -> tuple[float, Span | None] | None:
        """Time in B of A's ``time`` and the span that says so; ``None`` where B lacks it."""
        if not self.spans:
            return (time, None) if time < (self.b.duration_s or 0.0) else None
        span = span_at(self.spans, time)
        return None if span is None else (through(span, time), span)

    def frame(self, time: float, a: U8, time_b: float | None, b: U8 | None) -> U8:
        """One picture of the whole, uint8 (h, w, 3)."""
        width, height = self.plan.size
        canvas = np.full((height, width, 3), 12, np.uint8)
        a = boxed(a, self.boxes(self.a, time))
        b = self._blank_b if b is None or time_b is None else boxed(b, self.boxes(self.b, time_b))
        x, y = (self.plan.a[0] + _GAP, 0) if self.plan.beside else (0, STRIP + len(a) + _GAP)
        self._put(canvas, 0, 0, self.a, t.clock(time), a)
        self._put(canvas, x, y, self.b, "" if time_b is None else t.clock(time_b), b)
        return canvas

    def _put(self, canvas: U8, x: int, y: int, media: Media, time: str, picture: U8) -> None:
        h, w = picture.shape[:2]
        canvas[y : y + STRIP, x : x + w] = self._strip(media.id, t.name(media.path), time, w)
        canvas[y + STRIP : y + STRIP + h, x : x + w] = picture

    def boxes(self, media: Media, time: float) -> Boxes:
        """What to box in that video at that time."""
        found: Boxes = []
        w, h = media.display_width, media.display_height
        if not w or not h:
            return found
        for f in self.report.findings:
            for e in f.evidence:
                if e.box is None or e.video != media.id or f.relation == "same":
                    continue
                if e.start_s - 1e-6 <= time <= max(e.end_s, e.start_s + BOX_S):
                    left, top = max(e.box[0], 0.0), max(e.box[1], 0.0)
                    right, bottom = min(e.box[0] + e.box[2], w), min(e.box[1] + e.box[3], h)
                    if right > left and bottom > top:
                        found.append(((left / w, top / h, right / w, bottom / h), f.aspect))
        return found
