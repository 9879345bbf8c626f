"""Sharpness and noise of two videos of the same content, at the lower resolution of the two."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from triptych.measure.texture import (
    ENOUGH_BLOCKS,
    TextureSample,
    TextureSampler,
    edge_spread,
    noise_blocks,
    noise_level,
)
from triptych.measure.timemap import Piece, TimeMap
from triptych.media.frame import U8

Area = tuple[float, float, float, float]
WHOLE: Area = (0.0, 0.0, 1.0, 1.0)
#: Moments compared at most: each costs some 20 ms.
MOMENTS = 6
#: How far apart the two samples of a moment may be, seconds: sharpness and noise hardly depend
#: on where things are, only on what is in view.
TOLERANCE = 0.7
#: A patch smaller than this says nothing, pixels.
MIN_SIDE = 48
#: Tiles a side that a difference in sharpness is looked for in, and how many must have edges.
TILES, TILES_ENOUGH = 3, 4
#: Softening, pixels, and noise, levels, from which on they are looked at again part by part: half
#: of what counts.
IN_DOUBT_PX, IN_DOUBT_LEVELS = 0.25, 1.5


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment: edge spread in pixels of the lower resolution, and noise in levels."""

    time_a: float
    time_b: float
    spread_a: float
    spread_b: float
    noise_a: float
    noise_b: float

    @property
    def softening(self) -> float:
        """Sigma of the blur that leads from A to B, pixels; negative when B is sharper."""
        return signed_root(self.spread_b**2 - self.spread_a**2)


@dataclass(frozen=True, slots=True)
class Texture:
    """Medians over ``moments``; ``height``: the lower of the two pictures' heights, pixels.

    ``softening``: see :class:`Moment`; ``typical`` the same in the typical tile of the picture: a
    title or a logo put over one part has the strongest edges of all, but sharpens nothing else.
    It is ``softening`` itself where that is little or too few tiles have edges. ``grain``: standard
    deviation of the noise that B has more, levels; negative when A has more. Each is ``None``
    where it could not be measured.
    """

    moments: Sequence[Moment]
    softening: float | None
    typical: float | None
    grain: float | None
    spread: tuple[float, float] | None
    noise: tuple[float, float] | None
    height: int


def signed_root(x: float) -> float:
    """Square root that keeps the sign: variances add, and either side can have more."""
    return math.copysign(math.sqrt(abs(x)), x)


def _meet(a: Area, b: Area) -> Area:
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def _within(area: Area, frame: Area) -> Area:
    """``area`` in shares of ``frame`` instead of shares of the picture."""
    w, h = frame[2] - frame[0], frame[3] - frame[1]
    return (
        (area[0] - frame[0]) / w,
        (area[1] - frame[1]) / h,
        (area[2] - frame[0]) / w,
        (area[3] - frame[1]) / h,
    )


def _outside(area: Area, frame: Area) -> Area:
    """The opposite of :func:`_within`."""
    w, h = frame[2] - frame[0], frame[3] - frame[1]
    return (
        frame[0] + area[0] * w,
        frame[1] + area[1] * h,
        frame[0] + area[2] * w,
        (frame[1] + area[3] * h),
    )


def _cut(sample: TextureSample, area: Area) -> U8:
    h, w = sample.luma.shape
    x0, y0, x1, y1 = _within(area, sample.area)
    return sample.luma[round(y0 * h) : round(y1 * h), round(x0 * w) : round(x1 * w)]


def _turned(sample: TextureSample, p: Piece) -> TextureSample:
    """A's sample turned as B shows it: mirrored, then by quarters."""
    luma, (x0, y0, x1, y1) = sample.luma, sample.area
    if p.mirror == "horizontal":
        luma, x0, x1 = luma[:, ::-1], 1 - x1, 1 - x0
    elif p.mirror == "vertical":
        luma, y0, y1 = luma[::-1], 1 - y1, 1 - y0
    for _ in range(p.quarter_turns % 4):
        luma = np.rot90(luma, -1)
        x0, y0, x1, y1 = 1 - y1, x0, 1 - y0, x1
    return TextureSample(np.ascontiguousarray(luma), (x0, y0, x1, y1))


def _full_height(sample: TextureSample) -> int:
    return round(int(sample.luma.shape[0]) / (sample.area[3] - sample.area[1]))


def common_patches(
    a: TextureSample, b: TextureSample, frame_a: Area, frame_b: Area
) -> tuple[U8, U8] | None:
    """The part that both samples show, at the lower of the two resolutions; ``None`` if tiny.

    ``frame_a`` and ``frame_b`` are the areas of the two pictures that show the same.
    """
    area_a, area_b = _meet(a.area, frame_a), _meet(b.area, frame_b)
    shared = _meet(_within(area_a, frame_a), _within(area_b, frame_b))
    if shared[0] >= shared[2] or shared[1] >= shared[3]:
        return None
    patch_a, patch_b = _cut(a, _outside(shared, frame_a)), _cut(b, _outside(shared, frame_b))
    h, w = (min(x, y) for x, y in zip(patch_a.shape, patch_b.shape, strict=True))
    if min(h, w) < MIN_SIDE:
        return None
    out = []
    for patch in (patch_a, patch_b):
        if patch.shape != (h, w):
            patch = np.asarray(cv2.resize(patch, (w, h), interpolation=cv2.INTER_AREA), np.uint8)
        out.append(patch)
    return out[0], out[1]


def frames_shown(bars_a: Area, bars_b: Area, zoom: float | None) -> tuple[Area, Area]:
    """Areas of A's and B's picture that show the same, in shares.

    ``bars_*``: the areas inside the bars. ``zoom``: how much larger B shows things than A, in
    shares of the picture, where registration found it; else what is inside the bars is taken to
    be the same.
    """
    if zoom is None or zoom <= 0:
        return bars_a, bars_b
    half = 0.5 / max(zoom, 1.0), 0.5 * min(zoom, 1.0)
    return (
        (0.5 - half[0], 0.5 - half[0], 0.5 + half[0], 0.5 + half[0]),
        (0.5 - half[1], 0.5 - half[1], 0.5 + half[1], 0.5 + half[1]),
    )


def _pick(a: TextureSampler, b: TextureSampler, timemap: TimeMap) -> list[tuple[int, int, Piece]]:
    """(index in A, index in B, the stretch) of samples of the same moments."""
    times = np.asarray(b.times)
    found = []
    for i, time in enumerate(a.times):
        for p in timemap.pieces:
            if not p.a0 - 0.05 <= time <= p.a1 + 0.05 or not len(times):
                continue
            j = int(np.argmin(np.abs(times - p.to_b(time))))
            if abs(times[j] - p.to_b(time)) <= TOLERANCE:
                found.append((i, j, p))
                break
    if len(found) <= MOMENTS:
        return found
    return [found[k] for k in np.linspace(0, len(found) - 1, MOMENTS).round().astype(int)]


def compare_texture(
    a: TextureSampler,
    b: TextureSampler,
    timemap: TimeMap,
    bars_a: Area = WHOLE,
    bars_b: Area = WHOLE,
    zoom: float | None = None,
) -> Texture | None:
    """Compare samples of the same moments; ``None`` where no moment was sampled in both."""
    frame_a, frame_b = frames_shown(bars_a, bars_b, zoom)
    moments, height = [], 0
    kept: list[tuple[U8, U8]] = []
    for i, j, piece in _pick(a, b, timemap):
        sample_a = _turned(a.samples[i], piece)
        patches = common_patches(sample_a, b.samples[j], frame_a, frame_b)
        if patches is None:
            continue
        height = min(_full_height(sample_a), _full_height(b.samples[j]))
        spreads = [edge_spread(p) for p in patches]
        noises = [noise_level(p) for p in patches]
        values = [math.nan if v is None else v for v in (*spreads, *noises)]
        moments.append(Moment(a.times[i], b.times[j], *values))
        kept.append(patches)
    if not moments:
        return None
    sharp = [m for m in moments if not math.isnan(m.softening)]
    noisy = [m for m in moments if not math.isnan(m.noise_a + m.noise_b)]
    softening = _median([m.softening for m in sharp])
    typical = softening
    if softening is not None and abs(softening) >= IN_DOUBT_PX:
        in_tiles = [x for x in map(_in_tiles, kept) if x is not None]
        typical = softening if not in_tiles else _median(in_tiles)
    grain = _median([signed_root(m.noise_b**2 - m.noise_a**2) for m in noisy])
    if grain is not None and abs(grain) >= IN_DOUBT_LEVELS:
        in_blocks = [x for x in map(_in_blocks, kept) if x is not None]
        grain = _lesser(grain, _median(in_blocks)) if in_blocks else grain
    return Texture(
        moments=moments,
        softening=softening,
        typical=typical,
        grain=grain,
        spread=_both([m.spread_a for m in sharp], [m.spread_b for m in sharp]),
        noise=_both([m.noise_a for m in noisy], [m.noise_b for m in noisy]),
        height=height,
    )


def _in_tiles(patches: tuple[U8, U8]) -> float | None:
    """Softening in the typical tile; ``None`` where too few have edges.

    The tiles of both need not show the same place: B may be mirrored.
    """
    spreads = []
    for patch in patches:
        rows = np.array_split(patch, TILES, axis=0)
        tiles = [t for row in rows for t in np.array_split(row, TILES, axis=1)]
        known = [s for s in map(edge_spread, tiles) if s is not None]
        if len(known) < TILES_ENOUGH:
            return None
        spreads.append(float(np.median(known)))
    return signed_root(spreads[1] ** 2 - spreads[0] ** 2)


def _in_blocks(patches: tuple[U8, U8]) -> float | None:
    """Noise that B has more, levels, in the median of blocks that are usable in both.

    Of pages and screens no block is flat but white ones, where noise is cut off: what differs in
    the flattest of the rest are letters. Noise is in every block.
    """
    a, b = (noise_blocks(p) for p in patches)
    if a is None or b is None:
        return None
    both = a[1] & b[1]
    if int(both.sum()) < ENOUGH_BLOCKS:
        return None
    apart = b[0][both].astype(np.float64) ** 2 - a[0][both].astype(np.float64) ** 2
    return signed_root(float(np.median(apart)))


def _lesser(x: float, y: float | None) -> float:
    """The one of two measures that says less; nothing where they contradict each other."""
    if y is None or x * y <= 0:
        return 0.0
    return min(x, y, key=abs)


def _median(values: Sequence[float]) -> float | None:
    return float(np.median(values)) if values else None


def _both(a: Sequence[float], b: Sequence[float]) -> tuple[float, float] | None:
    return (float(np.median(a)), float(np.median(b))) if a else None
