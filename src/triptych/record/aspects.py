"""The names of what is compared, apart from the records so that ``--help`` need not load those."""

from __future__ import annotations

from typing import Literal

Dimension = Literal[
    "subject",
    "style",
    "background",
    "camera",
    "motion",
    "position",
    "playback technique",
    "sound",
]

DIMENSIONS: tuple[Dimension, ...] = (
    "subject",
    "style",
    "background",
    "camera",
    "motion",
    "position",
    "playback technique",
    "sound",
)

#: The aspects that can be measured, by dimension. ViDiC (arXiv 2512.03405), section 3.2, names
#: the first seven dimensions; sound is added to them.
ASPECTS: dict[Dimension, tuple[str, ...]] = {
    "subject": ("on-screen text", "people", "faces", "regions"),
    "style": ("colour", "tone", "sharpness", "noise", "bars"),
    "background": ("lighting", "place"),
    "camera": ("movement", "framing", "shots", "stability", "shot scale"),
    "motion": ("amount", "direction", "timing"),
    "position": ("mirroring", "rotation", "layout"),
    "playback technique": (
        "speed",
        "direction",
        "frozen frames",
        "repeated or dropped frames",
        "looping",
    ),
    "sound": ("presence", "loudness", "speech", "offset", "content"),
}
#: Of these, what no measurer looks at yet: the schema has a place for them.
NOT_YET: frozenset[tuple[Dimension, str]] = frozenset()
