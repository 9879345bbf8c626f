"""The finding on shot scale: close-up, medium, full or long, shot by shot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from triptych.diff import thresholds as limit
from triptych.diff.camera_shots import transitions_of
from triptych.diff.context import Context, finding
from triptych.diff.people_look import look
from triptych.diff.regions_look import box_in_a, in_display, matrix_to_b, orientation_at
from triptych.measure.camera_motion import shots_between
from triptych.measure.pairs import Pair
from triptych.measure.people_models import Box, Sighting
from triptych.measure.shot_scale import border_between, by_body, by_face, scale_of
from triptych.measure.survey import Survey
from triptych.record.report import Evidence, Finding, Measure, Media, Value
from triptych.report.text import clock

#: Share of the height within which a box that reaches the edge is cut by it.
EDGE = 0.02
#: Height over width from which a box is of a whole body that stands. Shoulders are 0.259 of the
#: height (Drillis and Contini), arms and stride add a half. On the tuning clips whole figures have
#: 2.6 and more; one to the hips behind furniture, whose box ends above the edge, 1.7.
STANDING = 2.2


@dataclass(frozen=True, slots=True)
class _View:
    """How many body heights a picture shows, by whom (``box``: display pixels), at ``time``."""

    time: float
    bodies: float
    box: list[float] | None


@dataclass(frozen=True, slots=True)
class _Shot:
    """Views of one shot of A, and of the same moments in B."""

    a: Sequence[_View]
    b: Sequence[_View]


def findings(ctx: Context) -> Iterator[Finding]:
    """How the framing of people compares, by the largest face or else the largest whole body."""
    if not ctx.options.wants("camera", "shot scale"):
        return
    faces, people = look(ctx, "faces"), look(ctx, "people")
    if faces.why and people.why:
        why = faces.why.replace("counting faces", "telling shot scale")
        yield finding("camera", "shot scale", "unknown", why)
        return
    shots = _apart(ctx) if ctx.match is None else _aligned(ctx)
    known = [s for s in shots if s.a and s.b and not (_far(s) and _few(s))]
    if not known:
        yield _nobody(ctx, shots)
        return
    changed = [s for s in known if _far(s)]
    shown = changed or known
    a, b = _bodies(shown[0].a), _bodies(shown[0].b)
    yield finding(
        "camera",
        "shot scale",
        "different" if changed else "same",
        _statement(changed) if changed else f"{_listed(known)} in both",
        values=_values(shots),
        measure=Measure(
            name="body heights that the picture's height shows",
            unit="body heights",
            threshold=border_between(a, b),
            values={"A": round(a, 3), "B": round(b, 3)},
        ),
        evidence=[
            Evidence(
                video=name, start_s=v.time, end_s=v.time, frame_s=v.time, box=v.box,
                shows=scale_of(_bodies(views)),
            )
            for s in shown[:2]
            for name, views in (("A", s.a), ("B", s.b))
            for v in views[len(views) // 2 :][:1]
        ],
        confidence=0.7,
    )  # fmt: skip


def _nobody(ctx: Context, shots: Sequence[_Shot]) -> Finding:
    """Without a face or a body the class is not known; that it is the same may be, by framing."""
    framing = None if ctx.match is None or ctx.registered is None else ctx.registered.framing
    nobody = "neither a face nor a whole person is steadily seen in both"
    if framing is not None and abs(framing.scale - 1) <= limit.FRAMING_SCALE:
        said = f"the same picture is framed alike, whatever its shot scale ({nobody})"
        return finding("camera", "shot scale", "same", said, values=_values(shots), confidence=0.8)
    said = f"the shot scale is not known: {nobody}"
    return finding("camera", "shot scale", "unknown", said, values=_values(shots))


def _far(s: _Shot) -> bool:
    """Whether the class changes, clearly beyond its border."""
    a, b = _bodies(s.a), _bodies(s.b)
    border = border_between(a, b)
    if border is None:
        return False
    beyond = min(max(x / border, border / x) for x in (a, b))
    return beyond >= limit.SCALE_BEYOND and max(a / b, b / a) >= limit.SCALE_RATIO


def _few(s: _Shot) -> bool:
    """Whether it is seen at too few moments to say that the class changes."""
    return min(len(s.a), len(s.b)) < limit.SCALE_MOMENTS


def _bodies(views: Sequence[_View]) -> float:
    return float(np.median([v.bodies for v in views]))


def _statement(changed: Sequence[_Shot]) -> str:
    parts = [
        f"B shows a {scale_of(_bodies(s.b))} where A shows a {scale_of(_bodies(s.a))} "
        f"({clock(s.a[0].time)})"
        for s in changed[:3]
    ]
    more = len(changed) - len(parts)
    return "; ".join(parts) + (f"; and {more} more shots" if more else "")


def _listed(shots: Sequence[_Shot]) -> str:
    return ", ".join(dict.fromkeys(scale_of(_bodies(s.a)) for s in shots))


def _values(shots: Sequence[_Shot]) -> dict[str, Value]:
    out: dict[str, Value] = {}
    for name, sides in (("A", [s.a for s in shots]), ("B", [s.b for s in shots])):
        out[name] = [
            {"at_s": round(v[0].time, 3), "scale": scale_of(_bodies(v))} for v in sides if v
        ]
    return out


def _aligned(ctx: Context) -> list[_Shot]:
    """The shots of A of which somebody is seen at matched moments."""
    faces = {(p.time_a, p.time_b): (p, s) for p, s in look(ctx, "faces").moments}
    people = {(p.time_a, p.time_b): (p, s) for p, s in look(ctx, "people").moments}
    views: list[tuple[_View, _View]] = []
    for key in sorted({*faces, *people}):
        for kind, found in (("face", faces), ("body", people)):
            if key not in found or not found[key][1].both:
                continue
            p, s = found[key]
            made = _both_views(ctx, p, kind, [x for x, _ in s.both])
            if made is not None:
                views.append(made)
                break
    found_shots = transitions_of(ctx)
    shots = shots_between(found_shots[0] if found_shots else [], ctx.a.duration)
    out = []
    for start, end in shots:
        inside = [v for v in views if start <= v[0].time <= end]
        if inside:
            out.append(_Shot([a for a, _ in inside], [b for _, b in inside]))
    return out


def _both_views(
    ctx: Context, p: Pair, kind: str, found: Sequence[Sighting]
) -> tuple[_View, _View] | None:
    """What the largest of ``found`` says of A's and of B's picture; ``None`` if it is cut."""
    turned = orientation_at(ctx, p).quarter_turns % 2 == 1
    height_b, height_a = ctx.b.size[0] if turned else ctx.b.size[1], ctx.a.size[1]
    box = max((x.box for x in found), key=lambda x: x[2] * x[3])
    across, down = box[2] * ctx.b.size[0], box[3] * ctx.b.size[1]
    pixels = across if turned else down
    if kind == "body" and (turned or not _whole(box, down / max(across, 1e-6))):
        return None  # whether a body that lies on its side is cut is not looked into
    linear = matrix_to_b(ctx, p)[:, :2]
    scale = abs(float(np.linalg.det(linear))) ** 0.5
    count = by_face if kind == "face" else by_body
    share_a = pixels / scale / (height_a * _inside(ctx.a.media, False))
    share_b = pixels / (height_b * _inside(ctx.b.media, turned))
    return (
        _View(max(0.0, p.time_a), count(share_a), box_in_a(ctx, p, box)),
        _View(max(0.0, p.time_b), count(share_b), in_display(ctx.b.media, box)),
    )


def _apart(ctx: Context) -> list[_Shot]:
    """Each video as a whole, as if it were one shot."""
    faces, people = look(ctx, "faces").own, look(ctx, "people").own
    sides = []
    for i, survey in enumerate((ctx.a, ctx.b)):
        views = {m.time: _own_view(survey, m.time, "face", m.found) for m in faces[i]}
        for m in people[i]:
            views[m.time] = views.get(m.time) or _own_view(survey, m.time, "body", m.found)
        sides.append([v for _, v in sorted(views.items()) if v is not None])
    # Shots of one video that differ among themselves have no scale in common.
    steady = [s if len({scale_of(v.bodies) for v in s}) <= 1 else [] for s in sides]
    return [_Shot(steady[0], steady[1])]


def _own_view(s: Survey, time: float, kind: str, found: Sequence[Sighting]) -> _View | None:
    shape = s.size[1] / s.size[0]
    whole = [
        x.box
        for x in found
        if kind == "face" or _whole(x.box, shape * x.box[3] / max(x.box[2], 1e-6))
    ]
    if not whole:
        return None
    box = max(whole, key=lambda x: x[2] * x[3])
    count = by_face if kind == "face" else by_body
    return _View(time, count(box[3] / _inside(s.media, False)), in_display(s.media, box))


def _whole(box: Box, slender: float) -> bool:
    """Whether no edge cuts the body above or below, and its height over width is a whole one's."""
    return box[1] >= EDGE and box[1] + box[3] <= 1 - EDGE and slender >= STANDING


def _inside(media: Media, turned: bool) -> float:
    """Share of the height (of the width where ``turned``) that lies inside the bars."""
    left, top, right, bottom = media.bars
    if turned:
        return max(1 - (left + right) / max(media.display_width or 1, 1), 0.05)
    return max(1 - (top + bottom) / max(media.display_height or 1, 1), 0.05)
