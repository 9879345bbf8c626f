"""A frame held as libav's picture, converted when asked for; every reader hands these out."""

from __future__ import annotations

from fractions import Fraction

import av
import cv2
import numpy as np
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter

from triptych.media.colour import Colour, colour_of
from triptych.media.frame import I420, U8
from triptych.media.interlace import deinterlaced
from triptych.media.orientation import Orientation, display_size
from triptych.media.tonemap import luma_table, rgb_to_sdr

#: Limited-range luma (16..235) to full range.
_FULL: U8 = np.clip((np.arange(256) - 16) * (255 / 219) + 0.5, 0, 255).astype(np.uint8)
_PLANAR_8 = ("yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv444p", "yuvj444p", "nv12", "gray")


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


def raw_luma(frame: av.VideoFrame, colour: Colour, scaler: VideoReformatter) -> tuple[U8, int]:
    """Luma as coded (h, w) and the level that is black: no copy where it is planar and 8 bit."""
    # Lines stored bottom up have a negative stride: left to the scaler.
    if frame.format.name in _PLANAR_8 and frame.planes[0].line_size > 0:
        return plane(frame, 0), 0 if colour.range == ColorRange.JPEG else 16
    matrix = Colorspace.ITU709 if colour.rgb else colour.matrix
    same = scaler.reformat(
        frame,
        format="yuv420p",
        src_colorspace=matrix,
        dst_colorspace=matrix,
        src_color_range=colour.range,
        dst_color_range=ColorRange.JPEG,
        interpolation=Interpolation.AREA | Interpolation.ACCURATE_RND,
        threads=1,
    )
    return plane(same, 0), 0


class AvFrame:
    """See :class:`~triptych.media.frame.Frame`; holds on to the decoder's picture."""

    __slots__ = (
        "_combed",
        "_frame",
        "_scalers",
        "_woven",
        "duration",
        "height",
        "orientation",
        "time",
        "width",
    )

    def __init__(
        self,
        frame: av.VideoFrame,
        time: Fraction,
        duration: Fraction | None,
        orientation: Orientation,
        shape: Fraction | None,
        scalers: Scalers,
        combed: bool = False,
    ) -> None:
        self._frame = frame
        self._scalers = scalers
        self._combed = combed
        self._woven: av.VideoFrame | None = None
        self.time = time
        self.duration = duration
        self.orientation = orientation
        self.width, self.height = display_size(frame.width, frame.height, shape, orientation)

    def i420(self, width: int, height: int) -> I420:
        """The frame scaled by area averaging to even ``width`` x ``height``, upright."""
        turned = self.orientation
        w, h = (height, width) if turned.swaps else (width, height)
        # Area averaging over two lines and more mixes the fields by itself.
        picture = self._frame if 2 * h <= self._frame.height else self._picture()
        colour = colour_of(self._frame)
        if colour.hdr:
            picture = av.VideoFrame.from_ndarray(self._mapped(picture, w, h, colour), "rgb24")
            colour = colour_of(picture)
        small = self._scalers.small.reformat(
            picture,
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
        picture, colour = self._picture(), colour_of(self._frame)
        y, black = raw_luma(picture, colour, self._scalers.native)
        if black:
            y = np.asarray(cv2.LUT(y, _FULL), np.uint8)
        if colour.hdr:
            y = np.asarray(cv2.LUT(y, luma_table(colour.hdr)), np.uint8)
        return self.orientation.apply(y)

    def rgb(self, max_side: int | None = None) -> U8:
        """(h, w, 3) uint8 at display size, or scaled down to ``max_side``."""
        width, height = self.width, self.height
        if max_side is not None and max(width, height) > max_side:
            scale = max_side / max(width, height)
            width, height = max(1, round(width * scale)), max(1, round(height * scale))
        w, h = (height, width) if self.orientation.swaps else (width, height)
        colour = colour_of(self._frame)
        if colour.hdr:
            return self.orientation.apply(self._mapped(self._picture(), w, h, colour))
        return self.orientation.apply(self._scaled_rgb(self._picture(), w, h, "rgb24", colour))

    def _picture(self) -> av.VideoFrame:
        """The decoder's picture, or once it is woven apart, that."""
        if not self._combed:
            return self._frame
        if self._woven is None:
            self._woven = deinterlaced(self._frame)
        return self._woven

    def _mapped(self, picture: av.VideoFrame, w: int, h: int, colour: Colour) -> U8:
        rgb16 = self._scaled_rgb(picture, w, h, "rgb48le", colour).view("<u2")
        return rgb_to_sdr(rgb16, colour.hdr or "")

    def _scaled_rgb(self, picture: av.VideoFrame, w: int, h: int, name: str, colour: Colour) -> U8:
        scaled = self._scalers.rgb.reformat(
            picture,
            w,
            h,
            name,
            src_colorspace=colour.matrix,
            src_color_range=colour.range,
            dst_color_range=ColorRange.JPEG,
            interpolation=Interpolation.AREA | Interpolation.ACCURATE_RND,
            threads=1,
        )
        wide = 3 if name == "rgb24" else 6
        rows = np.frombuffer(memoryview(scaled.planes[0]), np.uint8).reshape(h, -1)
        return np.ascontiguousarray(rows[:, : w * wide].reshape(h, w, wide))
