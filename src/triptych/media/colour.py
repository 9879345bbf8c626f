"""Colour as the file states it, or as players assume it where the file is silent."""

from __future__ import annotations

from dataclasses import dataclass

import av
from av.video.reformatter import ColorRange, Colorspace, ColorTrc

# H.273 code points of MatrixCoefficients, by swscale's names for the same matrices.
_MATRICES = {
    1: Colorspace.ITU709,
    4: Colorspace.FCC,
    5: Colorspace.ITU601,
    6: Colorspace.ITU601,
    7: Colorspace.SMPTE240M,
    9: Colorspace.BT2020,
    10: Colorspace.BT2020,
}
_HDR = {int(ColorTrc.SMPTE2084): "PQ", int(ColorTrc.ARIB_STD_B67): "HLG"}
#: Untagged pictures of at least this height are taken to be BT.709, as players do.
HD_HEIGHT = 720


@dataclass(frozen=True, slots=True)
class Colour:
    """How a frame's samples are to be read: matrix and range, and "PQ" or "HLG" if it is HDR."""

    matrix: Colorspace
    range: ColorRange
    hdr: str | None
    rgb: bool = False


def is_rgb(name: str) -> bool:
    """Whether a pixel format holds red, green and blue rather than luma and chroma."""
    return name.startswith(("rgb", "bgr", "gbr", "argb", "abgr", "0rgb", "0bgr", "pal8", "x2rgb"))


def colour_of(frame: av.VideoFrame) -> Colour:
    """The colour of ``frame``: its tags, or what players assume where there are none."""
    name = frame.format.name
    default = Colorspace.ITU709 if frame.height >= HD_HEIGHT else Colorspace.ITU601
    full = (
        frame.color_range == ColorRange.JPEG
        or name.startswith("yuvj")
        or is_rgb(name)
        or (name.startswith("gray") and frame.color_range != ColorRange.MPEG)
    )
    return Colour(
        Colorspace.ITU709 if is_rgb(name) else _MATRICES.get(int(frame.colorspace), default),
        ColorRange.JPEG if full else ColorRange.MPEG,
        _HDR.get(int(frame.color_trc)),
        is_rgb(name),
    )
