"""A frame that PyAV decoded."""

from __future__ import annotations

from fractions import Fraction

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter

from triptych.media.colour import colour_of
from triptych.media.frame import I420, U8
from triptych.media.orientation import Orientation, display_size


class Scalers:
    """One scaler a use, so that none is set up anew for every frame. Not for several threads."""

    def __init__(self) -> None:
        self.small = VideoReformatter()
        self.native = VideoReformatter()
        self.rgb = VideoReformatter()


def plane(frame: av.VideoFrame, index: int) -> U8:
    """Plane ``index`` of an 8-bit planar frame as (h, w), without a copy."""
    p = frame.planes[index]
    rows: U8 = np.frombuffer(memoryview(p), np.uint8).reshape(p.height, p.line_size)
    return rows[:, : p.width]


class AvFrame:
    """See :class:`~triptych.media.frame.Frame`; holds on to the decoder's picture."""

    __slots__ = ("_frame", "_scalers", "duration", "height", "orientation", "time", "width")

    def __init__(
        self,
        frame: av.VideoFrame,
        time: Fraction,
        duration: Fraction | None,
        orientation: Orientation,
        shape: Fraction | None,
        scalers: Scalers,
    ) -> None:
        self._frame = frame
        self._scalers = scalers
        self.time = time
        self.duration = duration
        self.orientation = orientation
        self.width, self.height = display_size(frame.width, frame.height, shape, orientation)

    def i420(self, width: int, height: int) -> I420:
        """The frame scaled by area averaging to even ``width`` x ``height``, upright."""
        turned = self.orientation
        w, h = (height, width) if turned.swaps else (width, height)
        colour = colour_of(self._frame)
        small = self._scalers.small.reformat(
            self._frame,
            w,
            h,
            "yuv420p",
            src_colorspace=colour.matrix,
            dst_colorspace=Colorspace.ITU709,
            src_color_range=colour.range,
            dst_color_range=ColorRange.JPEG,
            interpolation=Interpolation.AREA,
            threads=1,
        )
        y, u, v = (turned.apply(plane(small, i)) for i in range(3))
        return I420(y, u, v)

    def luma(self) -> U8:
        """Luma at coded resolution, upright and full range, (h, w)."""
        colour = colour_of(self._frame)
        same = self._scalers.native.reformat(
            self._frame,
            format="yuv420p",
            src_colorspace=colour.matrix,
            dst_colorspace=colour.matrix,
            src_color_range=colour.range,
            dst_color_range=ColorRange.JPEG,
            interpolation=Interpolation.AREA,
            threads=1,
        )
        return self.orientation.apply(plane(same, 0))

    def rgb(self, max_side: int | None = None) -> U8:
        """(h, w, 3) uint8 at display size, or scaled down to ``max_side``."""
        width, height = self.width, self.height
        if max_side is not None and max(width, height) > max_side:
            scale = max_side / max(width, height)
            width, height = max(1, round(width * scale)), max(1, round(height * scale))
        w, h = (height, width) if self.orientation.swaps else (width, height)
        colour = colour_of(self._frame)
        picture = self._scalers.rgb.reformat(
            self._frame,
            w,
            h,
            "rgb24",
            src_colorspace=colour.matrix,
            src_color_range=colour.range,
            dst_color_range=ColorRange.JPEG,
            interpolation=Interpolation.AREA,
            threads=1,
        )
        rows = np.frombuffer(memoryview(picture.planes[0]), np.uint8).reshape(h, -1)
        return self.orientation.apply(np.ascontiguousarray(rows[:, : w * 3].reshape(h, w, 3)))
