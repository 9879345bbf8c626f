"""Whether two sounds are the same along a mapping of time, and where they are not.

Band levels are compared frame by frame, after each band's own median difference (gain, equaliser,
codec) was taken out, where either sound is loud enough to be heard. The distance of a window of
0.3 s is the mean difference in dB, each bin capped at 20.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from triptych.measure.sound import BANDS, SILENCE_DB, SoundTrack
from triptych.measure.sound_align import MATCH_SCORE, local_lag
from triptych.measure.timemap import Piece

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]

#: Window and hop of a distance, seconds.
WINDOW_S = 0.3
HOP_S = 0.1
#: Windows further apart than this sound different, dB. Nine clips (three real speakers, two
#: synthetic voices, music, room noise) against their copies in AAC 48 and 96 kb/s, MP3 32 and 64,
#: Opus 24 and 64, at 8 kHz, with -12 dB or backwards: largest of 7,700 windows 2.6 dB. Pairs of
#: unrelated clips: medians 7 to 18. One word exchanged in read speech with the timing kept: 7.5
#: at the word.
DIFFERS_DB = 5.0
#: The same where one is time-stretched, which smears onsets: atempo 0.5 to 2 gave medians up to
#: 3.2, 90th percentiles up to 6.2 and single windows up to 14 dB.
STRETCHED_DIFFERS_DB = 8.5
#: What sounds different must last this long, seconds: two windows in a row, or a second in
#: stretched sound.
DIFFERS_S = 0.4
STRETCHED_DIFFERS_S = 1.0
#: A speed this far from 1 was stretched (or resampled); codecs and clocks drift by 1e-4.
STRETCH = 0.005
#: Below this distance in every window, two sounds cannot hold different words: copies reach 2.6 dB
#: (see DIFFERS_DB); one phoneme changed with the timing kept ("river", "liver") 4.0 to 6.3 in three
#: synthetic voices, "can" and "can't" 5.1 to 18.
IDENTICAL_DB = 3.2
#: Bins this far below the loudest of their window, or of the track, are not heard, dB.
WINDOW_RANGE_DB = 25.0
TRACK_RANGE_DB = 45.0
#: Sound this short at an edge, or this much shorter than the other, is padding of an encoder, s.
EDGE_S = 0.5
#: Sound is looked for within this many seconds of where the picture says.
REACH_S = 4.0
#: Blocks whose lags show drift, seconds.
BLOCK_S = 4.0


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of both sounds that was compared.

    A's moment t in ``a0`` to ``a1`` is in B at ``b0 + slope * (t - a0)``. ``lag``: how much later
    than the picture says, seconds. ``score``: correlation of the envelopes there. ``distances``:
    float32 (n,), dB, one every HOP_S of A from ``a0`` on, NaN where neither can be heard.
    ``lost``: the part of each distance that comes from where B is quieter than A; the rest comes
    from where it is louder. Noise that was added loses next to nothing.
    """

    a0: float
    a1: float
    b0: float
    slope: float
    lag: float
    score: float
    distances: F32
    lost: F32

    @property
    def stretched(self) -> bool:
        """Whether B plays it at another speed."""
        return abs(abs(self.slope) - 1) > STRETCH

    @property
    def compared_s(self) -> float:
        """Seconds of A in which something could be heard."""
        return float(np.count_nonzero(~np.isnan(self.distances))) * HOP_S

    @property
    def median_db(self) -> float:
        """Median distance, dB; 0 where nothing could be heard."""
        heard = self.distances[~np.isnan(self.distances)]
        return float(np.median(heard)) if len(heard) else 0.0

    @property
    def largest_db(self) -> float:
        """Largest distance, dB; 0 where nothing could be heard."""
        heard = self.distances[~np.isnan(self.distances)]
        return float(heard.max()) if len(heard) else 0.0

    @property
    def identical(self) -> bool:
        """Whether something was heard, and no window is far enough apart for other words."""
        heard = self.compared_s > 0 and self.largest_db <= IDENTICAL_DB
        return heard and not self.stretched and self.slope > 0

    def to_b(self, t: float) -> float:
        """Time in B of A's moment ``t``."""
        return self.b0 + self.slope * (t - self.a0)

    def differing(self, least: float | None = None) -> list[tuple[float, float]]:
        """Stretches of A, seconds, in which the two sound different.

        ``least``: seconds that one must last; as long as counts when ``None``.
        """
        limit = STRETCHED_DIFFERS_DB if self.stretched else DIFFERS_DB
        if least is None:
            least = STRETCHED_DIFFERS_S if self.stretched else DIFFERS_S
        over = np.nan_to_num(self.distances, nan=0.0) > limit
        edges = np.flatnonzero(np.diff(np.concatenate([[0], over.astype(np.int8), [0]])))
        spans = [
            (self.a0 + i * HOP_S, min(self.a0 + (j - 1) * HOP_S + WINDOW_S, self.a1))
            for i, j in zip(edges[::2], edges[1::2], strict=True)
        ]
        merged: list[tuple[float, float]] = []
        for s, e in spans:
            if merged and s - merged[-1][1] <= WINDOW_S:
                merged[-1] = (merged[-1][0], e)
            else:
                merged.append((s, e))
        return [(float(s), float(e)) for s, e in merged if e - s >= least - 1e-6]


def compare_along(a: SoundTrack, b: SoundTrack, pieces: Sequence[Piece]) -> list[Stretch]:
    """Compare the sounds on every piece of the picture's mapping, where both have sound at all."""
    lags = [_lag(a, b, p) for p in pieces]
    # A piece too short or too quiet to tell its own lag takes that of the others.
    told = [(lag, p.a1 - p.a0) for lag, p in zip(lags, pieces, strict=True) if lag is not None]
    common = _weighted_median([x[0] for x, _ in told], [w for _, w in told])
    out = []
    for piece, lag in zip(pieces, lags, strict=True):
        shift, drift, score = lag if lag is not None else (common, 0.0, 0.0)
        stretch = _compare(a, b, piece, shift, drift, score)
        if stretch is not None:
            out.append(stretch)
    return out


def _weighted_median(values: list[float], weights: list[float]) -> float:
    if not values:
        return 0.0
    order = np.argsort(values)
    total = np.cumsum(np.asarray(weights)[order])
    return values[int(order[int(np.searchsorted(total, total[-1] / 2))])]


def _lag(a: SoundTrack, b: SoundTrack, p: Piece) -> tuple[float, float, float] | None:
    """Lag at the piece's start, drift in seconds per second of A, and correlation, if told."""
    length = p.a1 - p.a0
    if length < 1.0:
        return None
    speed = 1 / p.slope
    offset = p.b0 - p.a0 * p.slope
    half = min(length, 120.0) / 2
    middle = (p.a0 + p.a1) / 2
    reach = min(REACH_S, length)
    found = local_lag(a, b, speed, offset, (middle - half, middle + half), reach, prefer=0.0)
    if found is None:
        return None
    lag, score = found
    lags = []
    if length >= 2 * BLOCK_S:
        starts = np.linspace(p.a0, p.a1 - BLOCK_S, min(12, int(length / BLOCK_S)))
        for s in starts:
            local = local_lag(a, b, speed, offset + lag, (s, s + BLOCK_S), 0.5, prefer=0.0)
            if local is not None and local[1] >= MATCH_SCORE:
                lags.append((s + BLOCK_S / 2, local[0]))
    drift = 0.0
    if len(lags) >= 3:
        # Theil (1950) and Sen (1968): the median of the slopes between all pairs.
        slopes = [
            (y1 - y0) / (x1 - x0) for k, (x0, y0) in enumerate(lags) for x1, y1 in lags[k + 1 :]
        ]
        drift = float(np.median(slopes))
        if abs(drift) < 5e-4:
            drift = 0.0
        residue = float(np.median([y - drift * (x - p.a0) for x, y in lags]))
        lag += residue
        score = max(score, float(len(lags)) / len(starts) * MATCH_SCORE)
    if score < MATCH_SCORE:
        return None
    return lag, drift, score


def _compare(
    a: SoundTrack, b: SoundTrack, p: Piece, lag: float, drift: float, score: float
) -> Stretch | None:
    slope = p.slope + drift
    b0 = p.b0 + lag
    # What lies outside either track is padding when it is short, and silence when it is not. Where
    # the sound was shifted, its end was cut off by the shift.
    shifted = abs(lag) > 0.02
    inside = sorted(p.a0 + (t - b0) / slope for t in (b.start, b.end))
    a0, a1 = p.a0, p.a1
    for lo, hi in ((a.start, a.end), (inside[0], inside[1])):
        if shifted or lo - a0 < EDGE_S:
            a0 = max(a0, lo)
        if shifted or a1 - hi < EDGE_S:
            a1 = min(a1, hi)
    a0, a1 = a0 + 0.03, a1 - 0.03
    if a1 - a0 < WINDOW_S:
        return None
    start = b0 + slope * (a0 - p.a0)
    distances, lost = _distances(a, b, a0, a1, start, slope)
    middle_lag = lag + drift * (p.a1 - p.a0) / 2
    return Stretch(a0, a1, start, slope, middle_lag, score, distances, lost)


def _frames(
    a: SoundTrack, b: SoundTrack, times: F64, a0: float, b0: float, slope: float
) -> tuple[F32, F32]:
    return a.at(times), b.at(b0 + slope * (times - a0))


def _distances(
    a: SoundTrack, b: SoundTrack, a0: float, a1: float, b0: float, slope: float
) -> tuple[F32, F32]:
    step = max(a.step, b.step)
    n = int((a1 - a0) / step)
    times = np.asarray(a0 + np.arange(n) * step, np.float64)
    sample = times[:: max(1, n // 30_000)]
    x, y = _frames(a, b, sample, a0, b0, slope)
    floors = [_floor(v) for v in (x, y)]
    gain = _gain(x, y, floors)
    # A band that one of them does not have (cut off by a low sample rate or bit rate) says nothing.
    heard = (np.percentile(x, 95, axis=0) > floors[0] + 10) & (
        np.percentile(y, 95, axis=0) > floors[1] + 10
    )
    if not heard.any():
        heard[:] = True
    out = [
        d
        for first in _blocks(n, step)
        for d in _windows(
            *_frames(a, b, times[first[0] : first[1]], a0, b0, slope), gain, heard, floors, step
        )
    ]
    pairs = np.asarray(out, np.float32).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _gain(x: F32, y: F32, floors: list[float]) -> F32:
    """Median level of A over B in each band, dB, where both can be heard in it."""
    loud = (x > floors[0] + 10) & (y > floors[1] + 10)
    overall = float(np.median((x - y)[loud])) if loud.any() else 0.0
    out = np.full(BANDS, overall, np.float32)
    for band in range(BANDS):
        at = loud[:, band]
        if np.count_nonzero(at) >= 20:
            out[band] = np.median(x[at, band] - y[at, band])
    return out


def _floor(decibels: F32) -> float:
    """Level below which a track counts as silent, dB."""
    return float(max(np.percentile(decibels.max(axis=1), 95) - TRACK_RANGE_DB, -85.0))


def _blocks(n: int, step: float) -> Iterator[tuple[int, int]]:
    """Ranges of frames, a minute each, that overlap by a window less a hop."""
    size, hop = max(round(WINDOW_S / step), 1), max(round(HOP_S / step), 1)
    per_block = round(60 / HOP_S)
    windows = max(0, (n - size) // hop + 1)
    for w in range(0, windows, per_block):
        last = min(w + per_block, windows) - 1
        yield w * hop, last * hop + size


def _windows(
    x: F32, y: F32, gain: F32, heard: npt.NDArray[np.bool_], floors: list[float], step: float
) -> Iterator[tuple[float, float]]:
    size, hop = max(round(WINDOW_S / step), 1), max(round(HOP_S / step), 1)
    least = max(20.0, SILENCE_DB) if step <= 0.02 else 4.0
    # What is above the floor of one and below that of the other is not a difference.
    floor = max(floors[0], floors[1] + float(np.median(gain[heard])))
    x = np.maximum(x[:, heard], floor)
    y = np.maximum((y + gain)[:, heard], floor)
    for i in range(0, len(x) - size + 1, hop):
        p, q = x[i : i + size], y[i : i + size]
        louder = np.maximum(p, q)
        use = louder > max(float(louder.max()) - WINDOW_RANGE_DB, floor + 8)
        if np.count_nonzero(use) < least:
            yield float("nan"), float("nan")
        else:
            change = np.clip((p - q)[use], -20.0, 20.0)
            yield float(np.mean(np.abs(change))), float(np.mean(np.maximum(change, 0.0)))
