"""HDR pictures brought to the range of ordinary ones, so that the two can be compared at all.

PQ: SMPTE ST 2084. HLG: ITU-R BT.2100, table 5, for a display of 1000 cd/m2 (system gamma 1.2).
The tone curve is the EETF of ITU-R BT.2390-10, section 5.4.1, from 1000 cd/m2 to the reference
white of 203 cd/m2 (BT.2408); the display is BT.1886, gamma 2.4.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from triptych.media.frame import U8

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]

PEAK = 1000.0
WHITE = 203.0
_M1, _M2 = 2610 / 16384, 2523 / 4096 * 128
_C1, _C2, _C3 = 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32
# Linear BT.2020 to BT.709 primaries (ITU-R BT.2087, inverted).
_TO_709 = np.array(
    [[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]],
    np.float32,
)


def pq_to_nits(code: F64) -> F64:
    """Display light in cd/m2 of a PQ signal 0..1."""
    p = np.power(code, 1 / _M2)
    return np.asarray(10000 * np.power(np.maximum(p - _C1, 0) / (_C2 - _C3 * p), 1 / _M1))


def nits_to_pq(nits: F64) -> F64:
    """PQ signal 0..1 of display light in cd/m2."""
    y = np.power(np.maximum(nits, 0) / 10000, _M1)
    return np.asarray(np.power((_C1 + _C2 * y) / (1 + _C3 * y), _M2))


def hlg_to_nits(code: F64) -> F64:
    """Display light in cd/m2 of an HLG signal 0..1 on a display of 1000 cd/m2, grey assumed."""
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    scene = np.where(code <= 0.5, code**2 / 3, (np.exp((code - c) / a) + b) / 12)
    return np.asarray(PEAK * np.power(scene, 1.2))


def _tone(nits: F64) -> F64:
    """EETF: light of up to ``PEAK`` brought under ``WHITE``; below the knee nothing changes."""
    peak = nits_to_pq(np.array(PEAK))
    top = float(nits_to_pq(np.array(WHITE)) / peak)
    knee = 1.5 * top - 0.5
    e = np.minimum(nits_to_pq(nits) / peak, 1)
    t = np.clip((e - knee) / (1 - knee), 0, 1)
    spline = (
        (2 * t**3 - 3 * t**2 + 1) * knee
        + (t**3 - 2 * t**2 + t) * (1 - knee)
        + (-2 * t**3 + 3 * t**2) * top
    )
    return pq_to_nits(np.where(e < knee, e, spline) * peak)


@lru_cache(maxsize=2)
def _linear(hdr: str) -> F32:
    """Tone-mapped linear light, 1 is white, for each 16-bit code."""
    code = np.arange(65536) / 65535
    nits = pq_to_nits(code) if hdr == "PQ" else hlg_to_nits(code)
    return np.asarray(_tone(nits) / WHITE, np.float32)


def rgb_to_sdr(rgb16: npt.NDArray[np.uint16], hdr: str) -> U8:
    """BT.2020 ``rgb16`` (h, w, 3) in "PQ" or "HLG" as BT.709 uint8."""
    light = _linear(hdr)[rgb16] @ _TO_709.T
    coded = np.power(np.clip(light, 0, 1), np.float32(1 / 2.4))
    return np.asarray(coded * 255 + 0.5, np.uint8)


@lru_cache(maxsize=2)
def luma_table(hdr: str) -> U8:
    """Uint8 (256,): full-range HDR luma to ordinary luma, exact for greys."""
    codes = np.linspace(0, 65535, 256).round().astype(np.uint16)
    return (np.power(_linear(hdr)[codes], 1 / 2.4) * 255 + 0.5).clip(0, 255).astype(np.uint8)
