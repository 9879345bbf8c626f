"""Findings about the background: the light, and whether it is the same place."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from triptych.diff import thresholds as limit
from triptych.diff.context import Context, finding
from triptych.diff.moments import of_pairs
from triptych.diff.style_look import Look, likeness, look, no_moments, summary, sureness
from triptych.measure.colour_white import temperature_shift
from triptych.measure.register import ENOUGH
from triptych.record.report import Finding, Measure, Relation


def findings(ctx: Context) -> Iterator[Finding]:
    """One finding for each wanted aspect of the background."""
    if ctx.options.wants("background", "lighting"):
        yield lighting_finding(ctx)
    if ctx.options.wants("background", "place"):
        yield place_finding(ctx)


def lighting_finding(ctx: Context) -> Finding:
    """Brightness and colour of the light, over all moments and at some."""
    if not ctx.pairs:
        return _light_apart(ctx)
    seen = look(ctx)
    if seen.tone is None or seen.colour is None:
        return finding(
            "background",
            "lighting",
            "unknown",
            f"Light: {no_moments(ctx)}.",
        )
    tone, tint = seen.tone, seen.colour.tint
    needed = level_needed(tone.mean_a)
    brighter, tinted = abs(tone.level) / needed, abs(tint) / limit.TINT
    parts = []
    if brighter >= 1:
        word = "brighter" if tone.level > 0 else "darker"
        percent = 100 * tone.level / max(tone.mean_a, 1.0)
        parts.append(
            f"B is {word}: mean luma {tone.mean_a + tone.level:.0f} against {tone.mean_a:.0f} "
            f"of 255 ({percent:+.0f} %)"
        )
    if tinted >= 1:
        parts.append(f"the light in B is {shade(tint)}")
    stretch = [] if parts else _stretch(seen)
    levels, shift = 0.0, 0j
    if stretch:
        first, last = ctx.pairs[stretch[0]], ctx.pairs[stretch[-1]]
        levels = float(np.nanmedian(tone.levels[stretch]))
        tints = seen.colour.tints[stretch]
        shift = complex(np.nanmedian(tints.real), np.nanmedian(tints.imag))
        what = f"{levels:+.0f} levels" if abs(levels) >= limit.LEVEL_AT_MOMENT else shade(shift)
        parts.append(
            f"the light differs for a time ({what}), from {first.time_a:.1f} to "
            f"{last.time_a:.1f} s of A, {first.time_b:.1f} to {last.time_b:.1f} s of B"
        )
    effect = np.abs(np.nan_to_num(tone.levels)) + np.abs(np.nan_to_num(seen.colour.tints))
    at = sorted(np.argsort(-effect, kind="stable")[:2]) if not stretch else stretch[:3]
    by_tint = tinted > brighter
    said = "; ".join(parts)
    if stretch and abs(levels) >= limit.LEVEL_AT_MOMENT:
        measure = Measure(
            name="change of brightness in the stretch",
            unit="levels of 255",
            threshold=math.copysign(limit.LEVEL_AT_MOMENT, levels),
            values={"A": 0.0, "B": levels},
        )
    elif stretch or by_tint:
        measure = Measure(
            name="tint of mid grey in the stretch" if stretch else "tint of mid grey",
            unit="chroma levels of 255",
            threshold=limit.TINT_AT_MOMENT if stretch else limit.TINT,
            values={"A": 0.0, "B": abs(shift) if stretch else abs(tint)},
        )
    else:
        measure = Measure(
            name="mean luma",
            unit="levels of 255",
            threshold=tone.mean_a + math.copysign(needed, tone.level),
            values={"A": tone.mean_a, "B": tone.mean_a + tone.level},
        )
    return finding(
        "background",
        "lighting",
        "different" if parts else "same",
        f"{said[0].upper()}{said[1:]}." if parts else "Brightness and colour of the light agree.",
        values={
            "A": {"mean_luma": round(tone.mean_a, 1)},
            "B": {
                "mean_luma": round(tone.mean_a + tone.level, 1),
                "tint_u": round(tint.real, 2),
                "tint_v": round(tint.imag, 2),
                "kelvin": _kelvin(tint),
            },
        },
        measure=measure,
        evidence=of_pairs([ctx.pairs[i] for i in at]) if parts else (),
        confidence=0.8 if stretch else sureness(max(brighter, tinted), 1.0),
    )


def level_needed(mean: float) -> float:
    """Levels by which brightness must change at this mean luma to count."""
    return max(limit.LEVEL_LEAST, limit.LEVEL_SHARE * mean)


def shade(tint: complex) -> str:
    """``tint`` in words: warmer or cooler with kelvin, greener, or more magenta."""
    u, v = tint.real, tint.imag
    if abs(u + v) > abs(u - v):
        return "more magenta" if u + v > 0 else "greener"
    word = "warmer" if v > u else "cooler"
    kelvin = _kelvin(tint)
    return word if kelvin is None else f"{word} by about {abs(kelvin)} K"


def _kelvin(tint: complex) -> int | None:
    shift = temperature_shift(tint)
    return None if shift is None else 50 * round(shift / 50)


def _stretch(seen: Look) -> list[int]:
    """The longest run of two or more pairs whose light differs the same way.

    The picture must be alike otherwise. Where a mapped moment is off, things that moved make
    differences too, but now to one side and now to the other.
    """
    tone, colour = seen.tone, seen.colour
    assert tone is not None and colour is not None  # noqa: S101  (the caller has looked)
    best: list[int] = []
    run: list[int] = []
    way = ""
    for i in range(seen.blocks.pairs):
        now = _way(tone.levels[i], colour.tints[i])
        if not now or likeness(seen.blocks, i) < limit.ALIKE_AT_MOMENT:
            run = []
        else:
            run = [*run, i] if now == way else [i]
        way = now
        if len(run) > max(len(best), 1):
            best = run
    return best


def _way(level: float, tint: complex) -> str:
    """To which side light differs at a moment; empty where it does not."""
    if abs(level) >= limit.LEVEL_AT_MOMENT:
        return "brighter" if level > 0 else "darker"
    return shade(tint).split(" by ")[0] if abs(tint) >= limit.TINT_AT_MOMENT else ""


def _light_apart(ctx: Context) -> Finding:
    a, b = summary(ctx.a), summary(ctx.b)
    relation: Relation = "unknown"
    said = "Light was not compared: the videos do not show the same moments."
    if abs(b.luma - a.luma) >= limit.GROSS_LEVEL:
        relation = "different"
        word = "darker" if b.luma < a.luma else "brighter"
        said = f"B is much {word}: mean luma {b.luma:.0f} against {a.luma:.0f} of 255."
    return finding(
        "background",
        "lighting",
        relation,
        said,
        measure=Measure(
            name="mean luma",
            unit="levels of 255",
            threshold=limit.GROSS_LEVEL,
            values={"A": a.luma, "B": b.luma},
        ),
        confidence=0.9 if relation == "different" else 1.0,
    )


def place_finding(ctx: Context) -> Finding:
    """The same place where matched, registered moments look alike; else unknown."""
    seen = look(ctx) if ctx.pairs else None
    values = [] if seen is None else [likeness(seen.blocks, i) for i in range(seen.blocks.pairs)]
    known = [v for v in values if not math.isnan(v)]
    alike = float(np.median(known)) if known else math.nan
    if known and alike >= limit.SAME_PLACE:
        return finding(
            "background",
            "place",
            "same",
            "Both show the same place at matched moments.",
            measure=Measure(
                name="correlation of block means",
                unit="-1 to 1",
                threshold=limit.SAME_PLACE,
                values={"A": 1.0, "B": alike},
            ),
            confidence=0.9,
        )
    # Other moments of one place: what stands still fits, though nothing that happens does.
    if ctx.match is None and ctx.registered is not None and ctx.registered.transform is not None:
        agreeing = ctx.registered.transform.agreeing
        return finding(
            "background",
            "place",
            "same",
            "Both show the same place, at other moments.",
            measure=Measure(
                name="keypoints that fit one transform",
                unit="keypoints",
                threshold=ENOUGH,
                values={"A": agreeing, "B": agreeing},
            ),
            confidence=min(0.9, agreeing / (4 * ENOUGH)),
        )
    return finding(
        "background",
        "place",
        "unknown",
        "Whether the place is the same cannot be measured: the pictures do not match well.",
    )
