"""Where one sound lies in another: speed, direction and offset by correlating envelopes.

Band envelopes in dB, less their own mean over a second, show onsets and formants whatever the
gain, the equalisation or the codec. Their normalised cross-correlation over all lags is taken by
FFT at each candidate speed, coarsely first, and the winner is refined to a hundredth of a second.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from triptych.measure.sound import SILENCE_DB, SoundTrack

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]

#: Speeds that are tried beside a given one: those that editors and film transfers use.
SPEEDS = (1.0, 0.9, 1.1, 25 / 24, 24 / 25, 0.8, 1.25, 2 / 3, 1.5, 0.75, 4 / 3, 0.5, 2.0, 0.25, 4.0)
#: Frames per second of the coarse search and of the refinement.
COARSE_HZ = 20.0
FINE_HZ = 100.0
#: Quieter than this below the track's loud parts (95th percentile of a band) counts as floor, dB.
FLOOR_DB = 45.0
#: The sound's first onset and last decay are kept to this much, s.
LEAD_S = 0.05
#: Two sounds are compared at a lag only where they overlap by this much, s, and by this share of
#: the shorter.
MIN_OVERLAP_S = 1.5
MIN_OVERLAP = 0.25
#: A score from which the sounds are taken to be the same one. Of 200 copies of nine clips (codecs,
#: gain, shift, trim, 8 kHz, atempo 0.5 to 2, reversal) the lowest scored 0.80; of 36 pairs of
#: unrelated clips, tried at all speeds, the highest 0.62.
MATCH_SCORE = 0.7
#: A score at the first speeds from which the others are not tried. Read speech with a refrain
#: matches its own reversal at 0.73 at the wrong speed.
CLEAR_SCORE = 0.85
#: Refinement looks at no more than this much sound, s: it needs no more for a hundredth.
REFINE_S = 120.0


@dataclass(frozen=True, slots=True)
class SoundMatch:
    """B plays A's sound ``speed`` times as fast, backwards when negative.

    ``offset``: time in B of A's moment 0 for forward play, and of A's moment ``t`` in general
    ``offset + t / speed``. ``score``: correlation there, up to 1. ``runner_up``: the best score of
    a hypothesis that contradicts it (another speed, or more than 0.1 s away).
    """

    speed: float
    offset: float
    score: float
    runner_up: float

    @property
    def sure(self) -> bool:
        """Whether the score is high enough, and high enough above the runner-up, to rely on."""
        return self.score >= MATCH_SCORE and self.score - self.runner_up >= 0.1


def sound_offset(
    a: SoundTrack, b: SoundTrack, speeds: tuple[float, ...] | None = None
) -> SoundMatch | None:
    """The best match of B's sound to A's; ``None`` when either is silent or too short.

    ``speeds`` are the signed speeds to try; by default 1, and only if that does not match well
    the others of SPEEDS, both ways.
    """
    if a.sounding is None or b.sounding is None:
        return None
    best: SoundMatch | None = None
    first = speeds or (1.0,)
    rest = () if speeds else tuple(s * d for d in (1, -1) for s in SPEEDS if s * d != 1.0)
    fb, tb = features(b, COARSE_HZ)
    for group in (first, rest):
        found = [m for s in group if (m := _at_speed(a, b, s, fb, tb)) is not None]
        if best is not None:
            found.append(best)
        found.sort(key=lambda m: -m.score)
        if found:
            others = [m.score for m in found[1:]]
            best = _with_runner_up(found[0], max([found[0].runner_up, *others]))
        if best is not None and best.score >= CLEAR_SCORE:
            break
    return refine(a, b, best) if best is not None else None


def _with_runner_up(m: SoundMatch, runner_up: float) -> SoundMatch:
    return SoundMatch(m.speed, m.offset, m.score, runner_up)


def features(
    track: SoundTrack, rate: float, speed: float = 1.0, span: tuple[float, float] | None = None
) -> tuple[F32, float]:
    """Envelope features of ``track`` played at ``speed`` (signed), ``rate`` a second.

    Returns float32 (n, BANDS / 3) and the time of the first: seconds of the played track, in which
    the track's own moment ``t`` is at ``t / speed``. ``span`` limits it to a part of the track.
    """
    t0, t1 = span or (track.start, track.start + len(track.bands) * track.step)
    lo, hi = sorted((t0 / speed, t1 / speed))
    n = max(1, int((hi - lo) * rate + 1e-9))
    played = lo + np.arange(n) / rate
    # Average over the frames that one feature stands for, so that none is passed over.
    taps = max(1, round(abs(speed) / rate / track.step))
    db = np.zeros((n, track.bands.shape[1]), np.float32)
    for k in range(taps):
        db += track.at((played + (k - (taps - 1) / 2) / taps / rate) * speed)
    first, last = track.sounding or (0.0, 0.0)
    inside = (played * speed >= first - LEAD_S) & (played * speed <= last + LEAD_S)
    return onsets(np.asarray(db / taps, np.float32), inside, rate), lo


def onsets(db: F32, inside: npt.NDArray[np.bool_], rate: float) -> F32:
    """Groups of three bands, floored, less their mean over the second around: (n, BANDS / 3).

    Zero where not ``inside``: the step from sound to the silence before, after or outside the
    track is larger than anything within, and would outweigh it.
    """
    if not inside.any():
        return np.zeros((len(db), db.shape[1] // 3), np.float32)
    loud = np.percentile(db[inside], 95, axis=0)
    db = np.maximum(db, np.maximum(loud - FLOOR_DB, SILENCE_DB))
    grouped = db.reshape(len(db), -1, 3).mean(axis=2) * inside[:, None]
    i = np.arange(len(grouped))
    half = int(rate) // 2
    first, last = np.maximum(i - half, 0), np.minimum(i + half + 1, len(grouped))
    total = np.concatenate([np.zeros((1, grouped.shape[1])), np.cumsum(grouped, 0, np.float64)])
    count = np.concatenate([[0], np.cumsum(inside)])
    means = (total[last] - total[first]) / np.maximum(count[last] - count[first], 1)[:, None]
    return np.asarray((grouped - means) * inside[:, None], np.float32)


def correlate(x: F32, y: F32, min_overlap: int) -> tuple[F64, int]:
    """Normalised cross-correlation of ``x`` (n, k) with ``y`` (m, k) over all lags.

    Element i belongs to lag ``i - (n - 1)``: y[j + lag] lies on x[j]. Zero where fewer than
    ``min_overlap`` frames overlap. Returns the scores and the index of lag 0.
    """
    n, m = len(x), len(y)
    size = 1 << (n + m - 2).bit_length() if n + m > 2 else 1
    dot = np.zeros(size)
    for k in range(x.shape[1]):
        dot += np.fft.irfft(np.conj(np.fft.rfft(x[:, k], size)) * np.fft.rfft(y[:, k], size), size)
    lags = np.arange(-(n - 1), m)
    dot = dot[lags % size]
    ex = np.concatenate([[0.0], np.cumsum((x.astype(np.float64) ** 2).sum(axis=1))])
    ey = np.concatenate([[0.0], np.cumsum((y.astype(np.float64) ** 2).sum(axis=1))])
    x0, x1 = np.maximum(0, -lags), np.minimum(n, m - lags)
    energy_x = ex[x1] - ex[x0]
    energy_y = ey[x1 + lags] - ey[x0 + lags]
    # A stretch with next to no energy of its own correlates by chance: hold it to a tenth of
    # the mean energy of the whole.
    least = 0.1 * np.sqrt((ex[-1] / n) * (ey[-1] / m)) * (x1 - x0)
    norm = np.maximum(np.sqrt(np.maximum(energy_x * energy_y, 0)), np.maximum(least, 1e-9))
    scores = np.where(x1 - x0 >= min_overlap, dot / norm, 0.0)
    return scores, n - 1


def _overlap(n: int, m: int, rate: float) -> int:
    return int(min(max(MIN_OVERLAP_S * rate, MIN_OVERLAP * min(n, m)), min(n, m)))


def _at_speed(a: SoundTrack, b: SoundTrack, speed: float, fb: F32, tb: float) -> SoundMatch | None:
    fa, ta = features(a, COARSE_HZ, speed)
    if min(len(fa), len(fb)) < 4:
        return None
    scores, zero = correlate(fa, fb, _overlap(len(fa), len(fb), COARSE_HZ))
    at = int(np.argmax(scores))
    near = int(0.25 * COARSE_HZ)
    others = np.concatenate([scores[: max(at - near, 0)], scores[at + near + 1 :]])
    runner_up = float(others.max()) if len(others) else 0.0
    offset = (at - zero) / COARSE_HZ + tb - ta
    return SoundMatch(speed, offset, float(scores[at]), max(runner_up, 0.0))


def refine(a: SoundTrack, b: SoundTrack, match: SoundMatch, reach: float = 0.15) -> SoundMatch:
    """``match`` with its offset improved to a hundredth of a second, within ``reach`` seconds."""
    # The stretch of A, in its own time, that B has too.
    ends = sorted(((b.start - match.offset) * match.speed, (b.end - match.offset) * match.speed))
    t0, t1 = max(a.start, ends[0]), min(a.end, ends[1])
    if t1 - t0 < 0.2:
        return match
    middle, half = (t0 + t1) / 2, min(t1 - t0, REFINE_S) / 2
    lag = local_lag(a, b, match.speed, match.offset, (middle - half, middle + half), reach)
    if lag is None:
        return match
    return SoundMatch(match.speed, match.offset + lag[0], max(lag[1], match.score), match.runner_up)


def local_lag(
    a: SoundTrack,
    b: SoundTrack,
    speed: float,
    offset: float,
    span: tuple[float, float],
    reach: float,
    prefer: float | None = None,
) -> tuple[float, float] | None:
    """How much later than ``offset`` B's sound lies, s, and the correlation there.

    ``span`` is the stretch of A, in A's seconds, that is looked for within ``reach`` seconds. A
    lag within 0.05 s of ``prefer`` is taken where it scores as well as the best: a steady or
    repeating sound fits in many places.
    """
    fa, ta = features(a, FINE_HZ, speed, span)
    end = ta + len(fa) / FINE_HZ
    grid = (ta + offset - reach, end + offset + reach)
    fb, tb = features(b, FINE_HZ, 1.0, grid)
    if len(fa) < 8 or len(fb) < 8:
        return None
    scores, zero = correlate(fa, fb, max(len(fa) // 2, 8))
    at = int(np.argmax(scores))
    if prefer is not None:
        lags = (np.arange(len(scores)) - zero) / FINE_HZ + tb - (ta + offset)
        near = np.flatnonzero(np.abs(lags - prefer) <= 0.05)
        if len(near):
            local = int(near[np.argmax(scores[near])])
            if scores[local] >= scores[at] - 0.02:
                at = local
    peak = float(at - zero)
    if 0 < at < len(scores) - 1:
        left, mid, right = scores[at - 1 : at + 2]
        bend = left - 2 * mid + right
        if bend < 0:
            peak += 0.5 * float((left - right) / bend)
    return tb + peak / FINE_HZ - (ta + offset), float(scores[at])
