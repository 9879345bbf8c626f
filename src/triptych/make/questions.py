"""The questions about a made pair, in our own words, from the facts of its truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: By aspect: ViDiC's category, and the question whose answer is "no" where nothing differs.
#: The wording is ours.
_PLAIN: dict[str, tuple[str, str]] = {
    "subject: on-screen text": (
        "OCR",
        "Is the text shown on the screen different in the two videos?",
    ),
    "subject: people": (
        "Subject Quantity",
        "Does the number of people differ between Video A and Video B?",
    ),
    "subject: faces": (
        "Facial Features",
        "Are the faces that can be seen different in the two videos?",
    ),
    "subject: regions": (
        "Subject Type",
        "Is there a thing in one of the videos that is missing from the other?",
    ),
    "style: colour": ("Colour", "Are the colours of Video B different from those of Video A?"),
    "style: tone": ("Tone", "Is the contrast of Video B different from that of Video A?"),
    "style: sharpness": ("Sharpness", "Is one of the two videos blurrier than the other?"),
    "style: noise": ("Noise", "Is one of the two videos noisier or grainier than the other?"),
    "style: bars": ("Bars", "Do the black bars around the picture differ between the two videos?"),
    "background: lighting": ("Lighting", "Is the lighting different in Video A and Video B?"),
    "background: place": ("Location", "Are the two videos set in different places?"),
    "camera: movement": ("Camera Movement", "Does the camera move differently in the two videos?"),
    "camera: framing": (
        "Shot Composition",
        "Is the framing of the scene different in the two videos?",
    ),
    "camera: shots": (
        "Single and Multiple Shots",
        "Do the two videos have different cuts or transitions?",
    ),
    "camera: stability": ("Camera Movement", "Is the camera shakier in one of the two videos?"),
    "camera: shot scale": ("Shot Scale", "Is the shot scale different in Video A and Video B?"),
    "motion: amount": (
        "Motion Amplitude",
        "Does the amount of motion differ between the two videos?",
    ),
    "motion: direction": (
        "Motion Direction",
        "Do things move in different directions in the two videos?",
    ),
    "motion: timing": (
        "Motion Types",
        "Do events come, go or change their order between the two videos?",
    ),
    "position: mirroring": ("Scene Flipping", "Is Video B a mirror image of Video A?"),
    "position: rotation": (
        "Orientation",
        "Is the picture of Video B rotated against that of Video A?",
    ),
    "position: layout": (
        "Subject-Background Position",
        "Do things stand at different places in the frame in the two videos?",
    ),
    "playback technique: speed": (
        "Speed",
        "Do the two videos play the same content at different speeds?",
    ),
    "playback technique: direction": (
        "Reverse",
        "Does one of the two videos play the content backwards?",
    ),
    "playback technique: frozen frames": (
        "Freeze",
        "Does the picture stand still for a while in one of the videos only?",
    ),
    "playback technique: repeated or dropped frames": (
        "Frame drops",
        "Does one of the two videos stutter where the other is smooth?",
    ),
    "playback technique: looping": (
        "Loop",
        "Does one of the two videos repeat its content where the other does not?",
    ),
}

_Expected = dict[str, Any]


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _speed(e: _Expected) -> str:
    way = "faster" if e["speed"] > 1 else "slower"
    factor = e["speed"] if e["speed"] > 1 else 1 / e["speed"]
    return f"Does Video B play the same content {factor:.2g} times {way} than Video A?"


def _timing(e: _Expected) -> str:
    def at(name: str) -> str:
        return " and ".join(f"{s:.1f} to {t:.1f} s" for s, t in e[name])

    return {
        "start removed": f"Is the beginning of Video A ({at('spans_a')}) missing from Video B?",
        "end removed": f"Is the end of Video A ({at('spans_a')}) missing from Video B?",
        "removed": f"Is a part of Video A ({at('spans_a')}) missing from Video B?",
        "inserted": f"Does Video B show something at {at('spans_b')} that is not in Video A?",
        "reordered": f"Do the parts of Video A at {at('spans_a')} come in another order in B?",
    }[e["change"]]


def _movement(e: _Expected) -> str:
    if e["kind"] == "roll":
        return "Does the picture roll in Video B in a way that it does not in Video A?"
    if e["kind"] == "zoom":
        return f"Does Video B zoom {e['direction']}, in contrast to Video A?"
    verb = {"pan": "pan to the", "tilt": "tilt"}[e["kind"]]
    return f"Does the camera {verb} {e['direction']} in Video B, in contrast to Video A?"


def _framing(e: _Expected) -> str:
    if "zoom" in e:
        return f"Does Video B show a part of Video A's picture enlarged {e['zoom']:g} times?"
    way = "right" if e["dx_share"] > 0 else "left"
    return f"Is the picture of Video B shifted to the {way} against that of Video A?"


def _lighting(e: _Expected) -> str:
    if "kelvin" in e:
        return f"Is the light of Video B {e['towards']}er than that of Video A?"
    return "Is Video B darker than Video A?"


def _colour(e: _Expected) -> str:
    if "hue_deg" in e:
        return "Are the hues of Video B shifted against those of Video A?"
    if e["saturation"] == 0:
        return "Is Video B black and white where Video A has colour?"
    return "Are the colours of Video B less saturated than those of Video A?"


def _regions(e: _Expected) -> str:
    if e["change"] == "removed":
        return "Is something that is seen in Video A missing from Video B?"
    return "Does Video B show a coloured sign or object that is not in Video A?"


def _rotation(e: _Expected) -> str:
    degrees = e["clockwise_deg"]
    if abs(degrees) == 180:
        return "Is Video B upside down against Video A?"
    way = "clockwise" if degrees > 0 else "counterclockwise"
    return f"Is the picture of Video B rotated {way} by about {abs(degrees):g} degrees?"


def _frozen(e: _Expected) -> str:
    start, end = e["spans_b"][0]
    return f"Does Video B freeze from about {start:.1f} to {end:.1f} s, unlike Video A?"


#: By aspect: the question about what was done, from the fact's expected values.
_TOLD: dict[str, Callable[[_Expected], str]] = {
    "subject: on-screen text": lambda e: (
        f'Does the text "{e["text"]}" appear in Video B but not in Video A?'
    ),
    "subject: regions": _regions,
    "style: colour": _colour,
    "style: tone": lambda e: "Does Video B have less contrast than Video A?",
    "style: sharpness": lambda e: "Is Video B blurrier than Video A?",
    "style: noise": lambda e: "Is Video B noisier or grainier than Video A?",
    "style: bars": lambda e: (
        "Does Video B have black bars "
        + ("above and below" if e["added_px"][1] else "left and right")
        + " that Video A does not have?"
    ),
    "background: lighting": _lighting,
    "camera: movement": _movement,
    "camera: framing": _framing,
    "camera: stability": lambda e: "Is the camera shakier in Video B than in Video A?",
    "motion: timing": _timing,
    "position: mirroring": lambda e: f"Is Video B mirrored {e['mirrored']}ly against Video A?",
    "position: rotation": _rotation,
    "playback technique: speed": _speed,
    "playback technique: direction": lambda e: (
        "Does Video B play backwards what Video A plays forwards?"
    ),
    "playback technique: frozen frames": _frozen,
    "playback technique: repeated or dropped frames": lambda e: (
        f"Does Video B stutter, with about {_percent(e['share'])} of its frames held, "
        "unlike Video A?"
    ),
    "playback technique: looping": lambda e: (
        f"Does Video B show the content of Video A {e['times']} times in a row?"
    ),
}


def question(fact: dict[str, Any]) -> dict[str, str] | None:
    """The checklist question of a fact of the truth; ``None`` for sound."""
    if fact["dimension"] == "sound":
        return None
    name = f"{fact['dimension']}: {fact['aspect']}"
    category, plain = _PLAIN[name]
    differs = fact["relation"] == "different"
    text = _TOLD[name](fact["expected"]) if differs else plain
    return item(fact["dimension"], text, "yes" if differs else "no") | {
        "category": category,
        "question_id": fact["question_id"],
    }


def item(klass: str, text: str, correct: str) -> dict[str, str]:
    """A question with the fields of the official list; a judge fills in the empty ones."""
    return {
        "class": klass,
        "question": text,
        "correct_answer": correct,
        "answer": "",
        "explanation": "",
    }
