"""While a video is decoded once, keep the frames in which text should be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from triptych.measure.series import ThinnedSeries
from triptych.measure.text_regions import Look, changed, look
from triptych.media.frame import I420, U8, Frame

#: Seconds between two looks: text that people are meant to read stands for a second or more.
STEP = 0.5
#: Longest side of a kept picture, pixels: text of 4 % of a 720p picture's height is 29 px high.
KEPT_SIDE = 1280
#: JPEG quality of kept pictures. Text read the same from 95 as from the frame in all tuning clips.
QUALITY = 95
#: Pictures kept at most: 4 minutes at 2 per second, about 100 MB of 720p; a longer video is
#: thinned evenly.
KEPT_CAP = 480


@dataclass(frozen=True, slots=True)
class TextFrames:
    """The frames to read, in order.

    ``times`` (n,) seconds and ``pictures`` (n,) JPEG bytes. ``looks`` are all moments looked at,
    each with the index of the picture that shows what stood there then: the same one where
    nothing had changed, -1 where the frame could not hold text, -2 where its picture was thinned
    out. ``scale`` is kept pixels per display pixel, ``step`` seconds between looks at the end.
    """

    times: Sequence[float]
    pictures: Sequence[bytes]
    looks: Sequence[tuple[float, int]]
    width: int
    height: int
    scale: float
    step: float

    def picture(self, index: int) -> U8:
        """Picture ``index`` as BGR, uint8 (h, w, 3)."""
        data = np.frombuffer(self.pictures[index], np.uint8)
        decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
        if decoded is None:
            raise ValueError(f"kept picture {index} cannot be decoded")
        return np.asarray(decoded, np.uint8)

    def shown_at(self, time: float, slack: float) -> int:
        """Index of the picture that shows what stood at ``time``; -1: no text, -2: not known."""
        times = [t for t, _ in self.looks]
        if not times:
            return -2
        i = int(np.argmin(np.abs(np.asarray(times) - time)))
        return self.looks[i][1] if abs(times[i] - time) <= slack else -2


class TextSampler:
    """An :class:`~triptych.measure.survey.Observer`; :meth:`frames` is what it kept."""

    def __init__(self, cap: int = KEPT_CAP, step: float = STEP) -> None:
        self._kept: ThinnedSeries[tuple[float, bytes]] = ThinnedSeries(cap)
        self._step = step
        self._moment = 0.0
        self._looks: list[tuple[float, float | None]] = []
        self._last: Look | None = None
        self._due = 0.0
        self._size = (0, 0)
        self._scale = 1.0

    def observe(self, time: float, frame: Frame, picture: I420) -> None:
        """Look at the frame if it is time to; keep it if it may hold text that is new."""
        if time < self._due - 0.001:
            return
        # Moments are multiples of the step, so that two videos are looked at at the same ones.
        step = max(self._step, self._kept.step)
        n = int((time + 0.001) / step)
        self._moment, self._due = n * step, (n + 1) * step
        now = look(picture)
        if not now.may_hold_text:
            self._last = None
            self._looks.append((time, None))
        elif self._last is not None and not changed(self._last, now):
            self._looks.append((time, self._looks[-1][1]))
        else:
            self._last = now
            self._keep(time, frame)

    def _keep(self, time: float, frame: Frame) -> None:
        self._size = (frame.width, frame.height)
        self._scale = min(1.0, KEPT_SIDE / max(frame.width, frame.height))
        rgb = frame.rgb(KEPT_SIDE)
        bgr = cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR)
        _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        # Filed under the even moment: frame times around it must not make one look "too early".
        self._kept.add(self._moment, (time, data.tobytes()))
        self._looks.append((time, time))

    def frames(self) -> TextFrames:
        """What was kept so far."""
        times = [t for t, _ in self._kept.items]
        index = {t: i for i, t in enumerate(times)}
        looks = [(t, -1 if at is None else index.get(at, -2)) for t, at in self._looks]
        return TextFrames(
            times=tuple(times),
            pictures=tuple(p for _, p in self._kept.items),
            looks=tuple(looks),
            width=self._size[0],
            height=self._size[1],
            scale=self._scale,
            step=max(self._step, self._kept.step),
        )
