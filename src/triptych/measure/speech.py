"""Spoken words with their times, read by Whisper where a voice is heard.

Decoding is made repeatable: fixed threads, a beam, temperature 0 without fallback, and no text
carried from one window to the next. Words that read like made-up ones are kept apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from triptych.measure import speech_models
from triptych.measure.sound import QUIET_DB, RATE, SoundTrack
from triptych.measure.sound_align import sound_offset
from triptych.measure.sound_compare import compare_along
from triptych.measure.speech_doubt import doubt, most_tokens, windows
from triptych.measure.timemap import Piece
from triptych.media.video import SoundBlock, Video
from triptych.record.errors import MissingExtraError, TriptychError, printable

F32 = npt.NDArray[np.float32]

#: Sound is read in parts of this length, seconds, cut at a quiet place in their last half minute.
PART_S = 600.0
CUT_WITHIN_S = 30.0
#: Voiced sound that the language is told from, seconds. On three clips 5, 8, 15 and 30 s gave the
#: same language with 0.95 to 0.99; the encoder's time grows with it.
LANGUAGE_S = 8.0
#: A language is believed from this probability on.
LANGUAGE_SURE = 0.5
BEAM = 5
#: Sound that lies outside the stretch which two tracks share, and may still be padding, s.
OUTSIDE_S = 0.6


@dataclass(frozen=True, slots=True)
class Word:
    """A word as heard, with its times in seconds and the model's probability of it."""

    text: str
    start: float
    end: float
    probability: float


@dataclass(frozen=True, slots=True)
class Transcript:
    """All words of a video in order; none where nobody speaks.

    ``voiced_s``: seconds that the voice detector passed on. ``problem``: why nothing could be
    read, in one line. ``same_as``: the id of the video whose transcript this is, where the sound
    was found to be the same. ``doubtful``: words that are likely to be made up of music or noise,
    and are not among ``words``; ``doubt`` says why, in one line.
    """

    words: tuple[Word, ...] = ()
    language: str | None = None
    language_probability: float = 0.0
    voiced_s: float = 0.0
    model: str = ""
    problem: str | None = None
    same_as: str | None = None
    doubtful: tuple[Word, ...] = ()
    doubt: str | None = None


def transcribe(
    video: Video, lang: str | None = None, track: SoundTrack | None = None
) -> Transcript | None:
    """Read the speech of ``video``; ``None`` when it has no sound.

    ``lang`` (ISO 639-1) is found out when ``None``. ``track`` saves reading what is silent. Where
    the extra ``speech`` is not installed, the language is not known to the model or the model
    fails, the transcript says so in ``problem``. Raises what reading the file raises.
    """
    if track is not None and track.sounding is None:
        return Transcript()
    problem = speech_models.missing()
    if problem is not None:
        return Transcript(problem=problem)
    try:
        lang = speech_models.known_language(lang)
        return _transcribe(video.sound(RATE), lang)
    except (MissingExtraError, speech_models.SpeechModelError) as e:
        return Transcript(problem=str(e))
    except TriptychError:
        raise
    except Exception as e:  # a network that fails must not end the comparison of all the rest
        why = printable(" ".join(f"{type(e).__name__}: {e}".split()))[:200]
        return Transcript(problem=f"the speech model failed ({why}); leave it out with skip speech")


def transcribe_pair(
    a: Video,
    b: Video,
    track_a: SoundTrack | None,
    track_b: SoundTrack | None,
    lang: str | None = None,
) -> tuple[Transcript | None, Transcript | None]:
    """Read the speech of both, but only once where their sound is the same throughout.

    Otherwise each is read by itself, in the language found in it unless ``lang`` is given.
    """
    heard_a = transcribe(a, lang, track_a) if track_a is not None else None
    if track_b is None:
        return heard_a, None
    offset = _same_sound(track_a, track_b) if track_a is not None else None
    if offset is not None and heard_a is not None and heard_a.problem is None:
        moved = tuple(replace(w, start=w.start + offset, end=w.end + offset) for w in heard_a.words)
        doubted = tuple(
            replace(w, start=w.start + offset, end=w.end + offset) for w in heard_a.doubtful
        )
        return heard_a, replace(heard_a, words=moved, doubtful=doubted, same_as=a.media.id)
    return heard_a, transcribe(b, lang, track_b)


def _same_sound(a: SoundTrack, b: SoundTrack) -> float | None:
    """B's offset where it is A's sound throughout, so alike that no word can differ."""
    match = sound_offset(a, b, speeds=(1.0,))
    if match is None or not match.sure or a.sounding is None or b.sounding is None:
        return None
    t0, t1 = max(a.start, b.start - match.offset), min(a.end, b.end - match.offset)
    if (
        a.sounding[0] < t0 - OUTSIDE_S
        or a.sounding[1] > t1 + OUTSIDE_S
        or b.sounding[0] < t0 + match.offset - OUTSIDE_S
        or b.sounding[1] > t1 + match.offset + OUTSIDE_S
    ):
        return None
    stretches = compare_along(a, b, [Piece(t0, t1, t0 + match.offset, 1.0)])
    return match.offset if stretches and all(s.identical for s in stretches) else None


def _transcribe(blocks: Iterable[SoundBlock], lang: str | None) -> Transcript | None:
    from faster_whisper.vad import get_speech_timestamps

    words: list[Word] = []
    doubtful: list[Word] = []
    why: str | None = None
    language, probability, voiced = lang, 1.0 if lang else 0.0, 0.0
    model: Any = None
    name = ""
    anything = False
    for start, samples in _parts(blocks):
        anything = True
        if float(np.max(np.abs(samples), initial=0.0)) < 10 ** (QUIET_DB / 20):
            continue
        spoken = get_speech_timestamps(samples)
        if not spoken:
            continue
        voiced += sum(s["end"] - s["start"] for s in spoken) / RATE
        if model is None:
            if language is None:
                # Loading keeps one core busy, so the model that is most likely next loads beside;
                # but not while the large one loads, which takes 150 MB more than it keeps.
                speech_models.multilingual()
                with ThreadPoolExecutor(1) as pool:
                    ready = pool.submit(speech_models.english)
                    language, probability = _language(samples, spoken)
                    ready.result()
            by_english = language == "en"
            model = speech_models.english() if by_english else speech_models.multilingual()
            name = speech_models.ENGLISH if by_english else speech_models.MULTILINGUAL
        limit = most_tokens(sum(x["end"] - x["start"] for x in spoken) / RATE)
        segments, _ = model.transcribe(
            samples,
            language=language,
            beam_size=BEAM,
            temperature=0.0,
            condition_on_previous_text=False,
            word_timestamps=True,
            vad_filter=True,
            max_new_tokens=limit,
        )
        for window in windows(list(segments)):
            reason = doubt(window, limit)
            if reason is None and probability < LANGUAGE_SURE:
                reason = "its language is not certain"
            why = why or reason
            (words if reason is None else doubtful).extend(_words(window, start))
    if not anything:
        return None
    return Transcript(
        words=tuple(words),
        language=language,
        language_probability=probability,
        voiced_s=voiced,
        model=name,
        doubtful=tuple(doubtful),
        doubt=why,
    )


def _words(window: list[Any], start: float) -> Iterator[Word]:
    for segment in window:
        for w in segment.words or ():
            if w.word.strip():
                yield Word(
                    w.word.strip(),
                    start + float(w.start),
                    start + float(w.end),
                    float(w.probability),
                )


def _language(samples: F32, spoken: list[dict[str, int]]) -> tuple[str, float]:
    """Language and its probability, from the first seconds in which a voice is heard."""
    voiced = np.concatenate([samples[s["start"] : s["end"]] for s in spoken])
    model = speech_models.multilingual()
    features = model.feature_extractor(voiced[: int(LANGUAGE_S * RATE)])
    frames = int(LANGUAGE_S * model.frames_per_second)
    window = np.zeros((features.shape[0], frames), np.float32)
    window[:, : min(frames, features.shape[1])] = features[:, :frames]
    found = model.model.detect_language(model.encode(window))[0][0]
    return str(found[0][2:-2]), float(found[1])


def _parts(blocks: Iterable[SoundBlock]) -> Iterator[tuple[float, F32]]:
    """The sound in parts of at most PART_S and the time of each; long gaps are not filled."""
    held: list[F32] = []
    size, start = 0, 0.0
    limit = int(PART_S * RATE)
    for block in blocks:
        time = float(block.time)
        if held and abs(time - (start + size / RATE)) > 0.5:
            yield start, np.concatenate(held)
            held, size = [], 0
        if not held:
            start = time
        held.append(block.samples)
        size += len(block.samples)
        while size >= limit:
            whole = np.concatenate(held)
            cut = _quiet_place(whole[:limit])
            yield start, whole[:cut]
            held, size, start = [whole[cut:]], len(whole) - cut, start + cut / RATE
    if size:
        yield start, np.concatenate(held)


def _quiet_place(samples: F32) -> int:
    """Index of the middle of the quietest fifth of a second near the end of ``samples``."""
    first = max(0, len(samples) - int(CUT_WITHIN_S * RATE))
    width = RATE // 5
    tail = samples[first:]
    parts = len(tail) // width
    if parts < 1:
        return len(samples)
    energy = (tail[: parts * width].reshape(parts, width).astype(np.float64) ** 2).mean(axis=1)
    return first + int(np.argmin(energy)) * width + width // 2
