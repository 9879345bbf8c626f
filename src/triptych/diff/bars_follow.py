"""Bars that belong to the picture go where its framing goes; what is put over it hides them.

A clip that was filmed with bars, panned over or zoomed into, has them elsewhere or no longer; a
logo may lie on one; other footage put in has none. In none of these were bars added or taken away.
"""

from __future__ import annotations

import cv2
import numpy as np

from triptych.diff import thresholds as limit
from triptych.diff.context import Context
from triptych.measure.matched import active_mask, own_transform, placement
from triptych.measure.pairs import Mask, Pair
from triptych.measure.register import F64, Transform
from triptych.media.frame import U8


def follows_picture(ctx: Context, side: int, gap: float) -> bool:
    """Whether the bar on ``side`` (of B's display) that one video has alone is where the other's
    picture would show it, at most of the matched moments.

    ``gap``: share of the display that B's bar is larger; below 0 it is A's.
    """
    reg, match = ctx.registered, ctx.match
    if reg is None or match is None or not ctx.pairs or len(reg.each) != len(ctx.pairs):
        return False
    moved = reg.framing is not None and _reframed(reg.framing)
    varies = [own_transform(t, reg.transform) is not reg.transform for _, _, t in reg.each]
    if gap > 0 and not moved and 2 * sum(varies) < len(varies):
        # Dark footage is plain and dark at its border too: bars put over it are bars.
        return False
    agree = 0
    for (_, _, t), pair, own_move in zip(reg.each, ctx.pairs, varies, strict=True):
        own = own_transform(t, reg.transform)
        picture_a = ctx.a.stills.pictures[ctx.a.stills.nearest(pair.time_a)].y
        matrix = placement(match.orientation, own, picture_a.shape[::-1], pair.b.y.shape[::-1])
        seen = _seen(ctx, pair, picture_a, matrix, side, gap)
        if seen is None:
            agree += moved or own_move
        else:
            agree += seen
    return agree >= limit.BARS_FOLLOW * len(ctx.pairs)


def _reframed(t: Transform) -> bool:
    return (
        abs(t.scale - 1) > limit.FRAMING_SCALE
        or max(abs(x) for x in t.shift) > limit.FRAMING_SHIFT
        or abs(t.degrees) > limit.ROTATION_DEG
    )


def _seen(
    ctx: Context, pair: Pair, picture_a: U8, matrix: F64, side: int, gap: float
) -> bool | None:
    """Whether the bar's place is plain and dark in the video without it; ``None``: out of view."""
    shape_a, shape_b = picture_a.shape, pair.b.y.shape
    if gap < 0:
        # All of A's bars: which of them is on which side of B depends on how A is turned.
        outside = np.where(active_mask(ctx.a), 0, 255).astype(np.uint8)
        where = cv2.warpAffine(outside, matrix, shape_b[::-1]) > 250
        where &= _band(shape_b, side, 0.5)
        other = pair.b.y
    else:
        band = _band(shape_b, side, gap).astype(np.uint8) * 255
        back = cv2.warpAffine(band, matrix, shape_a[::-1], flags=cv2.WARP_INVERSE_MAP)
        where = back > 250
        other = picture_a
    if where.mean() < limit.BARS_SEEN:
        return None
    values = other[where].astype(np.int16)
    level = int(np.median(values))
    plain = np.abs(values - level) <= limit.BARS_EVEN
    return level <= limit.BARS_DARK and float(plain.mean()) >= 0.5


def _band(shape: tuple[int, ...], side: int, share: float) -> Mask:
    """The strip along ``side`` (left, top, right, bottom) that takes ``share`` of the picture."""
    height, width = shape
    out = np.zeros(shape, np.bool_)
    thick = max(1, round(share * (width, height)[side % 2]))
    strips = (np.s_[:, :thick], np.s_[:thick], np.s_[:, width - thick :], np.s_[height - thick :])
    out[strips[side]] = True
    return out
