"""The comparison: survey both, align, register, and ask each dimension for its findings."""

from __future__ import annotations

import datetime
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from triptych import media
from triptych.diff import (
    alignment,
    background,
    camera,
    motion,
    playback,
    position,
    sound,
    style,
    subject_regions,
    text,
)
from triptych.diff.context import Context, Findings
from triptych.diff.damage import excused
from triptych.diff.options import Options
from triptych.diff.subject import unrelated
from triptych.diff.told_once import told_once
from triptych.diff.verdict import dimensions_of, verdict
from triptych.measure.align import Match, align, at_line
from triptych.measure.matched import Registered, moments, registered
from triptych.measure.repeats import StepSampler
from triptych.measure.sound import SoundTrack, survey_sound
from triptych.measure.sound_align import sound_offset
from triptych.measure.survey import Observer, Survey, survey
from triptych.measure.text_sampling import TextSampler
from triptych.measure.texture import TextureSampler
from triptych.measure.timemap import TimeMap
from triptych.media.video import Video
from triptych.record.report import Finding, Report

#: In the order in which the report tells them.
DIMENSIONS: tuple[Findings, ...] = (
    playback.findings,
    position.findings,
    camera.findings,
    motion.findings,
    unrelated,
    subject_regions.findings,
    text.findings,
    style.findings,
    background.findings,
    sound.findings,
)


@dataclass(slots=True)
class _Seen:
    """One video after its pass."""

    video: Video
    survey: Survey
    observers: dict[str, Any]
    sound: SoundTrack | None


def compare(a: str | Path, b: str | Path, options: Options | None = None) -> Report:
    """Compare ``b`` with ``a`` and report what is the same, what differs and what is unknown.

    Raises :class:`~triptych.record.errors.SourceError` when either cannot be used.
    """
    options = options or Options()
    with ExitStack() as stack:
        videos = [
            stack.enter_context(
                media.open(
                    str(path), stream=stream, fps=options.fps, allow_url=options.allow_url, id=name
                )
            )
            for name, path, stream in (("A", a, options.stream_a), ("B", b, options.stream_b))
        ]
        seen = _see_both(videos, options)
        return _report(seen[0], seen[1], options)


def _see_both(videos: Sequence[Video], options: Options) -> list[_Seen]:
    shares = [0.0, 0.0]
    stop = threading.Event()

    def see(i: int) -> _Seen:
        def progress(time: float) -> None:
            if stop.is_set():
                raise InterruptedError
            length = videos[i].media.duration_s or 0.0
            shares[i] = min(1.0, time / length) if length > 0 else 0.0
            _say(options, "looking", sum(shares) / 2)

        observers: dict[str, Observer] = {}
        if options.wants("subject", "on-screen text"):
            observers["text"] = TextSampler()
        if options.wants("style", "sharpness") or options.wants("style", "noise"):
            observers["texture"] = TextureSampler()
        observers["steps"] = StepSampler()
        result = survey(videos[i], tuple(observers.values()), progress)
        track = survey_sound(videos[i]) if _wants_sound(options) else None
        return _Seen(videos[i], result, dict(observers), track)

    # Decoding and array work run outside the interpreter's lock: two threads are two cores.
    with ThreadPoolExecutor(2) as pool:
        try:
            return list(pool.map(see, (0, 1)))
        except BaseException:  # Ctrl-C too, or leaving would wait until both were read to the end
            stop.set()
            raise


def _wants_sound(options: Options) -> bool:
    aspects = ("presence", "loudness", "offset", "content", "speech")
    return any(options.wants("sound", aspect) for aspect in aspects)


def _report(a: _Seen, b: _Seen, options: Options) -> Report:
    _say(options, "aligning", 0.0)
    best = align(a.survey, b.survey, options.offset_s)
    _say(options, "aligning", 0.5)
    found = registered(moments(best, a.survey, b.survey, a.video, b.video), a.survey, b.survey)
    by_sound = None if options.offset_s is not None else _by_sound(best, found, a, b)
    if by_sound is not None:
        best = by_sound
        found = registered(moments(best, a.survey, b.survey, a.video, b.video), a.survey, b.survey)
    match: Match | None = best
    if not alignment.is_match(best, found):
        match, found = None, replace(found, pairs=(), framing=None)
    stated = alignment.state(best, found)
    context = Context(
        options=options,
        a=a.survey,
        b=b.survey,
        video_a=a.video,
        video_b=b.video,
        alignment=stated,
        timemap=match.timemap if match is not None else TimeMap(),
        match=match,
        registered=found,
        pairs=found.pairs,
        observed=_observed(a, b, found),
    )
    if _wants_sound(options):
        context.observed["sound"] = (a.sound, b.sound)
        _hear(context, a, b)
    findings = list(_findings(context))
    dimensions = dimensions_of(findings)
    return Report(
        created=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        verdict=verdict(context, findings),
        videos=[a.survey.media, b.survey.media],
        alignment=stated,
        dimensions=dimensions,
        findings=findings,
    )


def _by_sound(match: Match, found: Registered, a: _Seen, b: _Seen) -> Match | None:
    """The match at the offset and speed of the sound, where the picture stands still.

    A picture in which nothing happens fits any offset; the sound of the same programme does not.
    """
    if found.agreement is not None or a.sound is None or b.sound is None:
        return None
    heard = sound_offset(a.sound, b.sound)
    if heard is None or not heard.sure:
        return None
    return at_line(match, a.survey, b.survey, heard.offset, 1 / heard.speed)


def _observed(a: _Seen, b: _Seen, found: Registered) -> dict[str, Any]:
    observed: dict[str, Any] = {
        name: (a.observers[name], b.observers[name]) for name in a.observers
    }
    if "text" in observed:
        observed["text"] = tuple(sampler.frames() for sampler in observed["text"])
    observed["zoom"] = None if found.framing is None else found.framing.scale
    return observed


def _hear(context: Context, a: _Seen, b: _Seen) -> None:
    """Transcribe both, where speech is wanted and there is sound."""
    if not context.options.wants("sound", "speech"):
        return
    from triptych.measure.speech import transcribe_pair
    from triptych.measure.speech_models import release

    _say(context.options, "listening", 0.0)
    context.observed["speech"] = transcribe_pair(
        a.video, b.video, a.sound, b.sound, context.options.lang
    )
    release()
    _say(context.options, "listening", 1.0)


def _findings(context: Context) -> Iterator[Finding]:
    found: list[Finding] = []
    for i, dimension in enumerate(DIMENSIONS):
        _say(context.options, "comparing", i / len(DIMENSIONS))
        found += [excused(context, measured) for measured in dimension(context)]
    wanted = [f for f in told_once(found) if context.options.wants(f.dimension, f.aspect)]
    for number, finding in enumerate(wanted, start=1):
        update = {"id": f"f{number}", "confidence": _confidence(context, finding)}
        yield finding.model_copy(update=update)
    _say(context.options, "comparing", 1.0)


def _confidence(context: Context, finding: Finding) -> float:
    """Halved for colour and light where one is HDR: tone mapping is one choice of many."""
    hdr = {context.a.media.hdr, context.b.media.hdr}
    graded = ("colour", "tone", "lighting")
    return (
        finding.confidence / 2 if len(hdr) > 1 and finding.aspect in graded else finding.confidence
    )


def _say(options: Options, stage: str, share: float) -> None:
    if options.progress is not None:
        options.progress(stage, share)
