"""Words, numbers and times as a person reads them; nothing hostile gets through.

File names, on-screen text and spoken words come from the files that are compared. They must not
steer a terminal (control characters), reorder a line (bidirectional overrides), or vanish
(zero-width characters), so everything shown passes through :func:`clean` first. The escaping of
HTML and of rich's markup comes on top of it, where those are written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from triptych.record.errors import printable
from triptych.record.report import (
    ASPECTS,
    NOT_YET,
    Alignment,
    Finding,
    Measure,
    Media,
    Relation,
    Report,
)

SYMBOL: dict[Relation, str] = {"same": "=", "different": "≠", "unknown": "?"}
#: For outputs that cannot show "≠".
ASCII_SYMBOL: dict[Relation, str] = {"same": "=", "different": "x", "unknown": "?"}

#: Longest text shown of any one value; a page of subtitles belongs in the JSON.
MAX_VALUE = 240
#: Longest unit repeated at each value: "px/s" and "words" are, "correlation" is not.
MAX_UNIT = 8
_LAYOUT = re.compile(r"[\t\n\r\x0b\x0c\x85\u2028\u2029]+")


def clean(text: str, limit: int | None = None) -> str:
    """``text`` on one line, with everything that does not show as itself written as an escape.

    Line breaks and tabs become a space; other control, format (bidirectional, zero-width) and
    lone surrogate characters become escapes as Python writes them. ``limit``: cut to so many
    characters.
    """
    shown = printable(_LAYOUT.sub(" ", text))
    if limit is not None and len(shown) > limit:
        shown = shown[: limit - 1] + "…"
    return shown


def name(path: str, limit: int | None = None) -> str:
    """The last part of a path, fit to be shown; a cut keeps the start and the ending."""
    # Not pathlib: "-" and URLs are names too, and a name may end in a slash.
    last = printable(path.rstrip("/").rsplit("/", 1)[-1] or path)
    if limit is not None and len(last) > limit:
        tail = (limit - 1) // 2
        last = last[: limit - 1 - tail] + "…" + last[len(last) - tail :]
    return last


def clock(seconds: float, digits: int = 1) -> str:
    """``seconds`` as ``m:ss.s``, or ``h:mm:ss.s`` from an hour on."""
    unit = 10**digits
    ticks = round(abs(seconds) * unit)
    sign = "-" if seconds < 0 and ticks else ""
    whole, part = divmod(ticks, unit)
    minutes, s = divmod(whole, 60)
    hours, m = divmod(minutes, 60)
    fraction = f".{part:0{digits}d}" if digits else ""
    if hours:
        return f"{sign}{hours}:{m:02d}:{s:02d}{fraction}"
    return f"{sign}{m}:{s:02d}{fraction}"


def span(start_s: float, end_s: float) -> str:
    """A stretch of time; one moment when it is shorter than shows."""
    first, last = clock(start_s), clock(end_s)
    return first if first == last else f"{first}–{last}"


def number(value: float) -> str:
    """``value`` with as many digits as mean something to a reader: three or four."""
    if isinstance(value, int) or float(value).is_integer():
        return f"{int(value)}"
    magnitude = abs(value)
    digits = 0 if magnitude >= 1000 else 1 if magnitude >= 100 else 2 if magnitude >= 1 else 3
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return text if text.strip("-0.") else f"{value:.1g}"


def value(v: Any) -> str:
    """Any value of a finding or measure, on one line of at most :data:`MAX_VALUE` characters."""
    return clean(_value(v), MAX_VALUE)


def _value(v: Any) -> str:
    if v is None:
        return "not known"
    if isinstance(v, bool):
        return "yes" if v else "no"
    if isinstance(v, int | float):
        return number(v)
    if isinstance(v, Mapping):
        return ", ".join(f"{k}: {_value(x)}" for k, x in v.items()) or "none"
    if isinstance(v, list | tuple):
        return ", ".join(_value(x) for x in v) or "none"
    return str(v)


def with_unit(v: Any, unit: str) -> str:
    """A measured value and its unit, unless that is too long to be repeated at each value."""
    shown = value(v)
    if v is None or isinstance(v, bool | str) or not unit or _long(unit):
        return shown
    unit = {"x": "×", "times": "×", "degrees": "°", "percent": "%"}.get(unit, clean(unit))
    return f"{shown}{unit}" if unit in ("%", "°", "×") else f"{shown} {unit}"


def _long(unit: str) -> bool:
    return len(unit) > MAX_UNIT or unit in ("1", "ratio")


def quantity(measure: Measure) -> str:
    """What was measured; with its unit where that does not stand at each value."""
    unit = measure.unit if _long(measure.unit) and measure.unit not in ("1", "ratio") else ""
    return clean(f"{measure.name} ({unit})" if unit else measure.name)


def measured(finding: Finding) -> str:
    """The number, its unit and the threshold on one line, or nothing where none was taken."""
    m = finding.measure
    if m is None:
        return ""
    sides = [f"{clean(k)} {with_unit(v, m.unit)}" for k, v in m.values.items()]
    if len(m.values) == 1:
        sides = [with_unit(v, m.unit) for v in m.values.values()]
    line = f"{quantity(m)}: {', '.join(sides) or 'not known'}"
    if m.threshold is not None:
        line += f" (threshold {with_unit(m.threshold, m.unit)})"
    return line


def size(media: Media) -> str:
    """Display size in pixels."""
    if not media.display_width or not media.display_height:
        return "size not known"
    return f"{media.display_width}×{media.display_height}"


def facts(media: Media) -> list[str]:
    """What a file is, in a few short pieces: size, rate, duration, codec, sound."""
    parts = [size(media)]
    if media.fps:
        parts.append(f"{number(media.fps)} fps" + (" (variable)" if media.vfr else ""))
    if media.duration_s is not None:
        parts.append(clock(media.duration_s))
    parts += [clean(c) for c in (media.codec,) if c]
    parts.append(f"sound {clean(media.audio.codec)}" if media.audio else "no sound")
    return parts


def notes(report: Report) -> list[tuple[str, str]]:
    """What was normalised and what was damaged: (video's id, sentence)."""
    found = []
    for media in report.videos:
        found += [(media.id, clean(note)) for note in media.notes]
        found += [
            (media.id, f"damaged at {span(d.start_s, d.end_s)}: {clean(d.reason)}")
            for d in media.damage
        ]
    return found


def by_relation(report: Report, relation: Relation) -> list[Finding]:
    """Findings of that relation, in the report's order."""
    return [f for f in report.findings if f.relation == relation]


def at_odds(finding: Finding) -> bool:
    """Whether a check speaks against what a model says."""
    return any(c.outcome.startswith(("contradict", "flipped")) for c in finding.checks)


def not_looked_at(report: Report) -> list[tuple[str, list[str]]]:
    """Aspects on which the report has no finding: the reason, and the aspects' names.

    A dimension without any is named as a whole.

    Sound that a file does not have is told by the finding on its presence, and is not listed.
    """
    told = {(f.dimension, f.aspect) for f in report.findings}
    if not told and report.dimensions and all(r == "same" for r in report.dimensions.values()):
        return []  # the same bytes: there was nothing to look at
    silent = any(m.audio is None for m in report.videos) and ("sound", "presence") in told
    left_out: list[str] = []
    not_yet: list[str] = []
    for dimension, aspects in ASPECTS.items():
        if silent and dimension == "sound":
            continue
        missing = [a for a in aspects if (dimension, a) not in told]
        waiting = [a for a in missing if (dimension, a) in NOT_YET]
        not_yet += [_named(dimension, a) for a in waiting]
        if len(missing) == len(aspects) > 1 and not waiting:
            left_out.append(dimension)
        else:
            left_out += [_named(dimension, a) for a in missing if a not in waiting]
    reasons = (("not looked at", left_out), ("not measured by this version", not_yet))
    return [(reason, names) for reason, names in reasons if names]


def _named(dimension: str, aspect: str) -> str:
    """An aspect's name, with its dimension where it stands under several."""
    twice = sum(aspect in aspects for aspects in ASPECTS.values()) > 1
    return f"{dimension}: {aspect}" if twice else aspect


def selector(finding: Finding) -> str:
    """How ``--only`` names this finding's aspect: alone where that is unambiguous."""
    homes = [d for d, aspects in ASPECTS.items() if finding.aspect in aspects]
    ambiguous = len(homes) != 1 or finding.aspect in ("text", "speech", "people")
    return f"{finding.dimension}: {finding.aspect}" if ambiguous else finding.aspect


def alignment(a: Alignment) -> str:
    """How B's time and picture map to A's, in one sentence."""
    if not a.matched:
        best = f"best score {number(a.score)}"
        return f"The videos could not be aligned ({best}); each was measured on its own."
    parts = []
    if a.speed is not None:
        low_high = ""
        if a.speed_interval is not None:
            low_high = " (between {} and {})".format(*map(number, a.speed_interval))
        parts.append(f"speed {number(a.speed)}×{low_high}")
    parts.append("played backwards" if a.direction == "reverse" else "played forward")
    parts.append("not mirrored" if a.mirrored == "none" else f"mirrored {a.mirrored}ly")
    if a.rotation_deg:
        parts.append(f"turned by {number(a.rotation_deg)}°")
    if a.offset_s is not None:
        parts.append(f"offset {number(a.offset_s)} s")
    scores = f"score {number(a.score)}"
    if a.runner_up is not None:
        scores += f", runner-up {number(a.runner_up)}"
    return f"B was aligned to A: {', '.join(parts)}; {scores}."
