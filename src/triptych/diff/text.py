"""Findings about on-screen text: what is read in one video and not, or otherwise, in the other."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from triptych.diff.context import Context, finding
from triptych.measure.text_check import SecondLook, TextSide
from triptych.measure.text_compare import TextComparison, TextDifference, compare_text
from triptych.measure.text_models import LANGUAGES, TextModelError, text_models
from triptych.measure.text_moments import plausible, steady
from triptych.measure.text_reading import UPRIGHT, Box, Turn, read_text
from triptych.measure.text_sampling import STEP, TextFrames
from triptych.measure.text_tracking import TextItem, track_text
from triptych.measure.text_words import changed_words, shortened
from triptych.record.report import Evidence, Finding, Measure, Media, Relation, Value
from triptych.report.text import clock

ASPECT = "on-screen text"
#: Seconds between looks above which texts may have been missed altogether: titles and captions
#: stand for one to seven seconds.
LARGE_STEP = 2.0
#: Differences told one by one; the rest are counted.
MOST_TOLD = 8
#: Texts listed in the values of a finding.
MOST_LISTED = 40


def findings(ctx: Context) -> Iterator[Finding]:
    """What the texts of both videos have in common and where they differ.

    ``ctx.observed["text"]`` holds the :class:`TextFrames` of A and B.
    """
    observed = ctx.observed.get("text")
    if observed is None:
        yield _unknown("on-screen text was not read (skipped)")
        return
    if ctx.options.lang is not None and ctx.options.lang.lower() not in LANGUAGES:
        yield _unknown(
            f"on-screen text was not read: the built-in reader does not know the letters of "
            f"language {shortened(ctx.options.lang, 12)!r}"
        )
        return
    try:
        with ctx.network:
            a, b, second = _read_both(ctx, *observed)
            compared = compare_text(a, b, ctx.timemap, second)
    except TextModelError as e:
        yield _unknown(str(e))
        return
    yield from told(compared, a, b)


def told(compared: TextComparison, a: TextSide, b: TextSide) -> Iterator[Finding]:
    """The findings of a comparison: each difference, or that there is none."""
    kept = {"A": [i for i in a.items if steady(i)], "B": [i for i in b.items if steady(i)]}
    values: dict[str, Value] = {n: [_listed(i) for i in x[:MOST_LISTED]] for n, x in kept.items()}
    if not compared.different:
        unsteady = [i for side in (a, b) for i in side.items if plausible(i) and not steady(i)]
        step = max(s.reading.frames.step for s in (a, b))
        yield _agreement(compared, kept, values, unsteady, step)
        return
    for d in compared.different[:MOST_TOLD]:
        yield _difference(d)
    rest = len(compared.different) - MOST_TOLD
    if rest > 0:
        yield finding(
            "subject",
            ASPECT,
            "different",
            f"{rest} more on-screen texts differ" if rest > 1 else "1 more on-screen text differs",
            values=values,
            measure=_measure(compared),
            confidence=0.8,
        )


def _read_both(
    ctx: Context, frames_a: TextFrames, frames_b: TextFrames
) -> tuple[TextSide, TextSide, SecondLook]:
    def turn_in_b(time: float) -> Turn:
        for p in ctx.timemap.pieces:
            if min(p.b0, p.b1) <= time <= max(p.b0, p.b1):
                return p.mirror, p.quarter_turns
        return UPRIGHT

    shares = [0.0, 0.0]

    models = text_models()

    def read(side: int) -> TextSide:
        frames, media = ((frames_a, ctx.a.media), (frames_b, ctx.b.media))[side]

        def progress(share: float) -> None:
            shares[side] = share
            if ctx.options.progress is not None:
                ctx.options.progress("text", sum(shares) / 2)

        reading = read_text(frames, models, turn_in_b if side else None, progress)
        return TextSide(reading, track_text(reading), _content(frames, media))

    # The networks run outside the interpreter's lock: two threads are two cores.
    with ThreadPoolExecutor(2) as pool:
        a, b = pool.map(read, (0, 1))
    return a, b, SecondLook(models)


def _content(frames: TextFrames, media: Media) -> Box:
    left, top, right, bottom = media.bars
    width, height = max(frames.width, 1), max(frames.height, 1)
    return left, top, max(width - left - right, 1), max(height - top - bottom, 1)


def _unknown(reason: str) -> Finding:
    return finding("subject", ASPECT, "unknown", reason, confidence=1.0)


def _agreement(
    compared: TextComparison,
    kept: dict[str, list[TextItem]],
    values: dict[str, Value],
    unsteady: list[TextItem],
    step: float,
) -> Finding:
    """No difference was found; ``step``: seconds between the moments that were looked at."""
    relation: Relation = "same"
    sure = 0.9
    if compared.same:
        statement = "the on-screen text that can be read is the same in both"
        if compared.unsure:
            statement += f" ({len(compared.unsure)} more could not be read for certain)"
            sure = 0.7
    elif compared.unsure:
        relation, sure = "unknown", 0.5
        statement = "there is on-screen text, but what it says could not be read for certain"
    elif not kept["A"] and not kept["B"] and unsteady:
        relation, sure = "unknown", 0.5
        statement = f"text was read, but not steadily (such as {_quoted(unsteady[0])})"
    elif not kept["A"] and not kept["B"]:
        statement = "no on-screen text found in either"
    else:
        statement = "no on-screen text differs where both show the same"
    if step > STEP * 1.01:
        statement += f" (looked at every {step:g} s only: the videos are long)"
        if relation == "same" and step > LARGE_STEP:
            relation, sure = "unknown", 0.5
    evidence = [_evidence("A", x, None, x.text) for x, _ in compared.same[:4]]
    evidence += [_evidence("B", y, None, y.text) for _, y in compared.same[:4] if y is not None]
    return finding(
        "subject",
        ASPECT,
        relation,
        statement,
        values=values,
        measure=_measure(compared),
        evidence=evidence,
        confidence=sure,
    )


def _difference(d: TextDifference) -> Finding:
    old, new = d.a, d.b
    if old is not None and new is not None:
        statement = f"{_quoted(old)} {_when(d.when_a)} in A reads {_quoted(new)} in B"
        wrong = changed_words(old.words, new.words)
    elif old is not None:
        statement = f"{_quoted(old)} {_when(d.when_a)} in A is not in B"
        wrong = len(old.words)
    else:
        assert new is not None  # noqa: S101
        statement = f"{_quoted(new)} {_when(d.when_b)} in B is not in A"
        wrong = len(new.words)
    texts: dict[str, Value] = {"A": old.text if old else None, "B": new.text if new else None}
    evidence = []
    for video, item, when in (("A", old, d.when_a), ("B", new, d.when_b)):
        if item is not None:
            evidence.append(_evidence(video, item, when, item.text))
        elif when is not None:
            missing = f"no {_quoted(old or new)}"
            evidence.append(
                Evidence(
                    video=video, start_s=max(when[0], 0.0), end_s=max(when[1], 0.0),
                    modality="text", shows=missing,
                )
            )  # fmt: skip
    scores = [i.score for i in (old, new) if i is not None]
    return finding(
        "subject",
        ASPECT,
        "different",
        statement,
        values=texts,
        measure=Measure(
            name="word error",
            unit="1",
            threshold=0.0,
            values={"words of A": len(old.words) if old else 0,
                    "words of B": len(new.words) if new else 0, "error": max(wrong, 1)},
        ),
        evidence=evidence,
        confidence=min(scores),
    )  # fmt: skip


def _measure(compared: TextComparison) -> Measure:
    differing = compared.different
    words_a = sum(len(x.words) for x, _ in compared.same)
    words_a += sum(len(d.a.words) for d in differing if d.a is not None)
    words_b = sum(len((y or x).words) for x, y in compared.same)
    words_b += sum(len(d.b.words) for d in differing if d.b is not None)
    error = sum(
        max(changed_words(d.a.words if d.a else [], d.b.words if d.b else []), 1) for d in differing
    )
    return Measure(
        name="word error",
        unit="1",
        threshold=0.0,
        values={"words of A": words_a, "words of B": words_b, "error": error},
    )


def _evidence(video: str, item: TextItem, when: tuple[float, float] | None, shows: str) -> Evidence:
    start, end = when or (item.start_s, item.end_s)
    middle = item.samples[len(item.samples) // 2].time
    return Evidence(
        video=video,
        start_s=max(start, 0.0),
        end_s=max(end, 0.0),
        frame_s=middle if start <= middle <= end else None,
        box=list(item.box),
        modality="text",
        shows=shortened(shows),
    )


def _listed(item: TextItem) -> dict[str, Value]:
    listed: dict[str, Value] = {
        "text": shortened(item.text, 200),
        "start_s": round(item.start_s, 6),
        "end_s": round(item.end_s, 6),
        "box": [round(v, 1) for v in item.box],
        "score": round(item.score, 3),
    }
    if item.changing:
        listed["samples"] = [
            [round(s.time, 6), shortened(s.line.text, 60)] for s in item.samples[:MOST_LISTED]
        ]
    return listed


def _quoted(item: TextItem | None) -> str:
    return f'"{shortened(item.text)}"' if item is not None else '""'


def _when(when: tuple[float, float] | None) -> str:
    if when is None:
        return ""
    if when[1] - when[0] < 0.05:
        return f"at {clock(when[0])}"
    return f"at {clock(when[0])}-{clock(when[1])}"
