"""Mean colours of the same places in matched pictures: what colour and tone are fitted on.

Means over blocks of about 1/12 of the height, not pixels: blur, noise, coding and a registration
that is a pixel off change pixels but hardly these means, and regressing one noisy pixel on
another would flatten every slope.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from triptych.measure.pairs import Mask, Pair
from triptych.media.frame import I420

F64 = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

#: Blocks along the longer side of the picture.
BLOCKS = 20
#: Levels that count as clipped: what lay beyond is lost there, so nothing can be fitted on it.
BLACK, WHITE = 2, 253
#: A fit on fewer blocks than this says nothing.
MIN_BLOCKS = 8
#: Share of a block that must be valid and not clipped.
MIN_SHARE = 0.4
#: Noise that meets black or white is cut off on one side, which shifts means: at two standard
#: deviations from the end by 0.01 of one, nearer by more. Such blocks are left out.
NOISE_MARGIN = 2.0


@dataclass(frozen=True, slots=True)
class Blocks:
    """Block means of n places: ``a`` and ``b`` float64 (n, 3) hold y, u, v; neutral u, v are 0.

    ``excess`` float64 (n,): by how much the largest of A's R, G and B is above its luma.
    ``pair`` int (n,) says which pair each is from. ``pairs`` is the number of pairs there were.
    """

    a: F64
    b: F64
    excess: F64
    pair: Ints
    pairs: int

    def __len__(self) -> int:
        return len(self.a)

    def of(self, pair: int) -> Blocks:
        """The blocks of one pair."""
        own = self.pair == pair
        return Blocks(self.a[own], self.b[own], self.excess[own], self.pair[own], self.pairs)


def _mean(plane: npt.NDArray[np.float32], size: tuple[int, int]) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.resize(plane, size, interpolation=cv2.INTER_AREA), np.float32)


def _means(picture: I420, mask: Mask, size: tuple[int, int]) -> npt.NDArray[np.float32]:
    full = mask.astype(np.float32)
    half = _mean(mask.astype(np.float32), (picture.u.shape[1], picture.u.shape[0]))
    tiny = np.float32(1e-6)
    y = _mean(picture.y * full, size) / np.maximum(_mean(full, size), tiny)
    weight = np.maximum(_mean(half, size), tiny)
    u, v = picture.u.astype(np.float32) - 128, picture.v.astype(np.float32) - 128
    # R, G and B less luma, by BT.709.
    excess = np.maximum(np.maximum(1.5748 * v, 1.8556 * u), -0.1873 * u - 0.4681 * v)
    planes = [_mean(p * half, size) / weight for p in (u, v, excess)]
    return np.stack([y, *planes], axis=-1)


def block_means(pairs: Sequence[Pair], noise: float = 0.0) -> Blocks:
    """Mean y, u, v of the blocks of all ``pairs`` that are valid and not clipped in either.

    ``noise`` is the standard deviation, levels, of the noise of the noisier video at its own
    resolution; it decides how near to black and white a block may be.
    """
    a, b, index = [], [], []
    low = NOISE_MARGIN * noise
    for i, pair in enumerate(pairs):
        h, w = pair.a.y.shape
        side = max(h, w) / BLOCKS
        size = (max(1, round(w / side)), max(1, round(h / side)))
        mask = (
            pair.valid
            & (np.minimum(pair.a.y, pair.b.y) > BLACK)
            & (np.maximum(pair.a.y, pair.b.y) < WHITE)
        )
        share = _mean(mask.astype(np.float32), size)
        ma, mb = _means(pair.a, mask, size), _means(pair.b, mask, size)
        good = share >= MIN_SHARE
        good &= (np.minimum(ma, mb)[..., 0] >= low) & (np.maximum(ma, mb)[..., 0] <= 255 - low)
        a.append(ma[good])
        b.append(mb[good])
        index.append(np.full(int(good.sum()), i, np.int64))
    if not a:
        none = np.zeros((0, 3))
        return Blocks(none, none, none[:, 0], np.zeros(0, np.int64), 0)
    first = np.concatenate(a).astype(np.float64)
    return Blocks(
        first[:, :3],
        np.concatenate(b).astype(np.float64)[:, :3],
        first[:, 3],
        np.concatenate(index),
        len(pairs),
    )
