"""Findings about style: colour, tone, sharpness, noise and bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np

from triptych.diff import thresholds as limit
from triptych.diff.context import Context, finding
from triptych.diff.moments import of_pairs, spread
from triptych.diff.style_bars import bars_finding
from triptych.diff.style_look import look, summary, sureness
from triptych.measure.pairs import Pair
from triptych.measure.quality import Quality, quality, ssim
from triptych.measure.texture_compare import Texture
from triptych.record.report import Evidence as Seen
from triptych.record.report import Finding, Measure, Relation

#: Pairs on which a blurred A is held against B.
BLUR_PAIRS = 4


def findings(ctx: Context) -> Iterator[Finding]:
    """One finding for each wanted aspect of style."""
    aspects: dict[str, Callable[[Context], Finding]] = {
        "colour": colour_finding,
        "tone": tone_finding,
        "sharpness": sharpness_finding,
        "noise": noise_finding,
        "bars": bars_finding,
    }
    for aspect, make in aspects.items():
        if ctx.options.wants("style", aspect):
            yield make(ctx)


def unknown(aspect: str, why: str) -> Finding:
    """A finding that says why nothing was found."""
    return finding("style", aspect, "unknown", why, confidence=1.0)


def _no_moments(ctx: Context) -> str:
    if ctx.pairs:
        return "too little of the picture is shown by both, or it is black or white throughout"
    return "the videos do not show the same moments, so it cannot be compared moment by moment"


def colour_finding(ctx: Context) -> Finding:
    """Saturation and hue; black and white against colour where the videos do not match."""
    if not ctx.pairs:
        return _colour_apart(ctx)
    fit = look(ctx).colour
    if fit is None:
        return unknown("colour", f"Colour: {_no_moments(ctx)}.")
    ratio = max(fit.saturation, 1e-3)
    saturated = abs(math.log(ratio)) / math.log(limit.SATURATION_RATIO)
    turned = abs(fit.hue_deg) / limit.HUE_DEG
    seen = abs(ratio * np.exp(1j * math.radians(fit.hue_deg)) - 1) * fit.chroma_a
    different = max(saturated, turned) >= 1 and seen >= limit.CHROMA_LEVELS
    percent = round(100 * fit.saturation)
    said = []
    if different and saturated >= 1:
        if fit.saturation < 0.05:
            said.append("B is black and white where A has colour")
        else:
            word = "less" if ratio < 1 else "more"
            said.append(f"B is {word} saturated: {percent} % of A's")
    if different and turned >= 1:
        said.append(f"B's hues are turned by {fit.hue_deg:+.0f} degrees")
    if fit.chroma_a < limit.CHROMA_LEVELS and fit.chroma_b < limit.CHROMA_LEVELS:
        same = "Both are black and white."
    else:
        same = "Saturation and hue are the same."
    hue_leads = turned > saturated
    measure = Measure(
        name="turn of the hue" if hue_leads else "saturation",
        unit="degrees" if hue_leads else "ratio to A",
        threshold=limit.HUE_DEG if hue_leads else limit.SATURATION_RATIO,
        values={"A": 0.0, "B": fit.hue_deg} if hue_leads else {"A": 1.0, "B": fit.saturation},
    )
    return finding(
        "style",
        "colour",
        "different" if different else "same",
        "; ".join(said) + "." if different else same,
        values={
            "A": {"chroma": round(fit.chroma_a, 2)},
            "B": {
                "chroma": round(fit.chroma_b, 2),
                "saturation": round(fit.saturation, 3),
                "hue_deg": round(fit.hue_deg, 1),
            },
        },
        measure=measure,
        evidence=of_pairs(_most(ctx.pairs, np.abs(fit.saturations - 1)), "", "")
        if different
        else (),
        confidence=sureness(max(saturated, turned), 1.0),
    )


def _colour_apart(ctx: Context) -> Finding:
    a, b = summary(ctx.a), summary(ctx.b)
    low, high = limit.GREY_COLOURFULNESS, limit.PLAIN_COLOURFULNESS
    relation: Relation = "unknown"
    said = "Colour was not compared: the videos do not show the same moments."
    if min(a.colourfulness, b.colourfulness) < low and (
        max(a.colourfulness, b.colourfulness) > high
    ):
        relation = "different"
        grey, other = ("A", "B") if a.colourfulness < b.colourfulness else ("B", "A")
        said = f"{grey} is black and white, {other} is in colour."
    return finding(
        "style",
        "colour",
        relation,
        said,
        measure=Measure(
            name="colourfulness",
            unit="Hasler and Suesstrunk's M",
            threshold=high,
            values={"A": a.colourfulness, "B": b.colourfulness},
        ),
        confidence=0.9 if relation == "different" else 1.0,
    )


def tone_finding(ctx: Context) -> Finding:
    """Contrast: the gain of luma that is not merely more or less light."""
    fit = look(ctx).tone if ctx.pairs else None
    if fit is None:
        return unknown("tone", f"Contrast: {_no_moments(ctx)}.")
    if fit.spread < limit.CONTRAST_SPREAD:
        return unknown("tone", "Contrast: the pictures are too flat to measure it on.")
    exposure = max(fit.mean_a + fit.level, 1.0) / max(fit.mean_a, 1.0)
    gain, rest = max(fit.gain, 1e-2), max(fit.gain, 1e-2) / exposure
    by_gain = abs(math.log(gain)) / math.log(limit.CONTRAST_RATIO)
    by_rest = abs(math.log(rest)) / math.log(limit.UNEXPLAINED_RATIO)
    different = min(by_gain, by_rest) >= 1
    word = "less" if gain < 1 else "more"
    said = f"B has {word} contrast: {round(100 * gain)} % of A's."
    return finding(
        "style",
        "tone",
        "different" if different else "same",
        said if different else "Contrast is the same.",
        values={"B": {"gain": round(fit.gain, 3), "level": round(fit.level, 2)}},
        measure=Measure(
            name="contrast",
            unit="ratio to A",
            threshold=limit.CONTRAST_RATIO,
            values={"A": 1.0, "B": fit.gain},
        ),
        evidence=of_pairs(_most(ctx.pairs, np.abs(fit.gains - 1))) if different else (),
        confidence=sureness(min(by_gain, by_rest), 1.0),
    )


def sharpness_finding(ctx: Context) -> Finding:
    """Spread of the strongest edges at the lower resolution of the two."""
    texture = look(ctx).texture if ctx.pairs else None
    if texture is None or texture.softening is None or texture.spread is None:
        why = "too few edges to measure it on" if ctx.pairs else _no_moments(ctx)
        return unknown("sharpness", f"Sharpness: {why}.")
    q = quality(ctx.pairs)
    soft = texture.softening
    different = abs(soft) >= limit.SOFTENING_PX
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
            "height_px": texture.height,
            "ssim": None if q.median_ssim is None else round(q.median_ssim, 4),
            "psnr_db": None if q.median_psnr is None else round(q.median_psnr, 2),
        },
        measure=Measure(
            name="edge spread",
            unit="pixels of the lower resolution",
            threshold=limit.SOFTENING_PX,
            values={"A": texture.spread[0], "B": texture.spread[1]},
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
        return unknown("noise", f"Noise: {_no_moments(ctx)}.")
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
            name="noise",
            unit="standard deviation in levels of 255",
            threshold=limit.GRAIN,
            values={"A": a, "B": b},
        ),
        evidence=evidence,
        confidence=sureness(texture.grain, limit.GRAIN),
    )


def _most(pairs: Sequence[Pair], effect: np.typing.NDArray[np.float64]) -> list[Pair]:
    """The two pairs where ``effect`` is largest, in order of time."""
    order = np.argsort(-np.nan_to_num(effect), kind="stable")[:2]
    return [pairs[i] for i in sorted(order)]
