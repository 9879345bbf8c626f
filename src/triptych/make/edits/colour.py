"""Edits of colour, tone and light, by libavfilter where it has the filter."""

from __future__ import annotations

from triptych.make.clip import U8, Clip, Mapped
from triptych.make.corrupt import saturated
from triptych.make.filters import FROM_RGB, TO_RGB, filtered
from triptych.make.pixels import to_i420, to_rgb
from triptych.make.registry import Context, Edit, Made, register

#: Neutral white of libavfilter's ``colortemperature``, in kelvin.
WHITE_K = 6500


def saturation(clip: Clip, parameter: float, context: Context) -> Made:
    """S of HSV times ``parameter``, as in ViDiC (arXiv 2512.03405), appendix E.4; 0 is grey."""

    def change(index: int, frame: U8) -> U8:
        return to_i420(saturated(to_rgb(frame), parameter))

    return Made(
        clip.with_frames(Mapped(clip.frames, change)), {"style: colour": {"saturation": parameter}}
    )


def hue(clip: Clip, parameter: float, context: Context) -> Made:
    """All hues turned by ``parameter`` degrees, either way (``hue``)."""
    degrees = parameter if context.rng.integers(2) else -parameter
    frames = filtered(clip.frames, f"hue=h={degrees:.4f}")
    return Made(clip.with_frames(frames), {"style: colour": {"hue_deg": degrees}})


def contrast(clip: Clip, parameter: float, context: Context) -> Made:
    """Luma drawn towards middle grey: its distance times ``parameter`` (``lutyuv``)."""
    frames = filtered(clip.frames, f"lutyuv=y=126+(val-126)*{parameter:.6f}")
    return Made(clip.with_frames(frames), {"style: tone": {"contrast": parameter}})


def brightness(clip: Clip, parameter: float, context: Context) -> Made:
    """All of R, G and B times ``1 + parameter``, done on luma and chroma alike (``lutyuv``)."""
    gain = f"{1 + parameter:.6f}"
    chain = f"lutyuv=y=16+(val-16)*{gain}:u=128+(val-128)*{gain}:v=128+(val-128)*{gain}"
    return Made(
        clip.with_frames(filtered(clip.frames, chain)),
        {"background: lighting": {"brightness_percent": round(parameter * 100, 6)}},
    )


def colour_temperature(clip: Clip, parameter: float, context: Context) -> Made:
    """White moved by ``parameter`` kelvin, warmer or cooler (``colortemperature``)."""
    kelvin = WHITE_K + parameter * (1 if context.rng.integers(2) else -1)
    # pl=1 keeps the lightness, so that only the colour of the light changes.
    chain = f"{TO_RGB},colortemperature=temperature={kelvin:.0f}:pl=1,{FROM_RGB}"
    return Made(
        clip.with_frames(filtered(clip.frames, chain)),
        {
            "background: lighting": {
                "kelvin": kelvin,
                "towards": "warm" if kelvin < WHITE_K else "cool",
            }
        },
    )


register(
    Edit(
        "saturation",
        "colour",
        {"light": (0.75,), "medium": (0.5,), "heavy": (0.25, 0.0)},
        ("style: colour",),
        (),
        saturation,
        ("colour",),
    )
)
register(
    Edit(
        "hue",
        "colour",
        {"light": (10.0,), "medium": (30.0,), "heavy": (90.0,)},
        ("style: colour",),
        ("background: lighting",),
        hue,
        ("colour",),
    )
)
register(
    Edit(
        "contrast",
        "colour",
        {"light": (0.85,), "medium": (0.7,), "heavy": (0.5,)},
        ("style: tone",),
        ("style: colour", "background: lighting"),
        contrast,
    )
)
register(
    Edit(
        "brightness",
        "colour",
        {"light": (-0.08,), "medium": (-0.18,), "heavy": (-0.35,)},
        ("background: lighting",),
        ("style: tone", "style: colour"),
        brightness,
    )
)
register(
    Edit(
        "colour-temperature",
        "colour",
        {"light": (500.0,), "medium": (1500.0,), "heavy": (3000.0,)},
        ("background: lighting",),
        ("style: colour",),
        colour_temperature,
    )
)
