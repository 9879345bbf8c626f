"""The second half of a comparison: align, register, and ask each dimension for its findings."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from triptych.diff import (
    alignment,
    background,
    camera,
    motion,
    people,
    playback,
    position,
    sound,
    style,
    subject_regions,
    text,
)
from triptych.diff.context import Context, Findings
from triptych.diff.damage import excused
from triptych.diff.few_frames import limited
from triptych.diff.options import Options
from triptych.diff.see import Seen, say, wants_sound
from triptych.diff.subject import unrelated
from triptych.diff.told_once import told_once
from triptych.diff.verdict import dimensions_of, verdict
from triptych.measure.align import Match, align, at_line
from triptych.measure.matched import Registered, moments, registered
from triptych.measure.shots import Transition, hard_cuts, transitions
from triptych.measure.sound_align import sound_offset
from triptych.measure.steadied import bends_time, steadied
from triptych.measure.timemap import TimeMap
from triptych.record.report import Finding, Report

if TYPE_CHECKING:
    from triptych.measure.speech import Transcript

#: In the order in which the report tells them.
DIMENSIONS: tuple[Findings, ...] = (
    playback.findings,
    position.findings,
    camera.findings,
    motion.findings,
    unrelated,
    subject_regions.findings,
    text.findings,
    people.findings,
    style.findings,
    background.findings,
    sound.findings,
)

#: Those that take longest start first, so that no processor is left with nothing to do at the end.
LONGEST: tuple[Findings, ...] = (
    text.findings,
    style.findings,
    position.findings,
    camera.findings,
    motion.findings,
)
#: How often B's framing is steadied and the videos are aligned again.
STEADY_ROUNDS = 2


def conclude(a: Seen, b: Seen, options: Options) -> Report:
    """The report on what was seen of both."""
    say(options, "aligning", 0.0)
    # Shots are each video's own, speech needs the sound alone, and alignment and the loading of
    # speech models each leave a processor free.
    with ThreadPoolExecutor(2) as pool:
        shots = [pool.submit(_transitions, seen) for seen in (a, b)]
        heard = pool.submit(_hear, a, b, options)
        best, found = _aligned(a, b, options)
        if not heard.done():
            say(options, "listening", 0.5)
        speech = heard.result()
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
    context.observed["transitions"] = (shots[0].result(), shots[1].result())
    if wants_sound(options):
        context.observed["sound"] = (a.sound, b.sound)
    if speech is not None:
        context.observed["speech"] = speech
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


def _aligned(a: Seen, b: Seen, options: Options) -> tuple[Match, Registered]:
    """The best match, and its moments in one geometry."""
    best = align(a.survey, b.survey, options.offset_s)
    say(options, "aligning", 0.5)
    found = _registered(best, a, b)
    if options.offset_s is None:
        by_sound = _by_sound(best, found, a, b)
        if by_sound is not None:
            return by_sound, _registered(by_sound, a, b)
    for _ in range(STEADY_ROUNDS):
        if not bends_time(found.each):
            break
        still = steadied(a.survey, b.survey, best.orientation, found.each)
        again = align(a.survey, still, options.offset_s)
        refound = _registered(again, a, b)
        if _merit(again, refound) <= _merit(best, found):
            break
        best, found = again, refound
    return best, found


def _registered(match: Match, a: Seen, b: Seen) -> Registered:
    shown = moments(match, a.survey, b.survey, a.video, b.video)
    return registered(shown, a.survey, b.survey)


def _merit(match: Match, found: Registered) -> float:
    """How well the same things happen, over how many seconds."""
    return (found.agreement or 0.0) * sum(p.a1 - p.a0 for p in match.timemap.pieces)


def _by_sound(match: Match, found: Registered, a: Seen, b: Seen) -> Match | None:
    """The match at the offset and speed of the sound, where the picture stands still.

    A picture in which nothing happens fits any offset; the sound of the same programme does not.
    """
    if found.agreement is not None or a.sound is None or b.sound is None:
        return None
    heard = sound_offset(a.sound, b.sound)
    if heard is None or not heard.sure:
        return None
    return at_line(match, a.survey, b.survey, heard.offset, 1 / heard.speed)


def _transitions(seen: Seen) -> list[Transition]:
    return transitions(hard_cuts(seen.observers["steps"].steps()), seen.survey.thumbs)


def _observed(a: Seen, b: Seen, found: Registered) -> dict[str, Any]:
    observed: dict[str, Any] = {
        name: (a.observers[name], b.observers[name]) for name in a.observers
    }
    if "text" in observed:
        observed["text"] = tuple(sampler.frames() for sampler in observed["text"])
    observed["zoom"] = None if found.framing is None else found.framing.scale
    return observed


def _hear(a: Seen, b: Seen, options: Options) -> tuple[Transcript | None, Transcript | None] | None:
    """Transcripts of both, where speech is wanted and there is sound."""
    if not options.wants("sound", "speech"):
        return None
    from triptych.measure.speech import transcribe_pair
    from triptych.measure.speech_models import release

    heard = transcribe_pair(a.video, b.video, a.sound, b.sound, options.lang)
    if not options.more:
        release()
    return heard


def _findings(context: Context) -> Iterator[Finding]:
    done = 0

    def ask(dimension: Findings) -> list[Finding]:
        nonlocal done
        found = [limited(context, excused(context, f)) for f in dimension(context)]
        done += 1
        say(context.options, "comparing", done / len(DIMENSIONS))
        return found

    say(context.options, "comparing", 0.0)
    # Array work runs outside the interpreter's lock; the order told stays that of DIMENSIONS.
    with ThreadPoolExecutor(2) as pool:
        order = dict.fromkeys((*LONGEST, *DIMENSIONS))
        started = {d: pool.submit(ask, d) for d in order}
        found = [f for d in DIMENSIONS for f in started[d].result()]
    wanted = [f for f in told_once(found) if context.options.wants(f.dimension, f.aspect)]
    for number, finding in enumerate(wanted, start=1):
        update = {"id": f"f{number}", "confidence": _confidence(context, finding)}
        yield finding.model_copy(update=update)


def _confidence(context: Context, finding: Finding) -> float:
    """Halved for colour and light where one is HDR: tone mapping is one choice of many."""
    hdr = {context.a.media.hdr, context.b.media.hdr}
    graded = ("colour", "tone", "lighting")
    return (
        finding.confidence / 2 if len(hdr) > 1 and finding.aspect in graded else finding.confidence
    )
