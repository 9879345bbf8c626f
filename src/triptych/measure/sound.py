"""One pass over a video's sound: band envelopes and loudness, in bounded memory.

The sound is read once, as mono at 16 kHz, and cut into overlapping windows whose power spectra
serve everything: energies of 24 mel-spaced bands, 100 times a second, to compare and to align by,
and the K-weighted energy of each tenth of a second, to measure loudness by.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.sound_loudness import k_weighting
from triptych.media.frame import U8
from triptych.media.video import SoundBlock, Video

F32 = npt.NDArray[np.float32]

#: Samples per second that the sound is read at. Bands end at 8 kHz: speech is below, and above it
#: codecs and low sample rates differ without a change of content.
RATE = 16_000
#: Samples from one envelope frame to the next (10 ms) and in one window (40 ms, Hann).
HOP = 160
WINDOW = 640
BANDS = 24
#: Lowest and highest band edge, Hz.
BAND_EDGES = (80.0, 7_600.0)
#: Envelope codes: 0 is SILENCE_DB or less, each step STEP_DB more (mean square, full scale 0 dB).
SILENCE_DB = -110.0
STEP_DB = 0.5
#: A tenth of a second counts as silent below this K-weighted level, dB; BS.1770-5 gates at
#: -70 LKFS, and 8-bit quantisation noise lies at -58 in full bandwidth.
QUIET_DB = -70.0
#: Envelope frames kept at most: 3.6 h at 100 a second, 31 MB. Beyond it the rate is halved.
FRAMES_CAP = 1_300_000
#: Sound beyond this many seconds is not read: a time stamp gone wrong must not fill the memory.
DURATION_CAP = 48 * 3600.0


@dataclass(frozen=True, slots=True)
class SoundTrack:
    """What one pass over the sound left.

    ``bands``: uint8 (n, BANDS), codes of band energies; frame i is centred at ``start + i * step``
    seconds on the picture's clock. ``levels``: float32 (m,), K-weighted mean square of each tenth
    of a second in dB, the first beginning at ``start``. ``peak``: largest absolute sample.
    ``end``: where the sound ends, seconds. ``truncated``: the rest was not read.
    """

    start: float
    end: float
    step: float
    bands: U8
    levels: F32
    peak: float
    truncated: bool = False

    @property
    def silent_share(self) -> float:
        """Share of the track that is silent, 0 to 1."""
        return float(np.mean(self.levels < QUIET_DB)) if len(self.levels) else 1.0

    @property
    def sounding(self) -> tuple[float, float] | None:
        """First and last moment that is not silent, seconds; ``None`` when all is silent."""
        loud = np.flatnonzero(self.levels >= QUIET_DB)
        if not len(loud):
            return None
        first, last = int(loud[0]), int(loud[-1])
        return self.start + first * 0.1, min(self.start + (last + 1) * 0.1, self.end)

    def decibels(self, first: int, last: int) -> F32:
        """Band energies of frames ``first`` to ``last`` (exclusive) in dB, float32 (n, BANDS)."""
        return self.bands[first:last].astype(np.float32) * STEP_DB + SILENCE_DB

    def at(self, times: npt.NDArray[np.float64]) -> F32:
        """Band energies at ``times`` (s, any order), float32 (n, BANDS), dB.

        Interpolated between frames: half a frame beside, an onset reads several dB apart. Silent
        outside the track.
        """
        place = (times - self.start) / self.step
        out = np.full((len(times), self.bands.shape[1]), SILENCE_DB, np.float32)
        inside = (place > -0.5) & (place < len(self.bands) - 0.5)
        if not inside.any():
            return out
        place = np.clip(place[inside], 0, len(self.bands) - 1)
        left = place.astype(np.int64)
        right = np.minimum(left + 1, len(self.bands) - 1)
        share = (place - left).astype(np.float32)[:, None]
        codes = self.bands[left] * (1 - share) + self.bands[right] * share
        out[inside] = codes * STEP_DB + SILENCE_DB
        return out

    def levels_between(self, t0: float, t1: float) -> F32:
        """K-weighted levels of the tenths of a second that lie within ``t0`` to ``t1``, dB."""
        first = max(0, math.ceil((t0 - self.start) * 10 - 1e-6))
        last = max(first, math.floor((t1 - self.start) * 10 + 1e-6))
        return self.levels[first:last]


def survey_sound(
    video: Video, progress: Callable[[float], None] | None = None
) -> SoundTrack | None:
    """Read the sound of ``video`` once; ``None`` when it has none, or none that can be decoded.

    ``progress`` is called with the time reached, seconds, before each second or so of sound is
    measured; what it raises ends the reading.
    """

    def told() -> Iterator[SoundBlock]:
        for block in video.sound(RATE):
            if progress is not None:
                progress(float(block.time))
            yield block

    return track_of(told())


def track_of(blocks: Iterable[SoundBlock]) -> SoundTrack | None:
    """The track that ``blocks`` of mono sound at RATE make, in order of time."""
    builder: _Builder | None = None
    for block in blocks:
        if not len(block.samples):
            continue
        if builder is None:
            builder = _Builder(block.time)
        if not builder.add(block):
            break
    return builder.finish() if builder is not None else None


def _filterbank() -> tuple[F32, F32]:
    """Triangular mel bands (bins, BANDS) and K-weighting of power (bins,), for WINDOW samples.

    Mel after O'Shaughnessy (1987): 2595 log10(1 + f / 700). Scaled so that band energies and
    K-weighted energies are mean squares of the samples.
    """
    freqs = np.asarray(np.fft.rfftfreq(WINDOW, 1 / RATE), np.float64)

    def mel(f: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.asarray(2595 * np.log10(1 + f / 700))

    lowest, highest = mel(np.asarray(BAND_EDGES))
    corners = np.linspace(float(lowest), float(highest), BANDS + 2)
    m = mel(freqs)[:, None]
    low, mid, high = corners[:-2], corners[1:-1], corners[2:]
    triangles = np.clip(np.minimum((m - low) / (mid - low), (high - m) / (high - mid)), 0, None)
    # Parseval: the mean square of a window is sum |X|^2 / (N sum w^2), both halves of the spectrum.
    window_power = float(np.sum(np.hanning(WINDOW + 1)[:-1] ** 2))
    both = np.full(len(freqs), 2.0)
    both[0] = both[-1] = 1.0
    scale = both / (WINDOW * window_power)
    return (
        (triangles * scale[:, None]).astype(np.float32),
        (k_weighting(freqs) * scale).astype(np.float32),
    )


def _power(windows: F32) -> F32:
    """Power spectra of the rows of ``windows``: float32 (n, WINDOW / 2 + 1)."""
    # OpenCV's transform of float32 rows is ten times as fast as NumPy's. It packs the real and
    # imaginary parts as re 0, re 1, im 1, re 2, im 2, ..., re N/2.
    packed = np.asarray(cv2.dft(windows, flags=cv2.DFT_ROWS), np.float32)
    power = np.empty((len(packed), WINDOW // 2 + 1), np.float32)
    power[:, 0] = packed[:, 0] ** 2
    power[:, -1] = packed[:, -1] ** 2
    power[:, 1:-1] = packed[:, 1:-1:2] ** 2 + packed[:, 2:-1:2] ** 2
    return power


@dataclass
class _Builder:
    """Turns blocks into a track: places them on the clock, fills gaps with silence."""

    origin: Fraction
    bands: bytearray = field(default_factory=bytearray)
    energies: list[F32] = field(default_factory=list)
    pending: F32 = field(default_factory=lambda: np.zeros(WINDOW // 2, np.float32))
    received: int = 0
    thinning: int = 1
    odd: U8 | None = None
    peak: float = 0.0
    truncated: bool = False

    def __post_init__(self) -> None:
        self._mel, self._k = _filterbank()
        self._window = np.hanning(WINDOW + 1)[:-1].astype(np.float32)

    def add(self, block: SoundBlock) -> bool:
        """Take a block; false when the track has reached its cap."""
        place = round((block.time - self.origin) * RATE)
        samples = np.nan_to_num(block.samples, nan=0.0, posinf=0.0, neginf=0.0)
        if place + len(samples) > DURATION_CAP * RATE:
            self.truncated = True
            return False
        # Time stamps jitter by a sample or two; only a real gap (or overlap) is acted upon.
        gap = place - self.received
        if gap > HOP:
            self._silence(gap)
        elif gap < -HOP:
            samples = samples[min(-gap, len(samples)) :]
        if len(samples):
            self.peak = max(self.peak, float(np.max(np.abs(samples))))
            self._take(samples)
        return True

    def _silence(self, count: int) -> None:
        while count > 0:
            n = min(count, 10 * RATE)
            self._take(np.zeros(n, np.float32))
            count -= n

    def _take(self, samples: F32) -> None:
        self.received += len(samples)
        pending = np.concatenate([self.pending, samples])
        n = (len(pending) - WINDOW) // HOP + 1
        if n > 0:
            for first in range(0, n, 1000):
                count = min(1000, n - first)
                part = pending[first * HOP : (first + count - 1) * HOP + WINDOW]
                self._analyse(part)
            pending = pending[n * HOP :]
        self.pending = pending

    def _analyse(self, part: F32) -> None:
        windows = np.lib.stride_tricks.sliding_window_view(part, WINDOW)[::HOP]
        power = _power(windows * self._window)
        self.energies.append(power @ self._k)
        decibels = 10 * np.log10(np.maximum(power @ self._mel, 1e-12))
        codes = np.clip(np.rint((decibels - SILENCE_DB) / STEP_DB), 0, 255).astype(np.uint8)
        self._store(codes)

    def _store(self, codes: U8) -> None:
        if self.odd is not None:
            codes = np.concatenate([self.odd, codes])
            self.odd = None
        spare = len(codes) % self.thinning
        if spare:
            self.odd = codes[-spare:]
            codes = codes[:-spare]
        self.bands += _thin(codes, self.thinning).tobytes()
        if len(self.bands) > FRAMES_CAP * BANDS:
            kept = np.frombuffer(bytes(self.bands), np.uint8).reshape(-1, BANDS)
            even = len(kept) // 2 * 2
            tail = np.repeat(kept[even:], self.thinning, axis=0)
            self.odd = tail if self.odd is None else np.concatenate([tail, self.odd])
            self.bands = bytearray(_thin(kept[:even], 2).tobytes())
            self.thinning *= 2

    def finish(self) -> SoundTrack:
        self._pad()
        step = HOP / RATE * self.thinning
        # A thinned frame stands for the middle of those it was made from.
        start = float(self.origin) + (self.thinning - 1) / 2 * HOP / RATE
        energies = np.concatenate(self.energies) if self.energies else np.zeros(0, np.float32)
        # Ten frames of 10 ms to a tenth of a second; a last part of less than half is left out.
        tenths = max(1, round(len(energies) / 10))
        energies = np.pad(energies, (0, max(0, tenths * 10 - len(energies))), mode="edge")
        means = energies[: tenths * 10].reshape(tenths, 10).mean(axis=1)
        return SoundTrack(
            start=start,
            end=float(self.origin) + self.received / RATE,
            step=step,
            bands=np.frombuffer(bytes(self.bands), np.uint8).reshape(-1, BANDS),
            levels=(10 * np.log10(np.maximum(means, 1e-12))).astype(np.float32),
            peak=self.peak,
            truncated=self.truncated,
        )

    def _pad(self) -> None:
        received = self.received
        self._take(np.zeros(WINDOW // 2, np.float32))
        self.received = received


def _thin(codes: U8, factor: int) -> U8:
    if factor == 1:
        return codes
    means = codes.reshape(-1, factor, BANDS).mean(axis=1, dtype=np.float32)
    return np.asarray(np.rint(means), np.uint8)
