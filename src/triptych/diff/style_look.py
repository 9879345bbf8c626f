"""What style and background are both read from: fits of colour and luma, and texture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from triptych.diff import thresholds as limit
from triptych.diff.context import Context, finding
from triptych.measure.colour import Colour, chroma_fit
from triptych.measure.colour_blocks import Blocks, block_means
from triptych.measure.colour_white import colourfulness
from triptych.measure.survey import Survey
from triptych.measure.texture import TextureSampler
from triptych.measure.texture_compare import Area, Texture, compare_texture
from triptych.measure.tone import Tone, luma_fit
from triptych.media.moments import frames_at
from triptych.record.report import Finding, Media

#: The noise estimate looks at the flattest blocks of what coding left: the noise is up to twice.
NOISE_FACTOR = 1.5
#: Moments that texture is compared on at least, and frames decoded again to have them.
ENOUGH_MOMENTS, FETCHED = 3, 4
#: Stills that a video's own summary is made from.
SUMMARY_STILLS = 12


@dataclass(frozen=True, slots=True)
class Look:
    """Fits over all pairs; each part is ``None`` where it could not be had."""

    blocks: Blocks
    colour: Colour | None
    tone: Tone | None
    texture: Texture | None


@dataclass(frozen=True, slots=True)
class Summary:
    """A video by itself: medians of mean luma, contrast (levels) and colourfulness."""

    luma: float
    contrast: float
    colourfulness: float


def look(ctx: Context) -> Look:
    """The look of both, measured once and kept in ``ctx.observed["look"]``."""
    kept = ctx.observed.get("look")
    if kept is not None and isinstance(kept[0], Look):
        return kept[0]
    texture = _texture(ctx)
    noise = 0.0
    if texture is not None and texture.noise is not None:
        noise = NOISE_FACTOR * max(texture.noise)
    blocks = block_means(ctx.pairs, noise)
    fitted = _matched(blocks)
    colour = chroma_fit(fitted)
    tone = luma_fit(fitted, colour.saturation if colour is not None else 1.0)
    made = Look(blocks, colour, tone, texture)
    ctx.observed["look"] = (made, made)
    return made


def _matched(blocks: Blocks) -> Blocks:
    """The blocks of pairs that show the same; none where most pairs do not.

    Where registration failed, other things are compared with other things, and whatever a fit
    finds there is neither colour nor tone nor light.
    """
    alike = [likeness(blocks, i) for i in range(blocks.pairs)]
    # Flat pictures have no likeness to measure: they are kept.
    kept = [i for i, r in enumerate(alike) if not r < limit.SAME_PLACE]
    own = np.isin(blocks.pair, kept if 2 * len(kept) > blocks.pairs else [])
    return Blocks(blocks.a[own], blocks.b[own], blocks.excess[own], blocks.pair[own], blocks.pairs)


def likeness(blocks: Blocks, pair: int) -> float:
    """Correlation of a pair's block means of luma, without the worst sixth; ``nan`` if flat."""
    own = blocks.of(pair)
    if len(own) < 12:
        return math.nan
    a, b = own.a[:, 0], own.b[:, 0]
    slope, level = np.polyfit(a, b, 1) if a.std() > 0.5 else (1.0, 0.0)
    rest = np.abs(b - slope * a - level)
    kept = rest <= np.quantile(rest, 5 / 6)
    if a[kept].std() < 0.5 or b[kept].std() < 0.5:
        return math.nan
    return float(np.corrcoef(a[kept], b[kept])[0, 1])


def inside_bars(media: Media) -> Area:
    """The area inside the bars in shares of the picture: left, top, right, bottom."""
    left, top, right, bottom = media.bars
    width, height = media.display_width or 0, media.display_height or 0
    if width <= left + right or height <= top + bottom:
        return 0.0, 0.0, 1.0, 1.0
    return left / width, top / height, 1 - right / width, 1 - bottom / height


def _texture(ctx: Context) -> Texture | None:
    a, b = ctx.observed.get("texture", (None, None))
    if not isinstance(a, TextureSampler) or not isinstance(b, TextureSampler):
        return None
    media_a, media_b = ctx.a.media, ctx.b.media
    bars_a, bars_b = inside_bars(media_a), inside_bars(media_b)
    zoom = ctx.observed.get("zoom")
    scale = float(zoom) if isinstance(zoom, (int, float)) else None
    # Bars around a picture change its shape, and then a scale of the whole says nothing; bars
    # over it do not.
    shape_a = (media_a.display_width or 1) / (media_a.display_height or 1)
    shape_b = (media_b.display_width or 1) / (media_b.display_height or 1)
    if abs(math.log(shape_a / shape_b)) > 0.02:
        scale = None
    found = compare_texture(a, b, ctx.timemap, bars_a, bars_b, scale)
    if found is not None and len(found.moments) >= ENOUGH_MOMENTS:
        return found
    again = _fetched(ctx, a)
    return compare_texture(a, again, ctx.timemap, bars_a, bars_b, scale) if again.times else found


def _fetched(ctx: Context, a: TextureSampler) -> TextureSampler:
    """B's frames at the moments that A was sampled at, decoded again.

    Needed where an offset of a long video puts the samples of the two at different moments.
    """
    again = TextureSampler(cap=FETCHED + 1, step=0.0)
    mapped = sorted(t for t in map(ctx.timemap.to_b, a.times) if t is not None and t >= 0)
    if len(mapped) > FETCHED:
        mapped = [mapped[i] for i in np.linspace(0, len(mapped) - 1, FETCHED).round().astype(int)]
    for _, frame in frames_at(ctx.video_b, mapped):
        again.observe(float(frame.time), frame, ctx.b.stills.pictures[0])
    return again


def summary(survey: Survey) -> Summary:
    """Medians over a few stills, spread evenly over the video."""
    stills = survey.stills.pictures
    at = np.linspace(0, len(stills) - 1, min(SUMMARY_STILLS, len(stills))).round().astype(int)
    chosen = [stills[i] for i in at]
    return Summary(
        luma=float(np.median([p.y.mean() for p in chosen])),
        contrast=float(np.median([p.y.std() for p in chosen])),
        colourfulness=float(np.median([colourfulness(p) for p in chosen])),
    )


def sureness(value: float, threshold: float) -> float:
    """Confidence 0.5 to 1 of a decision: 0.5 at the threshold, more the further from it."""
    ratio = abs(value) / threshold
    return 1 - 0.5 * math.exp(-2 * (ratio - 1) if ratio >= 1 else -3 * (1 - ratio))


def unknown(aspect: str, why: str) -> Finding:
    """A finding that says why nothing was found."""
    return finding("style", aspect, "unknown", why, confidence=1.0)


def no_moments(ctx: Context) -> str:
    """Why a comparison moment by moment was not possible, in words."""
    if ctx.pairs:
        return "the matched pictures show too little in common to measure it on"
    return "the videos do not show the same moments, so it cannot be compared moment by moment"
