"""Frames of the same moment, brought to one geometry."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np

from triptych.measure.align import Match
from triptych.measure.descriptors import FLAT_LEVELS, Orientation, orient
from triptych.measure.pairs import Mask, Pair
from triptych.measure.register import (
    F64,
    Transform,
    compose,
    consensus,
    fill_matrix,
    find_transform,
    keypoints,
    matrix_of,
    nudge,
    orientation_matrix,
)
from triptych.measure.survey import Survey
from triptych.measure.timemap import Piece
from triptych.measure.views import active_share, turned_share
from triptych.media.frame import I420, U8
from triptych.media.moments import frames_at
from triptych.media.video import Video

#: Moments compared, spread over the matched stretches.
MOMENTS = 16
#: Largest disagreement, in frames of B, between the moment wanted and the still at hand.
SLACK_FRAMES = 0.6
#: A moment's own transform is used when this many keypoints stand behind it and it is this far
#: from the common one: shares of scale and frame, degrees.
MOVED_KEYPOINTS, MOVED_SHARE, MOVED_DEGREES = 20, 0.01, 0.7
#: Moments that have to agree, and how far off they may be, for the picture to be in place: a
#: third of what registration of re-encoded clips scatters at most, and of what counts as drift.
FEW, IN_PLACE_SHARE, IN_PLACE_DEGREES = 6, 0.0015, 0.15
#: One still of this many is looked at for texture.
LOOK_EVERY = 10
#: RMS change over the moments, levels, below which a video is still.
STILL_LEVELS = 1.5


@dataclass(frozen=True, slots=True)
class Moment:
    """A matched moment before registration: both pictures as their videos show them."""

    time_a: float
    time_b: float
    a: I420
    b: I420
    orientation: Orientation


@dataclass(frozen=True, slots=True)
class Registered:
    """Pairs in one geometry, and the transform behind them.

    ``transform`` is the median over moments, ``None`` where the pictures could not be registered
    (too little texture): then A is only assumed to fill B as it filled its own display.
    ``framing`` is the same against how A's picture would fill B without reframing: that is the
    display, or the part inside the bars, whichever is nearer. ``each`` has one entry a moment, in
    order.
    """

    pairs: Sequence[Pair]
    transform: Transform | None
    framing: Transform | None
    each: Sequence[tuple[float, float, Transform | None]]
    agreement: float | None
    only_plain: bool = False


def moments(
    match: Match, a: Survey, b: Survey, video_a: Video, video_b: Video, count: int = MOMENTS
) -> list[Moment]:
    """Frames of the same moments, from the stills where both have them, else decoded again."""
    wanted: list[tuple[Piece, float]] = []
    total = sum(p.a1 - p.a0 for p in match.timemap.pieces)
    for p in match.timemap.pieces:
        n = max(1, round(count * (p.a1 - p.a0) / max(total, 1e-6)))
        # Off the edges: there the mapping may be a frame out.
        wanted += [(p, p.a0 + (p.a1 - p.a0) * (i + 0.5) / n) for i in range(n)]
    gap = _frame_gap(b)
    # The pixels' shape is a flag, not content: A is then looked at in B's shape.
    reshape = _other_pixels(a, b)
    times_a = [_best_still(p, t, a, b) for p, t in wanted]
    # Stills of a long video lie far apart: one from outside the stretch shows something else.
    far = {t: wish for (p, wish), t in zip(wanted, times_a, strict=True) if not p.a0 <= t <= p.a1}
    fetched_a = dict(_fetch(video_a, sorted(set(far.values())), a.size))
    stills_a = {t: fetched_a[w] for t, w in far.items() if w in fetched_a}
    times_a = [stills_a[t][0] if t in stills_a else t for t in times_a]
    shown_a = dict(stills_a.values())
    targets = [p.to_b(t) for (p, _), t in zip(wanted, times_a, strict=True)]
    missing = {
        t for t in targets if abs(b.stills.times[b.stills.nearest(t)] - t) > SLACK_FRAMES * gap
    }
    fetched = dict(_fetch(video_b, sorted(missing), b.size))
    out = []
    for (p, _), time_a, target in zip(wanted, times_a, targets, strict=True):
        if target in missing:
            if target not in fetched:
                continue
            time_b, picture_b = fetched[target]
        else:
            j = b.stills.nearest(target)
            time_b, picture_b = float(b.stills.times[j]), b.stills.pictures[j]
        if not p.a0 - gap <= time_a <= p.a1 + gap:
            continue
        picture_a = shown_a.get(time_a) or a.stills.pictures[a.stills.nearest(time_a)]
        orientation = Orientation(p.mirror, p.quarter_turns)
        if reshape:
            picture_a = _resized(picture_a, b.size)
        out.append(Moment(time_a, time_b, picture_a, picture_b, orientation))
    return out


def _other_pixels(a: Survey, b: Survey) -> bool:
    """Whether both have the same coded shape and are shown in different ones."""
    coded, shown = (
        [
            (getattr(s.media, f"{kind}width") or 1) / (getattr(s.media, f"{kind}height") or 1)
            for s in (a, b)
        ]
        for kind in ("", "display_")
    )
    alike = abs(coded[0] / coded[1] - 1) < 0.01
    return bool(alike and abs(shown[0] / shown[1] - 1) > 0.02)


def _resized(picture: I420, size: tuple[int, int]) -> I420:
    half = size[0] // 2, size[1] // 2
    planes = ((picture.y, size), (picture.u, half), (picture.v, half))
    y, u, v = (
        np.asarray(cv2.resize(x, to, interpolation=cv2.INTER_LINEAR), np.uint8) for x, to in planes
    )
    return I420(y, u, v)


def _frame_gap(s: Survey) -> float:
    return float(np.median(np.diff(s.frame_times))) if len(s.frame_times) > 1 else 0.04


def _best_still(p: Piece, t: float, a: Survey, b: Survey) -> float:
    """A's still near ``t`` whose counterpart in B is nearest to a frame's own time.

    Where frame rates differ, some frames coincide and others fall between; the former show the
    same instant.
    """
    times = a.stills.times
    reach = 0.25 * min(1.0, p.a1 - p.a0)
    low, high = np.searchsorted(times, [t - reach, t + reach])
    if low >= high:
        return float(times[a.stills.nearest(t)])
    near = times[low:high]
    counterpart = p.b0 + p.slope * (near - p.a0)
    index = np.clip(np.searchsorted(b.frame_times, counterpart), 1, len(b.frame_times) - 1)
    if len(b.frame_times) < 2:
        return float(near[len(near) // 2])
    off = np.minimum(
        np.abs(b.frame_times[index] - counterpart), np.abs(b.frame_times[index - 1] - counterpart)
    )
    return float(near[int(np.argmin(off + 0.02 * np.abs(near - t)))])


def _fetch(
    video: Video, times: Sequence[float], size: tuple[int, int]
) -> list[tuple[float, tuple[float, I420]]]:
    if not times:
        return []
    return [(t, (float(f.time), f.i420(*size))) for t, f in frames_at(video, times)]


def registered(found: Sequence[Moment], a: Survey, b: Survey) -> Registered:
    """Bring A's picture of each moment to where B shows it."""
    each = _transforms(found)
    common = consensus(each)
    inside_a, inside_b = active_mask(a), active_mask(b)
    pairs = [
        _pair(m, own_transform(t, common), inside_a, inside_b)
        for m, t in zip(found, each, strict=True)
    ]
    times = [(m.time_a, m.time_b, t) for m, t in zip(found, each, strict=True)]
    framing = None if common is None else _framing(common, found[0].orientation, a, b)
    plain = bool(found) and all(_plain(m.a.y) or _plain(m.b.y) for m in found)
    textured = any(not _plain(p.y) for s in (a, b) for p in s.stills.pictures[::LOOK_EVERY])
    return Registered(pairs, common, framing, times, _agreement(pairs), plain and textured)


def _plain(picture: U8) -> bool:
    return float(picture.std()) < FLAT_LEVELS


def own_transform(t: Transform | None, common: Transform | None) -> Transform | None:
    """The moment's own transform where it clearly differs from the common one: a camera move."""
    if t is None or common is None or t.agreeing < MOVED_KEYPOINTS:
        return common
    off = max(
        abs(t.scale - common.scale),
        *(abs(x - y) for x, y in zip(t.shift, common.shift, strict=True)),
    )
    return t if off > MOVED_SHARE or abs(t.degrees - common.degrees) > MOVED_DEGREES else common


def _agreement(pairs: Sequence[Pair]) -> float | None:
    if len(pairs) < 3:
        return None
    valid = np.logical_and.reduce([p.valid for p in pairs])
    if valid.sum() < 0.05 * valid.size:
        valid = np.logical_or.reduce([p.valid for p in pairs])
    a, b = (
        np.stack([cv2.GaussianBlur(x, (0, 0), 1.5)[valid] for x in pictures]).astype(np.float32)
        for pictures in ([p.a.y for p in pairs], [p.b.y for p in pairs])
    )
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    # A fade or flicker changes all pixels alike; it is what happens in places that counts.
    a, b = a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True)
    energy_a, energy_b = float((a * a).mean()), float((b * b).mean())
    if min(energy_a, energy_b) < STILL_LEVELS**2:
        return None
    return float(float((a * b).mean()) / (energy_a * energy_b) ** 0.5)


def _transforms(found: Sequence[Moment]) -> list[Transform | None]:
    """The transform of each moment.

    A few, evenly spread, are measured first; where they agree that nothing is moved at all, which
    is the usual case, the rest is taken to be the same.
    """
    each: list[Transform | None] = [None] * len(found)
    # In black there is nothing to register.
    shown = [i for i, m in enumerate(found) if not (_plain(m.a.y) or _plain(m.b.y))]
    every = max(1, (len(shown) - 1) // (FEW - 1))
    first = shown[::every]
    rest = [i for i in shown if i not in first]
    with ThreadPoolExecutor(2) as pool:  # keypoints are found outside the interpreter's lock
        for i, t in zip(first, pool.map(_transform, [found[i] for i in first]), strict=True):
            each[i] = t
        measured = [each[i] for i in first]
        common = consensus(measured)
        if len(measured) >= FEW and common is not None and all(map(_in_place, measured)):
            for i in rest:
                each[i] = common
        else:
            for i, t in zip(rest, pool.map(_transform, [found[i] for i in rest]), strict=True):
                each[i] = t
    return each


def _in_place(t: Transform | None) -> bool:
    """Whether the picture is where it was, to within what registration itself scatters."""
    if t is None:
        return False
    off = max(abs(t.scale - 1), *(abs(x) for x in t.shift))
    return off < IN_PLACE_SHARE and abs(t.degrees) < IN_PLACE_DEGREES


def _transform(m: Moment) -> Transform | None:
    upright = np.ascontiguousarray(orient(m.a.y, m.orientation), dtype=np.uint8)
    near = nudge(upright, m.b.y)
    if _in_place(near):
        return near
    return find_transform(keypoints(upright), keypoints(m.b.y))


def _framing(t: Transform, o: Orientation, a: Survey, b: Survey) -> Transform:
    of_a, of_b = turned_share(active_share(a), o), active_share(b)
    # Of A's width (as turned) and of its height, how much larger is the part inside B's bars?
    size_a, size_b = a.size if o.quarter_turns % 2 == 0 else a.size[::-1], b.size
    fill = size_b[0] / size_a[0]
    grown = [
        (of_b[i + 2] - of_b[i]) * size_b[i] / ((of_a[i + 2] - of_a[i]) * size_a[i] * fill)
        for i in (0, 1)
    ]
    scale = min(grown)
    # Where A's centre lands when the inner parts' centres meet.
    shift = []
    for i in (0, 1):
        centre_a = ((of_a[i] + of_a[i + 2]) / 2 - 0.5) * size_a[i] * fill
        centre_b = ((of_b[i] + of_b[i + 2]) / 2 - 0.5) * size_b[i]
        shift.append((centre_b - scale * centre_a) / size_b[i])
    inner = Transform(
        t.scale / scale, t.degrees, (t.shift[0] - shift[0], t.shift[1] - shift[1]), t.agreeing
    )
    return min((t, inner), key=lambda x: abs(x.scale - 1) + abs(x.shift[0]) + abs(x.shift[1]))


def active_mask(s: Survey) -> Mask:
    """Where the analysis picture is inside its bars, (h, w)."""
    width, height = s.size
    mask = np.zeros((height, width), np.bool_)
    left, top, right, bottom = s.media.bars
    fx = width / (s.media.display_width or width)
    fy = height / (s.media.display_height or height)
    y0, y1 = int(np.ceil(top * fy)), height - int(np.ceil(bottom * fy))
    x0, x1 = int(np.ceil(left * fx)), width - int(np.ceil(right * fx))
    mask[y0:y1, x0:x1] = True
    return mask


def placement(
    o: Orientation, t: Transform | None, size_a: tuple[int, int], size_b: tuple[int, int]
) -> F64:
    """2x3 matrix from pixels of A's picture to pixels of B's; sizes are (width, height)."""
    turned = orientation_matrix(o, *size_a)
    source = size_a[::-1] if o.quarter_turns % 2 == 1 else size_a
    fill = fill_matrix(source, size_b)
    return compose(fill if t is None else matrix_of(t, fill, size_b), turned)


def _pair(m: Moment, t: Transform | None, inside_a: Mask, inside_b: Mask) -> Pair:
    size = m.b.y.shape[1], m.b.y.shape[0]
    matrix = placement(m.orientation, t, (m.a.y.shape[1], m.a.y.shape[0]), size)
    y = _warp(m.a.y, matrix, size)
    half = _halved(matrix)
    small = m.b.u.shape[1], m.b.u.shape[0]
    u, v = _warp(m.a.u, half, small), _warp(m.a.v, half, small)
    mask = _warp(inside_a.astype(np.uint8) * 255, matrix, size) > 250
    valid = mask & inside_b
    # The outermost pixels mix with what is beyond the edge.
    valid = cv2.erode(
        valid.astype(np.uint8),
        np.ones((3, 3), np.uint8),
        borderType=cv2.BORDER_CONSTANT,
        borderValue=(1.0,),
    ).astype(np.bool_)
    return Pair(m.time_a, m.time_b, I420(y, u, v), m.b, valid)


def _warp(picture: U8, matrix: F64, size: tuple[int, int]) -> U8:
    if np.allclose(matrix, [[1, 0, 0], [0, 1, 0]], atol=1e-6) and size == picture.shape[::-1]:
        return picture
    return np.asarray(cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)


def _halved(m: F64) -> F64:
    """``m`` for pictures of half the size: pixel centres lie at 2x + 0.5 of the full picture."""
    linear = m[:, :2]
    shift = (linear @ np.array([0.5, 0.5]) + m[:, 2] - 0.5) / 2
    return np.hstack([linear, shift[:, None]])
