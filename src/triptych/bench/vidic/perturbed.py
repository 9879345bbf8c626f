"""The corruptions of ViDiC's robustness experiment (section 4.2, appendix E.4).

Both videos of a pair are corrupted alike and at their own size: kernels are pixels of the video,
so a model gets frames that are scaled afterwards. Noise starts from the paper's seed, 42, and from
the time of the frame: it is the same in whichever order frames are cut, another in each frame, and
the same in both videos at the same time, if they are of one size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from triptych.make.clip import U8
from triptych.make.corrupt import blurred, noisy, saturated
from triptych.record.errors import UsageError, printable

Kind = Literal["noise", "blur", "saturation"]
SEED = 42
LEVELS = ("light", "medium", "heavy")
#: The paper's: sigma in levels of 255, kernel in pixels, factor on S of HSV.
AMOUNTS: dict[Kind, tuple[float, float, float]] = {
    "noise": (15.0, 30.0, 45.0), "blur": (5.0, 9.0, 15.0), "saturation": (0.75, 0.5, 0.25),
}  # fmt: skip
_TOLD = {
    "noise": f"normal noise, sigma {{:g}} of 255 on R, G and B, seed {SEED}",
    "blur": "Gaussian blur, kernel {0:g} x {0:g} pixels",
    "saturation": "S of HSV times {:g}",
    "copy": "nothing changed, but written anew",
}


@dataclass(frozen=True, slots=True)
class Perturbation:
    """``amount`` as in :data:`AMOUNTS`; the kind "copy" changes nothing and has no amount."""

    kind: Kind | Literal["copy"]
    amount: float = 0.0

    @property
    def name(self) -> str:
        """Fit for a folder, and for the key of a stored frame."""
        return self.kind if self.kind == "copy" else f"{self.kind}-{self.amount:g}"

    @property
    def told(self) -> str:
        """In words."""
        return _TOLD[self.kind].format(self.amount)

    def __call__(self, rgb: U8, time_s: Fraction) -> U8:
        """``rgb``, uint8 (h, w, 3), of the frame that begins at ``time_s``, corrupted."""
        if self.kind == "noise":
            return noisy(rgb, self.amount, np.random.default_rng([SEED, round(time_s * 10**6)]))
        if self.kind == "blur":
            return blurred(rgb, round(self.amount))
        return saturated(rgb, self.amount) if self.kind == "saturation" else rgb


#: Tells the change of writing a video anew from that of a corruption.
COPY = Perturbation("copy")


def perturbations(kinds: Sequence[str] | None = None) -> list[Perturbation]:
    """The paper's, of these kinds or of all, light to heavy. Raises :class:`UsageError`."""
    wanted = list(dict.fromkeys(kinds if kinds is not None else AMOUNTS))
    odd = [k for k in wanted if k not in AMOUNTS]
    if odd or not wanted:
        said = printable(odd[0]) if odd else "nothing"
        raise UsageError(f"--kinds: {said} is none of {', '.join(AMOUNTS)}")
    return [
        Perturbation(kind, amount) for kind, amounts in AMOUNTS.items() if kind in wanted
        for amount in amounts
    ]  # fmt: skip
