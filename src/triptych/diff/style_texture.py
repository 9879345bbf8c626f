"""Findings about texture: sharpness and noise, at the lower resolution of the two."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from triptych.diff import thresholds as limit
from triptych.diff.context import Context, finding
from triptych.diff.moments import of_pairs, spread
from triptych.diff.style_look import look, no_moments, sureness, unknown
from triptych.measure.pairs import Pair
from triptych.measure.quality import Quality, quality, ssim
from triptych.measure.texture_compare import Texture
from triptych.record.report import Evidence as Seen
from triptych.record.report import Finding, Measure

#: Pairs on which a blurred A is held against B.
BLUR_PAIRS = 4


def sharpness_finding(ctx: Context) -> Finding:
    """Spread of the strongest edges at the lower resolution of the two."""
    texture = look(ctx).texture if ctx.pairs else None
    if texture is None or texture.softening is None or texture.spread is None:
        why = "too few edges to measure it on" if ctx.pairs else no_moments(ctx)
        return unknown("sharpness", f"Sharpness: {why}.")
    q = quality(ctx.pairs)
    soft = texture.softening
    typical = soft if texture.typical is None else texture.typical
    different = abs(soft) >= limit.SOFTENING_PX and typical * soft > 0
    different &= abs(typical) >= limit.SOFTENING_TYPICAL * limit.SOFTENING_PX
    said = "Sharpness is the same at the lower resolution of the two."
    if different:
        said = _softer(ctx, texture, "B", "A") if soft > 0 else _softer(ctx, texture, "A", "B")
    return finding(
        "style",
        "sharpness",
        "different" if different else "same",
        said,
        values={
            "blur_px": round(soft, 3),
            "blur_px_typical_tile": round(typical, 3),
            "edge_spread_px": [round(x, 3) for x in texture.spread],
            "height_px": texture.height,
            "ssim": None if q.median_ssim is None else round(q.median_ssim, 4),
            "psnr_db": None if q.median_psnr is None else round(q.median_psnr, 2),
        },
        measure=Measure(
            name="blur that leads from A to B",
            unit="pixels (sigma) of the lower resolution, below 0 where B is sharper",
            threshold=math.copysign(limit.SOFTENING_PX, soft),
            values={"A": 0.0, "B": soft},
        ),
        evidence=_sharpness_evidence(ctx, texture, q) if different else (),
        confidence=sureness(soft, limit.SOFTENING_PX),
    )


def _softer(ctx: Context, texture: Texture, soft: str, sharp: str) -> str:
    pixels = abs(texture.softening or 0.0)
    if _blur_explains(ctx.pairs, pixels, texture.height, soft == "B"):
        return f"{soft} is softer: as {sharp} blurred by {pixels:.1f} px (sigma)."
    return f"{soft} is visibly coarser: detail that {sharp} shows is lost or broken up."


def _blur_explains(pairs: Sequence[Pair], pixels: float, height: int, b_is_soft: bool) -> bool:
    scores = []
    for p in spread(pairs, BLUR_PAIRS):
        sharp, soft = (p.a.y, p.b.y) if b_is_soft else (p.b.y, p.a.y)
        sigma = pixels * sharp.shape[0] / max(height, 1)
        blurred = np.asarray(cv2.GaussianBlur(sharp, (0, 0), max(sigma, 0.05)), np.uint8)
        scores.append(ssim(blurred, soft, p.valid))
    known = [s for s in scores if not math.isnan(s)]
    return not known or float(np.median(known)) >= limit.BLUR_SSIM


def _sharpness_evidence(ctx: Context, texture: Texture, q: Quality) -> list[Seen]:
    chosen = sorted(texture.moments, key=lambda m: -abs(np.nan_to_num(m.softening)))[:2]
    seen = []
    for m in sorted(chosen, key=lambda m: m.time_a):
        for video, t in (("A", m.time_a), ("B", m.time_b)):
            seen.append(Seen(video=video, start_s=t, end_s=t, frame_s=t))
    if q.worst is not None:
        seen += of_pairs([ctx.pairs[q.worst]])
    return seen


def noise_finding(ctx: Context) -> Finding:
    """Noise in the flattest parts at the lower resolution of the two."""
    texture = look(ctx).texture if ctx.pairs else None
    if texture is None or texture.grain is None or texture.noise is None:
        return unknown("noise", f"Noise: {no_moments(ctx)}.")
    a, b = texture.noise
    different = abs(texture.grain) >= limit.GRAIN
    more = "B" if texture.grain > 0 else "A"
    less = "A" if more == "B" else "B"
    said = f"{more} is noisier than {less}: {max(a, b):.1f} against {min(a, b):.1f} levels."
    evidence = []
    if different:
        for m in texture.moments[:: max(1, len(texture.moments) // 2)][:2]:
            for video, t in (("A", m.time_a), ("B", m.time_b)):
                evidence.append(Seen(video=video, start_s=t, end_s=t, frame_s=t))
    return finding(
        "style",
        "noise",
        "different" if different else "same",
        said if different else "Noise is the same at the lower resolution of the two.",
        values={"A": round(a, 2), "B": round(b, 2)},
        measure=Measure(
            name="noise that B has more than A",
            unit="standard deviation in levels of 255, below 0 where it has less",
            threshold=math.copysign(limit.GRAIN, texture.grain),
            values={"A": 0.0, "B": texture.grain},
        ),
        evidence=evidence,
        confidence=sureness(texture.grain, limit.GRAIN),
    )
