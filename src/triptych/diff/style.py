"""Findings about style: colour, tone, sharpness, noise and bars."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from triptych.diff import thresholds as limit
from triptych.diff.context import Context, finding
from triptych.diff.moments import of_pairs
from triptych.diff.style_bars import bars_finding
from triptych.diff.style_look import look, no_moments, summary, sureness, unknown
from triptych.diff.style_texture import noise_finding, sharpness_finding
from triptych.measure.pairs import Pair
from triptych.record.report import Finding, Measure, Relation


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


def colour_finding(ctx: Context) -> Finding:
    """Saturation and hue; black and white against colour where the videos do not match."""
    if not ctx.pairs:
        return _colour_apart(ctx)
    fit = look(ctx).colour
    if fit is None:
        return unknown("colour", f"Colour: {no_moments(ctx)}.")
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
    if not different and max(saturated, turned) >= 1:  # it is there, but too little to see
        measure = Measure(
            name="change of chroma that can be seen",
            unit="levels of 255",
            threshold=limit.CHROMA_LEVELS,
            values={"A": 0.0, "B": float(seen)},
        )
    elif turned > saturated:
        measure = Measure(
            name="turn of the hue",
            unit="degrees",
            threshold=math.copysign(limit.HUE_DEG, fit.hue_deg),
            values={"A": 0.0, "B": fit.hue_deg},
        )
    else:
        measure = Measure(
            name="saturation",
            unit="ratio to A",
            threshold=_bound(limit.SATURATION_RATIO, ratio),
            values={"A": 1.0, "B": fit.saturation},
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
        return unknown("tone", f"Contrast: {no_moments(ctx)}.")
    if fit.spread < limit.CONTRAST_SPREAD:
        return unknown("tone", "Contrast: the pictures are too flat to measure it on.")
    exposure = max(fit.mean_a + fit.level, 1.0) / max(fit.mean_a, 1.0)
    gain, rest = max(fit.gain, 1e-2), max(fit.gain, 1e-2) / exposure
    by_gain = abs(math.log(gain)) / math.log(limit.CONTRAST_RATIO)
    by_rest = abs(math.log(rest)) / math.log(limit.UNEXPLAINED_RATIO)
    different = min(by_gain, by_rest) >= 1
    by_rest_leads = by_rest < by_gain  # both must pass: the lesser one decides
    word = "less" if gain < 1 else "more"
    said = f"B has {word} contrast: {round(100 * gain)} % of A's."
    return finding(
        "style",
        "tone",
        "different" if different else "same",
        said if different else "Contrast is the same.",
        values={"B": {"gain": round(fit.gain, 3), "level": round(fit.level, 2)}},
        measure=Measure(
            name="contrast, less what more or less light explains" if by_rest_leads else "contrast",
            unit="ratio to A",
            threshold=_bound(limit.UNEXPLAINED_RATIO, rest)
            if by_rest_leads
            else _bound(limit.CONTRAST_RATIO, gain),
            values={"A": 1.0, "B": rest if by_rest_leads else fit.gain},
        ),
        evidence=of_pairs(_most(ctx.pairs, np.abs(fit.gains - 1))) if different else (),
        confidence=sureness(min(by_gain, by_rest), 1.0),
    )


def _bound(ratio: float, value: float) -> float:
    """The bound that ``value`` is held against: ``ratio`` above 1, its inverse below."""
    return ratio if value >= 1 else 1 / ratio


def _most(pairs: Sequence[Pair], effect: np.typing.NDArray[np.float64]) -> list[Pair]:
    """The two pairs where ``effect`` is largest, in order of time."""
    order = np.argsort(-np.nan_to_num(effect), kind="stable")[:2]
    return [pairs[i] for i in sorted(order)]
