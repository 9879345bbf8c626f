"""Between I420 (limited-range BT.709) and RGB, by libswscale."""

from __future__ import annotations

import threading

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter

from triptych.make.clip import U8

#: Without exact rounding each way and back darkens luma by a level, which is an edit of its own.
_EXACT = Interpolation.BILINEAR | Interpolation.ACCURATE_RND | Interpolation.FULL_CHR_H_INT
_OWN = threading.local()


def _reformatter() -> VideoReformatter:
    """One for each thread: it keeps its tables from one call to the next."""
    if not hasattr(_OWN, "reformatter"):
        _OWN.reformatter = VideoReformatter()
    found: VideoReformatter = _OWN.reformatter
    return found


def to_rgb(frame: U8, range_: ColorRange = ColorRange.MPEG) -> U8:
    """RGB (h, w, 3) of an I420 picture; ``range_`` is JPEG where luma goes from 0 to 255."""
    picture = av.VideoFrame.from_ndarray(frame, format="yuv420p")
    out = _reformatter().reformat(
        picture,
        format="rgb24",
        interpolation=_EXACT,
        threads=1,
        src_colorspace=Colorspace.ITU709,
        dst_colorspace=Colorspace.ITU709,
        src_color_range=range_,
        dst_color_range=ColorRange.JPEG,
    )
    return np.asarray(out.to_ndarray(), np.uint8)


def to_i420(rgb: U8) -> U8:
    """The I420 picture of RGB (h, w, 3); ``h`` and ``w`` even."""
    picture = av.VideoFrame.from_ndarray(rgb, format="rgb24")
    out = _reformatter().reformat(
        picture,
        format="yuv420p",
        interpolation=_EXACT,
        threads=1,
        src_colorspace=Colorspace.ITU709,
        dst_colorspace=Colorspace.ITU709,
        src_color_range=ColorRange.JPEG,
        dst_color_range=ColorRange.MPEG,
    )
    return np.asarray(out.to_ndarray(), np.uint8)
