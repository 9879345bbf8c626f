"""The colour of light in words that people use: kelvin, and how colourful a picture is."""

from __future__ import annotations

import numpy as np

from triptych.media.frame import I420

#: Correlated colour temperature of D65, the white of BT.709 and sRGB, kelvin.
D65_K = 6504.0


def temperature_shift(tint: complex, luma: float = 128.0) -> float | None:
    """Kelvin by which white moves when a grey of ``luma`` gains ``tint`` (u + iv, levels).

    Negative is warmer. Approximate, and ``None`` where the colour has no temperature (it is too
    green, magenta or strong). Grey is taken to sRGB, linear light and x, y of CIE 1931 (matrix of
    IEC 61966-2-1), whose temperature is McCamy's cubic (Color Res. Appl. 17(2), 1992).
    """
    u, v = tint.real, tint.imag
    rgb = np.array([luma + 1.5748 * v, luma - 0.1873 * u - 0.4681 * v, luma + 1.8556 * u]) / 255
    if rgb.min() <= 0 or rgb.max() > 1:
        return None
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    matrix = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x, y, _ = (c := matrix @ linear) / c.sum()
    if abs(y - 0.1858) < 1e-6:
        return None
    n = (x - 0.3320) / (0.1858 - y)
    kelvin = 449 * n**3 + 3525 * n**2 + 6823.3 * n + 5520.33
    return float(kelvin - D65_K) if 1500 < kelvin < 25000 else None


def colourfulness(picture: I420) -> float:
    """Colourfulness M of Hasler and Suesstrunk ("Measuring colourfulness in natural images", 2003).

    0 is grey, 15 slightly, 33 moderately, 59 quite, 109 extremely colourful (their table 2).
    """
    h, w = picture.u.shape
    y = picture.y[: 2 * h, : 2 * w].reshape(h, 2, w, 2).mean(axis=(1, 3))
    u, v = picture.u.astype(np.float64) - 128, picture.v.astype(np.float64) - 128
    r = np.clip(y + 1.5748 * v, 0, 255)
    g = np.clip(y - 0.1873 * u - 0.4681 * v, 0, 255)
    b = np.clip(y + 1.8556 * u, 0, 255)
    rg, yb = r - g, (r + g) / 2 - b
    spread = np.hypot(rg.std(), yb.std())
    return float(spread + 0.3 * np.hypot(rg.mean(), yb.mean()))
