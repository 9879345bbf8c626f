"""Controls: other files with the same content. Nothing may be reported as different."""

from __future__ import annotations

import math
from fractions import Fraction

from triptych.make.clip import Clip, Picked
from triptych.make.encode import Encoding
from triptych.make.filters import filtered
from triptych.make.registry import Context, Edit, Ineligible, Made, register


def crf(clip: Clip, parameter: float, context: Context) -> Made:
    """H.264 at another rate factor; the sound as AAC."""
    return Made(clip, {}, encoding=Encoding(crf=int(parameter), sound="aac"))


def half_size(clip: Clip, parameter: float, context: Context) -> Made:
    """Half as wide and high (``scale``)."""
    width, height = (max(16, side // 4 * 2) for side in clip.size)
    chain = f"scale=w={width}:h={height}:flags=bicubic+accurate_rnd"
    return Made(clip.with_frames(filtered(clip.frames, chain, (width, height))), {})


def remux(clip: Clip, parameter: str, context: Context) -> Made:
    """The same packets in Matroska."""
    return Made(clip, {}, encoding=Encoding(suffix=".mkv"), remux=True)


def codec(clip: Clip, parameter: str, context: Context) -> Made:
    """HEVC with AAC, or VP9 with Opus."""
    if parameter == "hevc":
        return Made(clip, {}, encoding=Encoding("libx265", 22, "aac"))
    return Made(clip, {}, encoding=Encoding("libvpx-vp9", 30, "libopus"))


def fps(clip: Clip, parameter: float, context: Context) -> Made:
    """A regular lower rate: at each tick the nearest frame."""
    rate = Fraction(int(parameter))
    if rate >= clip.fps:
        raise Ineligible(f"has {float(clip.fps):.2f} fps, no more than {int(rate)}")
    n = math.floor(len(clip.frames) * rate / clip.fps)
    order = [min(round(i * clip.fps / rate), len(clip.frames) - 1) for i in range(n)]
    sound = None if clip.sound is None else clip.sound.lasting(float(n / rate))
    return Made(Clip(Picked(clip.frames, order), rate, sound), {})


for _name, _values, _apply in (
    ("crf", (23.0, 28.0, 33.0), crf),
    ("half-size", (0.5,), half_size),
    ("remux", ("mkv",), remux),
    ("codec", ("hevc", "vp9"), codec),
    ("fps", (24.0, 20.0), fps),
):
    register(Edit(_name, "control", {"control": _values}, (), (), _apply))
