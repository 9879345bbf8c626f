"""Edits of time: which frame is shown when. Sound goes with the picture.

A change of speed and a reversal are what ``setpts`` with ``fps`` and ``reverse`` of libavfilter
do, written as an order of frames so that the truth knows which frame stands where.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from triptych.make.clip import Clip, Frames, Joined, Mapped, Picked, Sound, Stack
from triptych.make.eligible import (
    MOTION_FLOOR,
    STEP_FLOOR,
    lag_motion,
    lively,
    need_seconds,
    shrunk,
    steps,
)
from triptych.make.filters import filter_sound
from triptych.make.registry import Context, Edit, Ineligible, Made, frame_at, register, seconds_at

_TECHNIQUE = "playback technique"


def speed(clip: Clip, parameter: float, context: Context) -> Made:
    """Play ``parameter`` times as fast; the sound keeps its pitch (``atempo``)."""
    need_seconds(clip, max(1.0, parameter))
    n = max(1, round(len(clip.frames) / parameter))
    order = [min(math.floor(i * parameter), len(clip.frames) - 1) for i in range(n)]
    frames = Picked(clip.frames, order)
    sound = clip.sound
    if sound is not None:
        # One atempo filter reaches down to 0.5 only.
        factors = [0.5, parameter / 0.5] if parameter < 0.5 else [parameter]
        chain = ",".join(f"atempo={f:.6f}" for f in factors)
        sound = filter_sound(sound, chain).lasting(float(n / clip.fps))
    return Made(
        Clip(frames, clip.fps, sound),
        {f"{_TECHNIQUE}: speed": {"speed": parameter}},
        {"speed": parameter},
    )


def reversal(clip: Clip, parameter: str, context: Context) -> Made:
    """The whole clip from its end to its start, sound too."""
    small = shrunk(clip.frames)
    if float(np.abs(small - small[::-1]).mean()) < MOTION_FLOOR:
        raise Ineligible("looks the same forwards and backwards")
    frames = Picked(clip.frames, range(len(clip.frames) - 1, -1, -1))
    sound = clip.sound
    if sound is not None:
        sound = Sound(np.ascontiguousarray(sound.samples[:, ::-1]), sound.rate)
    return Made(
        Clip(frames, clip.fps, sound),
        {f"{_TECHNIQUE}: direction": {"direction": "reverse"}},
        {"direction": "reverse"},
    )


def _moving_start(clip: Clip, length: int, context: Context, margin: int) -> int:
    """A random frame after which ``length`` frames move, ``margin`` away from both ends."""
    small = shrunk(clip.frames)
    starts = context.rng.permutation(np.arange(margin, len(small) - length - margin))
    for start in (int(s) for s in starts[:40]):
        if lively(small[start : start + length + 1]):
            return start
    raise Ineligible("nothing moves in any stretch of that length")


def _replaced(clip: Clip, frames: Frames, sound: Sound | None) -> Clip:
    seconds = float(len(frames) / clip.fps)
    return Clip(frames, clip.fps, None if sound is None else sound.lasting(seconds))


def freeze(clip: Clip, parameter: float, context: Context) -> Made:
    """The picture stands still for ``parameter`` seconds: paused, or with what follows lost."""
    need_seconds(clip, parameter + 1.5)
    length = frame_at(clip, parameter)
    start = _moving_start(clip, length, context, max(1, frame_at(clip, 0.3)))
    pause = bool(context.rng.integers(2))
    before, n = list(range(start)), len(clip.frames)
    after = range(start if pause else start + length, n)
    order = before + [start] * length + list(after)
    sound = clip.sound
    if sound is not None and pause:
        at = seconds_at(clip, start)
        sound = Sound.joined(
            sound.span(0, at), sound.silence(parameter), sound.span(at, clip.seconds)
        )
    span = [seconds_at(clip, start), seconds_at(clip, start + length)]
    return Made(
        _replaced(clip, Picked(clip.frames, order), sound),
        {
            f"{_TECHNIQUE}: frozen frames": {
                "spans_b": [span],
                "mode": "pause" if pause else "hold",
            }
        },
    )


def irregular_drops(clip: Clip, parameter: float, context: Context) -> Made:
    """A share of the frames, at random, replaced by the one before."""
    n = len(clip.frames)
    count = max(2, round(parameter * n))
    moving = np.flatnonzero(steps(clip.frames) >= STEP_FLOOR) + 1
    if len(moving) < 2 * count:
        raise Ineligible("too few frames move for a held one to be seen")
    dropped = {int(i) for i in context.rng.choice(moving, count, replace=False)}
    order: list[int] = []
    for i in range(n):
        order.append(order[-1] if i in dropped else i)
    return Made(
        clip.with_frames(Picked(clip.frames, order)),
        {
            f"{_TECHNIQUE}: repeated or dropped frames": {
                "share": round(count / n, 6),
                "count": count,
                "times_b": [seconds_at(clip, i) for i in sorted(dropped)],
            }
        },
    )


def loop(clip: Clip, parameter: float, context: Context) -> Made:
    """The whole clip ``parameter`` times in a row."""
    small = shrunk(clip.frames)
    if lag_motion(small, max(1, len(small) // 4)) < MOTION_FLOOR:
        raise Ineligible("nothing moves")
    times = int(parameter)
    sound = clip.sound
    if sound is not None:
        sound = Sound.joined(*[sound] * times)
    return Made(
        _replaced(clip, Joined(*[clip.frames] * times), sound),
        {f"{_TECHNIQUE}: looping": {"times": times, "period_s": round(clip.seconds, 6)}},
    )


def _cut(clip: Clip, spans: list[tuple[int, int]]) -> Clip:
    """The stretches ``spans`` (frames) of the clip one after another, with their sound."""
    order = [i for first, last in spans for i in range(first, last)]
    sound = clip.sound
    if sound is not None:
        parts = [sound.span(seconds_at(clip, a), seconds_at(clip, b)) for a, b in spans]
        sound = Sound.joined(*parts)
    return _replaced(clip, Picked(clip.frames, order), sound)


def _timing(
    change: str, spans_a: list[list[float]], spans_b: list[list[float]]
) -> dict[str, dict[str, object]]:
    return {"motion: timing": {"change": change, "spans_a": spans_a, "spans_b": spans_b}}


def _span(clip: Clip, first: int, last: int) -> list[float]:
    return [seconds_at(clip, first), seconds_at(clip, last)]


def trim(clip: Clip, parameter: float, context: Context) -> Made:
    """The first or the last seconds are missing."""
    need_seconds(clip, parameter + 1.5)
    length, n = frame_at(clip, parameter), len(clip.frames)
    small = shrunk(clip.frames)
    ends = [
        i
        for i in context.rng.permutation(2)
        if lively(small[:length] if i else small[n - length :])
    ]
    if not ends:
        raise Ineligible("nothing moves at either end")
    if ends[0]:
        made = _cut(clip, [(length, n)])
        return Made(
            made,
            _timing("start removed", [_span(clip, 0, length)], []),
            {"offset_s": -seconds_at(clip, length)},
        )
    made = _cut(clip, [(0, n - length)])
    return Made(made, _timing("end removed", [_span(clip, n - length, n)], []))


def cut_out(clip: Clip, parameter: float, context: Context) -> Made:
    """Seconds in the middle are missing."""
    need_seconds(clip, parameter + 1.5)
    length, n = frame_at(clip, parameter), len(clip.frames)
    start = _moving_start(clip, length, context, frame_at(clip, 0.5))
    made = _cut(clip, [(0, start), (start + length, n)])
    at = seconds_at(clip, start)
    return Made(made, _timing("removed", [_span(clip, start, start + length)], [[at, at]]))


def insertion(clip: Clip, parameter: float, context: Context) -> Made:
    """Seconds of another clip in the middle; moving coloured noise where there is no other."""
    need_seconds(clip, 2.0)
    length, n = frame_at(clip, parameter), len(clip.frames)
    margin = frame_at(clip, 0.5)
    start = int(context.rng.integers(margin, n - margin))
    donor = context.donor
    foreign: Frames = (
        Picked(donor.frames, [i % len(donor.frames) for i in range(length)])
        if donor is not None and donor.size == clip.size
        else _noise(clip, length, context)
    )
    frames = Joined(
        Picked(clip.frames, range(start)), foreign, Picked(clip.frames, range(start, n))
    )
    sound = clip.sound
    if sound is not None:
        at = seconds_at(clip, start)
        sound = Sound.joined(
            sound.span(0, at), sound.silence(parameter), sound.span(at, clip.seconds)
        )
    at = seconds_at(clip, start)
    return Made(
        _replaced(clip, frames, sound),
        _timing("inserted", [[at, at]], [_span(clip, start, start + length)]),
    )


def _noise(clip: Clip, length: int, context: Context) -> Mapped:
    """Soft coloured noise that drifts; (length frames of the clip's size)."""
    width, height = clip.size
    coarse = context.rng.integers(30, 226, (height * 3 // 2 // 12, width // 12 + 1), np.uint8)
    smooth = cv2.resize(coarse, (width, height * 3 // 2), interpolation=cv2.INTER_CUBIC)
    wide = np.asarray(smooth, np.uint8)
    blank = Picked(Stack(wide[None]), [0] * length)
    return Mapped(blank, lambda i, frame: np.roll(frame, 3 * i, axis=1))


def reorder(clip: Clip, parameter: float, context: Context) -> Made:
    """Two neighbouring stretches of ``parameter`` seconds each change places."""
    need_seconds(clip, 2 * parameter + 1.0)
    length, n = frame_at(clip, parameter), len(clip.frames)
    small = shrunk(clip.frames)
    margin = max(1, frame_at(clip, 0.3))
    starts = context.rng.permutation(np.arange(margin, n - 2 * length - margin))
    for a in (int(s) for s in starts[:40]):
        b, c = a + length, a + 2 * length
        if float(np.abs(small[a:b] - small[b:c]).mean()) >= MOTION_FLOOR:
            made = _cut(clip, [(0, a), (b, c), (a, b), (c, n)])
            first, second = _span(clip, a, b), _span(clip, b, c)
            return Made(made, _timing("reordered", [first, second], [second, first]))
    raise Ineligible("no two neighbouring stretches differ")


_TIMING_MAY = ("camera: shots", "camera: movement", "sound", "subject", "motion")
_FREEZE_MAY = ("motion", "sound", "camera: movement")

register(
    Edit(
        "speed",
        "time",
        {"light": (0.9, 1.1), "medium": (0.67, 1.5), "heavy": (0.25, 0.5, 2.0, 4.0)},
        (f"{_TECHNIQUE}: speed",),
        (
            "motion",
            "sound",
            "camera: movement",
            "camera: stability",
            f"{_TECHNIQUE}: repeated or dropped frames",
        ),
        speed,
        ("motion",),
    )
)
register(
    Edit(
        "reversal",
        "time",
        {"heavy": ("whole",)},
        (f"{_TECHNIQUE}: direction",),
        _FREEZE_MAY,
        reversal,
        ("motion",),
    )
)
register(
    Edit(
        "freeze",
        "time",
        {"light": (0.5,), "medium": (1.0,), "heavy": (2.0,)},
        (f"{_TECHNIQUE}: frozen frames",),
        (*_FREEZE_MAY, _TECHNIQUE),
        freeze,
        ("motion",),
    )
)
register(
    Edit(
        "irregular-drops",
        "time",
        {"light": (0.05,), "medium": (0.12,), "heavy": (0.25,)},
        (f"{_TECHNIQUE}: repeated or dropped frames",),
        ("motion", "camera: movement", "camera: stability"),
        irregular_drops,
        ("motion",),
    )
)
register(
    Edit(
        "loop",
        "time",
        {"medium": (2.0,), "heavy": (3.0,)},
        (f"{_TECHNIQUE}: looping",),
        ("motion", "sound", "camera: shots"),
        loop,
        ("motion",),
    )
)
for _name, _apply in (
    ("trim", trim),
    ("cut-out", cut_out),
    ("insertion", insertion),
    ("reorder", reorder),
):
    register(
        Edit(
            _name,
            "time",
            {"light": (0.5,), "medium": (1.0,), "heavy": (2.0,)},
            ("motion: timing",),
            _TIMING_MAY,
            _apply,
            () if _name == "insertion" else ("motion",),
            donor=_name == "insertion",
        )
    )
