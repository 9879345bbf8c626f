"""Whether an edit can be seen or heard on a clip, by the simplest measures there are.

None of these is the comparison's own: mean differences of aligned frames, the level of the sound.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from triptych.make.clip import F32, U8, Clip, Frames, Sound, planes
from triptych.make.registry import Ineligible

# Measured on derived_shots_groundtruth, intel_bottle-detection, skv_bikes, skv_carphone_pristine
# and psd_testvideo (windows of 12 s):
#: Mean absolute difference of luma, in levels of 255, between small pictures half a second
#: apart, that counts as motion. The stillest of these (bottles on a belt) has 2.4.
MOTION_FLOOR = 1.0
#: The same between two neighbouring frames: below it a held frame is not seen. Medians there are
#: 0.2 (bottles) to 2.9 (bikes).
STEP_FLOOR = 0.3
#: Mean distance of chroma from grey, in levels, that makes a clip coloured. The greyest of these
#: (bikes) has 4.8.
COLOUR_FLOOR = 3.0
#: Mean absolute difference in levels between a picture and its mirror image below which it counts
#: as symmetric. The nearest of these (bottles) has 11.
SYMMETRY_FLOOR = 4.0
#: Mean absolute difference, in levels, inside a box from which something was painted out. Chosen by
#: eye: below it the box cannot be told from the picture around it.
PAINTED_FLOOR = 8.0
#: An edit is seen where the mean absolute difference over all samples of aligned frames is this,
MEAN_FLOOR = 0.7
#: or where this share of the samples differs by ``SPOT_LEVELS`` or more: small things.
SPOT_SHARE = 0.002
SPOT_LEVELS = 16
#: Root mean square of sound, full scale 1, above which it is not silent (-54 dB).
SOUND_FLOOR = 0.002
#: Frames looked at for the check of a made picture.
PROBES = 7


@dataclass(frozen=True)
class Survey:
    """What one pass over a clip found: enough to plan with.

    ``small``: luma, float32 (n, 36, 64). ``motion`` and ``colour`` in levels, ``loudness`` as
    root mean square.
    """

    seconds: float
    small: F32
    motion: float
    colour: float
    loudness: float | None


def shrunk(frames: Frames) -> F32:
    """Luma of each frame at 64 x 36, float32 (n, 36, 64)."""
    out = np.empty((len(frames), 36, 64), np.float32)
    for i in range(len(frames)):
        y = frames[i][: frames.height]
        out[i] = cv2.resize(y, (64, 36), interpolation=cv2.INTER_AREA)
    return out


def survey(clip: Clip) -> Survey:
    """Measure ``clip``."""
    small = shrunk(clip.frames)
    colour = []
    for i in _probes(len(clip.frames)):
        _, u, v = planes(clip.frames[i])
        colour.append(np.hypot(u.astype(np.float32) - 128, v.astype(np.float32) - 128).mean())
    return Survey(
        clip.seconds,
        small,
        lag_motion(small, max(1, round(0.5 * float(clip.fps)))),
        float(np.mean(colour)),
        None if clip.sound is None else rms(clip.sound),
    )


def lag_motion(small: F32, lag: int) -> float:
    """Mean absolute difference in levels of pictures ``lag`` frames apart; 0 where too few."""
    if len(small) <= lag:
        return 0.0
    return float(np.abs(small[lag:] - small[:-lag]).mean())


def lively(part: F32) -> bool:
    """Whether half of the small pictures ``part`` differ from its first: not one cut at the end."""
    moved = np.abs(part - part[:1]).mean(axis=(1, 2))
    return bool((moved >= MOTION_FLOOR).mean() >= 0.5)


def steps(frames: Frames) -> npt.NDArray[np.float64]:
    """Mean absolute difference of each frame's luma to the one before, (n - 1,), in levels."""
    small = shrunk(frames)
    out: npt.NDArray[np.float64] = np.abs(np.diff(small, axis=0)).mean(axis=(1, 2))
    return out


def rms(sound: Sound) -> float:
    """Root mean square over all channels."""
    if not sound.samples.size:
        return 0.0
    return float(np.sqrt(np.mean(np.square(sound.samples, dtype=np.float64))))


def need_sound(sound: Sound | None, what: str = "the clip") -> Sound:
    """``sound``, or :class:`Ineligible` where there is none to be heard."""
    if sound is None:
        raise Ineligible(f"{what} has no sound")
    if rms(sound) < SOUND_FLOOR:
        raise Ineligible(f"{what} has only silence")
    return sound


def need_seconds(clip: Clip, seconds: float) -> None:
    """:class:`Ineligible` where the clip is shorter."""
    if clip.seconds < seconds:
        raise Ineligible(f"too short: {clip.seconds:.1f} s, this needs {seconds:.1f} s")


def seen(before: U8, after: U8) -> bool:
    """Whether two pictures of one size differ by enough to be seen."""
    difference = cv2.absdiff(before, after)
    return bool(difference.mean() >= MEAN_FLOOR or (difference >= SPOT_LEVELS).mean() >= SPOT_SHARE)


def need_seen(before: Clip, after: Clip, at: tuple[int, ...] | None) -> None:
    """:class:`Ineligible` where an edit of the picture that keeps the time changes nothing.

    ``at`` are frames in which it should show; it must in most of those looked at.
    """
    if before.size != after.size:
        return
    frames = list(at) if at is not None else list(range(len(after.frames)))
    looked = [frames[i] for i in _probes(len(frames))]
    changed = sum(seen(before.frames[i], after.frames[i]) for i in looked)
    if changed * 2 < len(looked):
        raise Ineligible(
            f"nothing to see: {changed} of {len(looked)} frames looked at differ visibly"
        )


def _probes(n: int) -> list[int]:
    return sorted({int(i) for i in np.linspace(0, n - 1, min(n, PROBES)).round()})
