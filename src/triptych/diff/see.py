"""The first half of a comparison: both videos looked at, once and at the same time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from triptych.diff.options import Options
from triptych.measure.repeats import StepSampler
from triptych.measure.sound import SoundTrack, survey_sound
from triptych.measure.survey import Observer, Survey, survey
from triptych.media.video import Video


@dataclass(slots=True)
class Seen:
    """One video after its pass."""

    video: Video
    survey: Survey
    observers: dict[str, Any]
    sound: SoundTrack | None


def see_both(
    videos: Sequence[Video], options: Options, meanwhile: Callable[[], None]
) -> list[Seen]:
    """Survey both, and do ``meanwhile`` in this thread.

    Raises what :func:`~triptych.measure.survey.survey` raises.
    """
    shares = [0.0, 0.0]
    stop = threading.Event()

    def see(i: int) -> Seen:
        def progress(time: float) -> None:
            if stop.is_set():
                raise InterruptedError
            length = videos[i].media.duration_s or 0.0
            shares[i] = min(1.0, time / length) if length > 0 else 0.0
            say(options, "looking", sum(shares) / 2)

        observers: dict[str, Observer] = {}
        if options.wants("subject", "on-screen text"):
            from triptych.measure.text_sampling import TextSampler

            observers["text"] = TextSampler()
        if options.wants("style", "sharpness") or options.wants("style", "noise"):
            from triptych.measure.texture import TextureSampler

            observers["texture"] = TextureSampler()
        observers["steps"] = StepSampler()
        result = survey(videos[i], tuple(observers.values()), progress)
        track = survey_sound(videos[i], progress) if wants_sound(options) else None
        return Seen(videos[i], result, dict(observers), track)

    # Decoding and array work run outside the interpreter's lock: two threads are two cores.
    with ThreadPoolExecutor(2) as pool:
        try:
            both = [pool.submit(see, i) for i in (0, 1)]
            meanwhile()
            # One that cannot be read is said at once, not when the other was read to its end.
            wait(both, return_when=FIRST_EXCEPTION)
            for failed in (f for f in both if f.done() and f.exception() is not None):
                failed.result()
            return [f.result() for f in both]
        except BaseException:  # Ctrl-C too, or leaving would wait until both were read to the end
            stop.set()
            raise


def wants_sound(options: Options) -> bool:
    """Whether any aspect of sound is asked for."""
    aspects = ("presence", "loudness", "offset", "content", "speech")
    return any(options.wants("sound", aspect) for aspect in aspects)


def say(options: Options, stage: str, share: float) -> None:
    """Tell how far a stage is, 0 to 1."""
    if options.progress is not None:
        options.progress(stage, share)
