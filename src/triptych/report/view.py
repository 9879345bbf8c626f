"""What the page shows, worked out from the report before any HTML is written.

Everything textual here has been through :func:`triptych.report.text.clean`; the template adds the
escaping of HTML.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from triptych.record.report import DIMENSIONS, Alignment, Evidence, Finding, Media, Report
from triptych.report import commands
from triptych.report import text as t
from triptych.report.stills import STILL_SIDE, Shot
from triptych.report.times import Moment, at, moments

#: Moments shown with one finding, and frames shown on one page. 120 frames at 640 pixels and
#: 25 KB fill the frames' share of the page's budget.
MAX_MOMENTS = 3
MAX_SHOTS = 120
#: Aspects that come out of the alignment, whose runner-up is therefore the alignment's.
ALIGNED = frozenset({"speed", "direction", "mirroring", "rotation"})


@dataclass(frozen=True, slots=True)
class Side:
    """One video's half of a moment. ``key`` names its frame; boxes are shares of its picture."""

    video: str
    time: float
    clock: str
    stretch: str
    shows: str
    key: str
    shot: Shot
    boxes: list[dict[str, float]]
    mapped: bool


@dataclass(frozen=True, slots=True)
class Look:
    """A moment on a card, and how to bring B's picture back to A's: turn, then mirror."""

    a: Side | None
    b: Side | None
    heard: bool
    mirror: str
    turn: int
    undone: str

    @property
    def sides(self) -> list[Side]:
        """The halves that there are."""
        return [s for s in (self.a, self.b) if s is not None]


@dataclass(frozen=True, slots=True)
class Card:
    """A finding as shown."""

    id: str
    dimension: str
    aspect: str
    relation: str
    symbol: str
    statement: str
    measure: str
    numbers: list[tuple[str, str]]
    threshold: str
    values: list[tuple[str, str]]
    runner_up: str
    confidence: int
    source: str
    checks: list[str]
    command: str
    looks: list[Look] = field(default_factory=list)
    more: int = 0


def cards(report: Report, command: str) -> list[Card]:
    """One card a finding, differences first, then what is unknown, then what is the same.

    ``command`` is what made the report, as typed.
    """
    order = {"different": 0, "unknown": 1, "same": 2}
    found = []
    shots: set[tuple[str, Shot]] = set()
    for i, f in sorted(enumerate(report.findings), key=lambda p: (order[p[1].relation], p[0])):
        paired = moments(f, report.alignment, limit=10**6)
        looks = []
        for moment in paired[:MAX_MOMENTS]:
            look = _look(report, moment)
            shots |= {(s.video, s.shot) for s in look.sides}
            if len(shots) <= MAX_SHOTS:
                looks.append(look)
        found.append(_card(report, f, i, command, looks, len(paired) - len(looks)))
    return found


def _card(
    report: Report, f: Finding, index: int, command: str, looks: list[Look], more: int
) -> Card:
    m = f.measure
    runner_up = ""
    told = m is not None and "runner-up" in m.values
    if f.aspect in ALIGNED and not told and report.alignment.runner_up is not None:
        runner_up = (
            f"next best explanation {t.number(report.alignment.runner_up)}, "
            f"this one {t.number(report.alignment.score)}"
        )
    source = "measured"
    if f.source == "model" and f.model is not None:
        source = t.clean(f"written by {f.model.id} ({f.model.role})")
    # A statement of a model must not pass for a measurement before the details are opened.
    aspect = f.aspect if f.source == "measured" else f"{f.aspect} by a model, not measured"
    if t.at_odds(f):
        aspect += ", at odds"
    return Card(
        id=f"finding-{index + 1}",
        dimension=f.dimension,
        aspect=t.clean(aspect),
        relation=f.relation,
        symbol=t.SYMBOL[f.relation],
        statement=t.clean(f.statement, 400),
        measure=t.quantity(m) if m else "",
        numbers=[(t.clean(k), t.with_unit(v, m.unit)) for k, v in m.values.items()] if m else [],
        threshold=t.with_unit(m.threshold, m.unit) if m and m.threshold is not None else "",
        values=[(t.clean(k), t.value(v)) for k, v in f.values.items()],
        runner_up=runner_up,
        confidence=round(100 * f.confidence),
        source=source,
        checks=[t.clean(f"{c.kind}: {c.outcome}") for c in f.checks],
        command=commands.for_finding(report, f, command),
        looks=looks,
        more=more,
    )


def _look(report: Report, moment: Moment) -> Look:
    media = {m.id: m for m in report.videos}
    a = _side(media.get("A"), moment.a, moment.mapped == "A")
    b = _side(media.get("B"), moment.b, moment.mapped == "B")
    mirror, turn = orientation(report.alignment, a.time if a else None)
    undone = []
    if turn:
        undone.append(f"turned back by {turn}°")
    if mirror != "none":
        undone.append(f"mirrored back ({mirror}ly)")
    heard = any(e is not None and e.modality in ("speech", "sound") for e in (moment.a, moment.b))
    return Look(a, b, heard, mirror, turn, " and ".join(undone))


def _side(media: Media | None, e: Evidence | None, mapped: bool) -> Side | None:
    if media is None or e is None:
        return None
    time = max(0.0, at(e))
    if media.duration_s:
        time = min(time, media.duration_s)
    boxes = []
    if e.box is not None and media.display_width and media.display_height:
        boxes.append(_box(e.box, media.display_width, media.display_height))
    return Side(
        video=media.id,
        time=time,
        clock=t.clock(time, 2),
        stretch="" if mapped else t.span(e.start_s, e.end_s),
        shows=t.clean(e.shows, t.MAX_VALUE),
        key=f"{media.id}-{round(time * 1e6)}",
        shot=Shot(time, STILL_SIDE),
        boxes=boxes,
        mapped=mapped,
    )


def _box(box: list[float], width: int, height: int) -> dict[str, float]:
    """x, y, w, h in pixels as percent of the picture, cut to it."""
    x, y = min(max(box[0], 0), width), min(max(box[1], 0), height)
    w, h = min(box[0] + box[2], width) - x, min(box[1] + box[3], height) - y
    shares = {"left": x / width, "top": y / height, "width": w / width, "height": h / height}
    return {k: round(100 * max(v, 0.0), 3) for k, v in shares.items()}


def orientation(alignment: Alignment, a_time: float | None) -> tuple[str, int]:
    """How B's picture stands to A's at A's ``a_time``: mirrored, then turned by so many degrees
    clockwise (a multiple of 90). ``("none", 0)`` where the videos do not match.
    """
    if not alignment.matched:
        return "none", 0
    mirror: str = alignment.mirrored
    for s in alignment.spans:
        if a_time is not None and min(s.a) - 1e-6 <= a_time <= max(s.a) + 1e-6:
            mirror = s.mirrored
            break
    return mirror, round((alignment.rotation_deg or 0) / 90) * 90 % 360


def scorecard(report: Report) -> list[dict[str, Any]]:
    """The eight dimensions: relation, symbol, and how many findings there are of each kind."""
    rows = []
    for dimension in DIMENSIONS:
        relation = report.dimensions.get(dimension, "unknown")
        found = [f for f in report.findings if f.dimension == dimension]
        count = sum(f.relation == relation for f in found)
        rows.append(
            {
                "name": dimension,
                "relation": relation,
                "symbol": t.SYMBOL[relation],
                "count": count,
                "aspects": ", ".join(
                    dict.fromkeys(t.clean(f.aspect) for f in found if f.relation == relation)
                )
                or ("" if found else "not measured"),
            }
        )
    return rows


def file_rows(report: Report) -> list[tuple[str, list[str]]]:
    """The table of what the files are: (property, value of each video)."""
    rows: list[tuple[str, list[str]]] = []

    def row(title: str, values: list[str]) -> None:
        if any(v not in ("", "–") for v in values):
            rows.append((title, [v or "–" for v in values]))

    ms = report.videos
    row("file", [t.clean(m.path) for m in ms])
    row("container", [t.clean(m.container or "") for m in ms])
    row("codec", [t.clean(m.codec or "") for m in ms])
    row("coded size", [f"{m.width}×{m.height}" if m.width and m.height else "" for m in ms])
    row("shown size", [t.size(m) for m in ms])
    row("rotation flag", [f"{m.rotation}°" if m.rotation else "none" for m in ms])
    row("frames per second", [_rate(m) for m in ms])
    row("frames", ["" if m.frames is None else str(m.frames) for m in ms])
    row("duration", ["" if m.duration_s is None else t.clock(m.duration_s, 3) for m in ms])
    row("clock at first frame", ["" if m.start_s is None else f"{m.start_s:g} s" for m in ms])
    row("bit depth", ["" if m.bit_depth is None else str(m.bit_depth) for m in ms])
    row("dynamic range", [t.clean(m.hdr or "") for m in ms])
    row("interlaced", ["" if m.interlaced is None else t.value(m.interlaced) for m in ms])
    row("bars (left, top, right, bottom)", [_bars(m.bars) for m in ms])
    row("sound", [_sound(m) for m in ms])
    return rows


def _rate(m: Media) -> str:
    return "" if m.fps is None else t.number(m.fps) + (" on average, variable" if m.vfr else "")


def _bars(bars: list[int]) -> str:
    return ", ".join(map(str, bars)) + " px" if any(bars) else "none"


def _sound(m: Media) -> str:
    if m.audio is None:
        return "none"
    channels = {1: "mono", 2: "stereo"}.get(m.audio.channels, f"{m.audio.channels} channels")
    return t.clean(f"{m.audio.codec}, {m.audio.sample_rate} Hz, {channels}")


def crops(report: Report) -> Mapping[str, list[float]]:
    """Each video's picture without its bars, as shares: left, top, right, bottom edge."""
    found = {}
    for m in report.videos:
        w, h = m.display_width or 1, m.display_height or 1
        left, top, right, bottom = m.bars
        edges = [left / w, top / h, 1 - right / w, 1 - bottom / h]
        sound = edges[0] < edges[2] and edges[1] < edges[3]
        found[m.id] = [round(e, 6) for e in edges] if sound else [0.0, 0.0, 1.0, 1.0]
    return found
