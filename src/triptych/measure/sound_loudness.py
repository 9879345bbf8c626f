"""Loudness after ITU-R BS.1770-5, of the mono mix.

The recommendation filters the samples (a shelf for the head, then a high-pass), takes the mean
square of blocks of 400 ms that overlap by 75 %, and averages those that pass two gates. Here the
filters are applied to power spectra, and blocks are built from tenths of a second.

Two departures, the same for both videos: the channels are mixed to mono first, so that a mono and
a stereo copy of one sound come out alike (the recommendation sums channels, which reads 3 LU more
for two equal ones), and what lies above 8 kHz is left out.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

#: BS.1770-5, annex 1, tables 1 and 2: the two filters at 48 kHz (b0, b1, b2, a1, a2).
SHELF = (1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585)
HIGH_PASS = (1.0, -2.0, 1.0, -1.99004745483398, 0.99007225036621)
FILTER_RATE = 48_000.0
#: Annex 1, equation 2: a 997 Hz sine of 0 dB FS in one channel reads -3.01 LKFS.
OFFSET_LU = -0.691
#: Gates of annex 1, equations 5 to 7: absolute, LKFS, and relative to what passes it, LU.
ABSOLUTE_GATE = -70.0
RELATIVE_GATE = -10.0


def k_weighting(freqs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Power response of the two filters at ``freqs``, Hz: float64 (n,)."""
    z = np.exp(-2j * np.pi * freqs / FILTER_RATE)
    gain = np.ones(len(freqs), np.complex128)
    for b0, b1, b2, a1, a2 in (SHELF, HIGH_PASS):
        gain *= (b0 + b1 * z + b2 * z * z) / (1 + a1 * z + a2 * z * z)
    return np.asarray(np.abs(gain) ** 2, np.float64)


def integrated(levels: npt.NDArray[np.float32], block_s: float = 0.4) -> float | None:
    """Gated loudness in LUFS of K-weighted ``levels`` (dB) of successive tenths of a second.

    ``None`` where nothing passes the absolute gate. Less than one block is taken as one.
    """
    if not len(levels):
        return None
    power = 10 ** (levels.astype(np.float64) / 10)
    size = min(max(round(block_s * 10), 1), len(power))
    total = np.concatenate([[0.0], np.cumsum(power)])
    blocks = (total[size:] - total[:-size]) / size
    loud = blocks[_lufs(blocks) > ABSOLUTE_GATE]
    if not len(loud):
        return None
    gate = float(_lufs(np.asarray([loud.mean()]))[0]) + RELATIVE_GATE
    loud = loud[_lufs(loud) > gate]
    return float(_lufs(np.asarray([loud.mean()]))[0])


def _lufs(power: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(OFFSET_LU + 10 * np.log10(np.maximum(power, 1e-15)))
