"""The finding about black bars: those that one video has and the other has not."""

from __future__ import annotations

import math

import numpy as np

from triptych.diff import thresholds as limit
from triptych.diff.bars_follow import follows_picture
from triptych.diff.context import Context, finding
from triptych.diff.moments import of_pairs, spread
from triptych.diff.style_look import sureness
from triptych.record.report import Alignment, Evidence, Finding, Measure, Media

SIDES = ("left", "top", "right", "bottom")
#: Stills in which a bar that is no longer black is looked for.
PLAIN_LOOKS = 12


def bars_finding(ctx: Context) -> Finding:
    """Bars of both, A's turned and mirrored as B shows it, in shares of width and height."""
    media_a, media_b = ctx.a.media, ctx.b.media
    a = turned(_shares(media_a), ctx.alignment)
    b = _shares(media_b)
    pixels = [share * side for share, side in zip(a, _sides(media_b), strict=True)]
    gaps = [y - x for x, y in zip(a, b, strict=True)]
    differing = [
        i
        for i, gap in enumerate(gaps)
        if abs(gap) >= limit.BARS_SHARE and abs(media_b.bars[i] - pixels[i]) > limit.BARS_PX
    ]
    differing = [
        i for i in differing if not _plain(ctx, i, gaps[i]) and not follows_picture(ctx, i, gaps[i])
    ]
    worst = max(differing or range(4), key=lambda i: abs(gaps[i]))
    if differing:
        told = []
        for name, chosen in (
            ("B", [i for i in differing if gaps[i] > 0]),
            ("A", [i for i in differing if gaps[i] < 0]),
        ):
            if chosen:
                sizes = ", ".join(f"{SIDES[i]} {100 * abs(gaps[i]):.0f} %" for i in chosen)
                told.append(f"{name} has bars that the other has not: {sizes}")
        said = "; ".join(told) + "."
    elif any(share >= limit.BARS_SHARE for share in (*a, *b)):
        said = "Both have the same bars."
    else:
        said = "Neither has bars."
    return finding(
        "style",
        "bars",
        "different" if differing else "same",
        said,
        values={
            "A": {"bars_px": list(media_a.bars)},
            "B": {"bars_px": list(media_b.bars)},
        },
        measure=Measure(
            name=f"bar on the {SIDES[worst]}",
            unit="share of the picture",
            threshold=a[worst] + math.copysign(limit.BARS_SHARE, gaps[worst]),
            values={"A": a[worst], "B": b[worst]},
        ),
        evidence=_evidence(ctx) if differing else (),
        confidence=sureness(gaps[worst], limit.BARS_SHARE),
    )


def _evidence(ctx: Context) -> list[Evidence]:
    """Matched moments, or the middle of each video where there are none."""
    if ctx.pairs:
        return of_pairs(spread(ctx.pairs))
    middles = (("A", ctx.a.duration / 2), ("B", ctx.b.duration / 2))
    return [Evidence(video=v, start_s=t, end_s=t, frame_s=t) for v, t in middles]


def _plain(ctx: Context, side: int, gap: float) -> bool:
    """Whether the video without a black bar is plain where the other has one.

    A grade that lifts black lifts the bars with it: they are there, but no longer black. A bar ends
    in an edge; a plain wall or sky that goes on beyond is none.
    """
    upright = ctx.alignment.mirrored == "none" and not ctx.alignment.rotation_deg
    if gap < 0:
        stills = ctx.b.stills.pictures
    elif upright:
        stills = ctx.a.stills.pictures
    else:
        return False
    edges: list[bool] = []
    for picture in stills[:: max(1, len(stills) // PLAIN_LOOKS)]:
        height, width = picture.y.shape
        edge = max(1, int(abs(gap) * (width, height)[side % 2]) - 1)
        strip = (
            picture.y[:, :edge],
            picture.y[:edge],
            picture.y[:, width - edge :],
            picture.y[height - edge :],
        )[side]
        if strip.std() > limit.PLAIN_BAR:
            return False
        inner = (
            picture.y[:, edge + 2 : 2 * edge + 4],
            picture.y[edge + 2 : 2 * edge + 4],
            picture.y[:, max(0, width - 2 * edge - 4) : width - edge - 2],
            picture.y[max(0, height - 2 * edge - 4) : height - edge - 2],
        )[side]
        # Along the border: what lies beside the bar, here and there, is another level.
        beside = inner.mean(axis=1 if side % 2 == 0 else 0) if inner.size else np.zeros(0)
        apart = np.abs(beside - float(strip.mean()))
        edges.append(bool(apart.size and float(np.mean(apart > limit.BAR_EDGE)) > 0.5))
    return bool(edges) and float(np.mean(edges)) > 0.5


def turned(bars: tuple[float, ...], alignment: Alignment) -> tuple[float, ...]:
    """``bars`` (left, top, right, bottom) of A where B's mirroring and quarter turns put them."""
    left, top, right, bottom = bars
    if alignment.mirrored == "horizontal":
        left, right = right, left
    elif alignment.mirrored == "vertical":
        top, bottom = bottom, top
    for _ in range(round((alignment.rotation_deg or 0.0) / 90) % 4):
        left, top, right, bottom = bottom, left, top, right
    return left, top, right, bottom


def _sides(media: Media) -> tuple[int, int, int, int]:
    width, height = media.display_width or 1, media.display_height or 1
    return width, height, width, height


def _shares(media: Media) -> tuple[float, ...]:
    return tuple(bar / side for bar, side in zip(media.bars, _sides(media), strict=True))
