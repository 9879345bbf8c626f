"""The dual timeline: what lies where on it, in percent of its width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from triptych.record.report import Media, Report, Span
from triptych.report import text as t
from triptych.report.proxy import Plan
from triptych.report.stills import Shot
from triptych.report.view import Card

#: Frames in the strip of the longer video, and their longest side in pixels.
STRIP_FRAMES = 14
STRIP_SIDE = 128
#: Distances between the labels of the time axis, seconds.
_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)
#: Marks that would touch go to another lane; more lanes than this and they overlap.
MAX_LANES = 4
#: The least width at which a mark can be seen and hit, percent.
_MARK = 0.9


@dataclass(frozen=True, slots=True)
class Track:
    """One video on the timeline."""

    video: str
    width: float
    duration: float
    strip: list[Shot]
    cuts: list[float] = field(default_factory=list)
    damage: list[dict[str, Any]] = field(default_factory=list)
    marks: list[dict[str, Any]] = field(default_factory=list)
    lanes: int = 0
    embedded: list[dict[str, float]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Timeline:
    """Both tracks on one scale, and the ribbons between them."""

    scale: float
    tracks: list[Track]
    ribbons: list[dict[str, Any]]
    ticks: list[dict[str, Any]]


def scale_of(report: Report) -> float:
    """Seconds from the left to the right end: the longer of the two durations."""
    return max([m.duration_s or 0.0 for m in report.videos] + [0.1])


def strip(media: Media, scale: float) -> list[Shot]:
    """Frames for the picture strip: the middles of equal parts, fewer for a shorter video."""
    duration = media.duration_s or 0.0
    count = max(1, round(STRIP_FRAMES * duration / scale))
    return [Shot(round(duration * (i + 0.5) / count, 6), STRIP_SIDE) for i in range(count)]


def build(report: Report, cards: Sequence[Card], plans: Mapping[str, Plan]) -> Timeline:
    """Everything on the timeline. ``plans`` say which stretches can be played."""
    scale = scale_of(report)
    tracks = [_track(report, m, cards, plans.get(m.id), scale) for m in report.videos]
    spans = report.alignment.spans if report.alignment.matched else []
    return Timeline(scale, tracks, [_ribbon(s, scale) for s in spans], _ticks(scale))


def _track(
    report: Report, media: Media, cards: Sequence[Card], plan: Plan | None, scale: float
) -> Track:
    duration = media.duration_s or 0.0
    marks, lanes = _marks(media.id, report, cards, scale)
    embedded = []
    if plan is not None and not plan.whole:
        embedded = [_place(w.start_s, w.end_s, scale) for w in plan.windows]
    return Track(
        video=media.id,
        width=_percent(duration, scale),
        duration=duration,
        strip=strip(media, scale),
        cuts=[_percent(c, scale) for c in cuts(report, media.id) if 0 < c < scale],
        damage=[
            {
                **_place(d.start_s, d.end_s, scale),
                "title": f"damaged at {t.span(d.start_s, d.end_s)}: {t.clean(d.reason)}",
            }
            for d in media.damage
        ],
        marks=marks,
        lanes=lanes,
        embedded=embedded,
    )


def cuts(report: Report, video: str) -> list[float]:
    """Times of the cuts of one video, seconds, as the findings about shots give them.

    Taken from ``values`` where these are times or records with a time, else from the moments of
    the evidence.
    """
    found: set[float] = set()
    for f in report.findings:
        if f.dimension != "camera" or f.aspect != "shots":
            continue
        listed = f.values.get(video)
        times = [_time(x) for x in listed] if isinstance(listed, list) else []
        if times and all(x is not None for x in times):
            found |= {x for x in times if x is not None}
        else:
            found |= {e.start_s for e in f.evidence if e.video == video}
    return sorted(found)


def _time(item: Any) -> float | None:
    if isinstance(item, Mapping):
        item = next((item[k] for k in ("time_s", "start_s", "at_s", "time") if k in item), None)
    if isinstance(item, int | float) and not isinstance(item, bool):
        return float(item)
    return None


def _marks(
    video: str, report: Report, cards: Sequence[Card], scale: float
) -> tuple[list[dict[str, Any]], int]:
    """The findings' evidence as marks, laid out in lanes so that neighbours do not touch."""
    wanted: list[tuple[float, float, Card]] = []
    for card in cards:
        finding = report.findings[int(card.id.rsplit("-", 1)[1]) - 1]
        if card.relation == "same":
            continue
        wanted += [(e.start_s, e.end_s, card) for e in finding.evidence if e.video == video]
    ends: list[float] = []
    marks = []
    for start, end, card in sorted(wanted, key=lambda w: (w[0], w[1], w[2].id)):
        place = _place(start, end, scale)
        place["width"] = max(place["width"], _MARK)
        place["left"] = min(place["left"], 100 - _MARK)
        lane = next((i for i, e in enumerate(ends) if e + 0.3 <= place["left"]), len(ends))
        lane = min(lane, MAX_LANES - 1)
        right = place["left"] + place["width"]
        if lane == len(ends):
            ends.append(right)
        ends[lane] = max(ends[lane], right)
        marks.append(
            {
                **place,
                "lane": lane,
                "card": card.id,
                "time": start,
                "relation": card.relation,
                "symbol": card.symbol,
                "dimension": card.dimension,
                "title": f"{card.aspect} at {t.span(start, end)}: {card.statement}",
            }
        )
    return marks, len(ends)


def _ribbon(span: Span, scale: float) -> dict[str, Any]:
    a0, a1 = (_percent(x, scale) for x in (min(span.a), max(span.a)))
    b0, b1 = (_percent(x, scale) for x in (min(span.b), max(span.b)))
    reverse = span.direction == "reverse"
    # Down the right side and back along the bottom: crossed when B plays it backwards.
    bottom = [(b0, 100), (b1, 100)] if reverse else [(b1, 100), (b0, 100)]
    words = []
    if abs(span.speed - 1) >= 0.005:
        words.append(f"{t.number(round(span.speed, 2))}× speed")
    if reverse:
        words.append("backwards")
    if span.mirrored != "none":
        words.append("mirrored")
    return {
        "points": " ".join(f"{x:g},{y:g}" for x, y in [(a0, 0), (a1, 0), *bottom]),
        "reverse": reverse,
        "label": ", ".join(words) or "same",
        "middle": round((a0 + a1 + b0 + b1) / 4, 3),
        "narrow": min(a1 - a0, b1 - b0) < 9,
        "title": f"A {t.span(min(span.a), max(span.a))} is B {t.span(min(span.b), max(span.b))}"
        + (f": {', '.join(words)}" if words else ""),
    }


def _ticks(scale: float) -> list[dict[str, Any]]:
    step = next((s for s in _STEPS if scale / s <= 9), _STEPS[-1])
    digits = 0 if step >= 1 else 1
    count = int(scale / step + 1e-9)
    return [
        {"left": _percent(i * step, scale), "label": t.clock(i * step, digits)}
        for i in range(count + 1)
    ]


def _place(start: float, end: float, scale: float) -> dict[str, float]:
    left = _percent(start, scale)
    return {"left": left, "width": round(max(_percent(end, scale) - left, 0.0), 4)}


def _percent(seconds: float, scale: float) -> float:
    return round(100 * min(max(seconds / scale, 0.0), 1.0), 4)
