"""Made sounds for tests: bursts with formants, so that envelopes carry what speech's carry."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from triptych.measure.sound import RATE, SoundTrack, track_of
from triptych.media.video import SoundBlock


def syllables(seconds: float, seed: int, speed: float = 1.0) -> np.ndarray:
    """Syllables of random length and pitch; ``speed`` shortens them and keeps the pitch."""
    rng = np.random.default_rng(seed)
    out = np.zeros(round(seconds / speed * RATE))
    t = 0.1
    while t < seconds - 0.4:
        length, gap = rng.uniform(0.08, 0.3), rng.uniform(0.02, 0.2)
        formants = rng.uniform([250, 900, 2200], [900, 2200, 6000])
        n = round(length / speed * RATE)
        x = np.arange(n) / RATE
        burst = sum(np.sin(2 * np.pi * f * x) / (k + 1) for k, f in enumerate(formants))
        first = round(t / speed * RATE)
        out[first : first + n] += 0.2 * burst * np.hanning(n)
        t += length + gap
    return out


def track(samples: np.ndarray) -> SoundTrack:
    found = track_of([SoundBlock(Fraction(0), samples.astype(np.float32))])
    assert found is not None
    return found
