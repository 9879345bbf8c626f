"""Edits of the sound alone; the picture stays as it is."""

from __future__ import annotations

import numpy as np

from triptych.make.clip import Clip, Sound
from triptych.make.eligible import need_seconds, need_sound, rms
from triptych.make.filters import filter_sound
from triptych.make.registry import Context, Edit, Ineligible, Made, register


def _with(clip: Clip, sound: Sound | None) -> Clip:
    kept = None if sound is None else sound.lasting(clip.seconds)
    return Clip(clip.frames, clip.fps, kept)


def mute(clip: Clip, parameter: str, context: Context) -> Made:
    """No sound: the track is missing, or it is there and silent."""
    sound = need_sound(clip.sound)
    track = bool(context.rng.integers(2))
    silent = sound.silence(clip.seconds) if track else None
    return Made(_with(clip, silent), {"sound: presence": {"b": "silence" if track else "none"}})


def gain(clip: Clip, parameter: float, context: Context) -> Made:
    """Louder or quieter by ``parameter`` decibel (``volume``)."""
    sound = filter_sound(need_sound(clip.sound), f"volume=volume={parameter:.4f}dB")
    return Made(_with(clip, sound), {"sound: loudness": {"gain_db": parameter}})


def shift(clip: Clip, parameter: float, context: Context) -> Made:
    """The sound comes later (``adelay``) or earlier by ``parameter`` seconds."""
    need_seconds(clip, parameter + 1.5)
    sound = need_sound(clip.sound)
    later = bool(context.rng.integers(2))
    if later:
        moved = filter_sound(sound, f"adelay=delays={parameter * 1000:.0f}:all=1")
    else:
        moved = sound.span(parameter, clip.seconds)
    if rms(moved.lasting(clip.seconds)) < rms(sound) / 4:
        raise Ineligible("most of the sound would be lost")
    offset = parameter if later else -parameter
    return Made(_with(clip, moved), {"sound: offset": {"offset_s": offset}})


def replaced(clip: Clip, parameter: str, context: Context) -> Made:
    """The sound of another clip, or made tones, at the same level."""
    sound = need_sound(clip.sound)
    donor = context.donor.sound if context.donor is not None else None
    if donor is not None and rms(donor) >= rms(sound) / 30:
        other, source = _like(donor, sound), "another clip"
    else:
        other, source = _tones(sound, context), "made tones"
    level = rms(sound) / max(rms(other), 1e-9)
    louder = Sound(np.clip(other.samples * np.float32(level), -1, 1), other.rate)
    return Made(_with(clip, louder), {"sound: content": {"replaced_by": source}})


def _like(sound: Sound, model: Sound) -> Sound:
    """``sound`` with the rate, channels and length of ``model``, repeated where it is short."""
    n = model.samples.shape[1]
    samples = sound.samples.mean(axis=0)
    at = np.arange(round(len(samples) * model.rate / sound.rate)) * sound.rate / model.rate
    mono = np.interp(at, np.arange(len(samples)), samples).astype(np.float32)
    row = np.resize(mono, n)
    return Sound(np.repeat(row[None], len(model.samples), axis=0), model.rate)


def _tones(model: Sound, context: Context) -> Sound:
    """Notes of 0.25 s at random pitches from 220 to 880 Hz, each fading."""
    n, rate = model.samples.shape[1], model.rate
    length = rate // 4
    t = np.arange(length) / rate
    notes = []
    for _ in range(n // length + 1):
        pitch = 220 * 2 ** (int(context.rng.integers(25)) / 12)
        notes.append(np.sin(2 * np.pi * pitch * t) * np.exp(-6 * t))
    row = np.concatenate(notes)[:n].astype(np.float32)
    return Sound(np.repeat(row[None], len(model.samples), axis=0), rate)


register(
    Edit("mute", "sound", {"heavy": ("off",)}, ("sound: presence",), ("sound",), mute, ("sound",))
)
register(
    Edit(
        "gain",
        "sound",
        {"light": (-3.0,), "medium": (-6.0,), "heavy": (-12.0,)},
        ("sound: loudness",),
        ("sound",),
        gain,
        ("sound",),
    )
)
register(
    Edit(
        "sound-shift",
        "sound",
        {"light": (0.1,), "medium": (0.5,), "heavy": (2.0,)},
        ("sound: offset",),
        ("sound",),
        shift,
        ("sound",),
    )
)
register(
    Edit(
        "replaced-sound",
        "sound",
        {"heavy": ("other",)},
        ("sound: content",),
        ("sound",),
        replaced,
        ("sound",),
        donor=True,
    )
)
