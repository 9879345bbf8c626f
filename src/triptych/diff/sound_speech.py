"""The finding on what is said."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.diff.context import finding
from triptych.diff.thresholds import OTHER_WORDS, SPEECH_WORDS
from triptych.measure.sound_compare import Stretch
from triptych.measure.speech import LANGUAGE_SURE, Transcript, Word
from triptych.measure.speech_words import SURE, Change, Token, changes, normalise
from triptych.measure.text_words import shortened
from triptych.record.report import Evidence, Finding, Measure, Relation, Value

#: At most this many changes are listed.
PLACES = 8
#: Letters of a text that are quoted in a statement.
QUOTED = 60


def speech_finding(
    a: Transcript | None,
    b: Transcript | None,
    stretches: Sequence[Stretch],
    follows: bool | None,
) -> Finding:
    """Compare what is said. ``follows``: B's sound is A's, along ``stretches``."""
    if a is None or b is None:
        return _plain("unknown", "speech was not read", 0.5)
    problem = a.problem or b.problem
    if problem is not None:
        return _plain("unknown", problem, 0.5)
    if b.same_as is not None:
        if a.doubt is not None and not a.words:
            return _plain("same", "the sound is the same throughout, whatever is said in it", 0.9)
        heard = f"the same {_counted(len(a.words))}" if a.words else "no speech"
        return _plain("same", f"{heard}: the sound is the same throughout, read once", 0.95, a, b)
    if follows and any(s.slope < 0 for s in stretches):
        return _plain("unknown", "the same sound backwards: its words were not compared", 0.5)
    along = stretches if follows else ()
    words_a, words_b = _within(a.words, along, "A"), _within(b.words, along, "B")
    tokens_a, tokens_b = normalise(words_a), normalise(words_b)
    if follows and stretches and all(s.identical for s in stretches) and (tokens_a or tokens_b):
        return _plain("same", "the same words: the sound is the same throughout", 0.95, a, b)
    doubts = _doubts(a, b, len(words_a) + len(words_b))
    if doubts is not None:
        return doubts
    if not tokens_a and not tokens_b:
        return _plain("same", "no speech on either side", 0.8, a, b)
    unsure_language = any(t.words and t.language_probability < LANGUAGE_SURE for t in (a, b))
    if (not tokens_a or not tokens_b) and not along and not unsure_language:
        return _one_sided(a, b, tokens_a or tokens_b, "B" if tokens_b else "A")
    found, rate = changes(tokens_a, tokens_b, along)
    sure = [c for c in found if c.sure and not _doubted(c, a, b)]
    measure = Measure(
        name="word error rate of B against A, as heard",
        unit="1",
        threshold=None if along else OTHER_WORDS,
        values={"B": rate, "words of A": len(tokens_a), "words of B": len(tokens_b)},
    )
    values: dict[str, Value] = {"A": _said(words_a), "B": _said(words_b)}
    if not unsure_language and (sure or (found and not along and rate >= OTHER_WORDS)):
        listed = sure or found
        return finding(
            "sound",
            "speech",
            "different",
            _statement(listed, rate, bool(along), words_a, words_b),
            values=values,
            measure=measure,
            evidence=[e for c in listed[:PLACES] for e in _evidence(c)],
            confidence=0.85 if along else 0.75,
        )
    if found or unsure_language:
        why = "the language is not certain" if unsure_language else "the words that differ are not"
        return finding(
            "sound",
            "speech",
            "unknown",
            f"heard, but {why} clear enough" if not unsure_language else f"heard, but {why}",
            values=values,
            measure=measure,
            confidence=0.5,
        )
    return finding(
        "sound",
        "speech",
        "same",
        f"the same words ({_counted(len(tokens_a))} heard)",
        values=values,
        measure=measure,
        confidence=0.85,
    )


def _plain(
    relation: Relation,
    statement: str,
    confidence: float,
    a: Transcript | None = None,
    b: Transcript | None = None,
) -> Finding:
    values: dict[str, Value] = {}
    if a is not None and b is not None and (a.words or b.words):
        values = {"A": _said(a.words), "B": _said(b.words)}
    return finding("sound", "speech", relation, statement, values=values, confidence=confidence)


def _one_sided(a: Transcript, b: Transcript, tokens: Sequence[Token], who: str) -> Finding:
    other = "A" if who == "B" else "B"
    sure = [t for t in tokens if t.word.probability >= SURE]
    if len(sure) < SPEECH_WORDS:
        return _plain(
            "unknown", f"words were made out in {who} only, but not clearly enough", 0.5, a, b
        )
    words = [t.word for t in tokens]
    return finding(
        "sound",
        "speech",
        "different",
        f"{who} has speech (“{_said(words, QUOTED)}”), {other} has none",
        values={who: _said(words), other: ""},
        evidence=[
            Evidence(
                video=who,
                start_s=words[0].start,
                end_s=words[-1].end,
                modality="speech",
                shows=_said(words, 120),
            )
        ],
        confidence=0.85,
    )


def _doubts(a: Transcript, b: Transcript, words: int) -> Finding | None:
    """That nothing can be said, where most of what was made out is not to be believed."""
    doubtful = [(n, t) for n, t in (("A", a), ("B", b)) if t.doubtful]
    if not doubtful or sum(len(t.doubtful) for _, t in doubtful) < words:
        return None
    told = "; ".join(
        f"what was made out in {n} is doubtful: {t.doubt} (“{_said(t.doubtful, QUOTED)}”)"
        for n, t in doubtful
    )
    return _plain("unknown", told, 0.5, a, b)


def _doubted(change: Change, a: Transcript, b: Transcript) -> bool:
    """Whether the words that one side lacks may be among its doubtful ones."""
    sides = (
        (a, change.a, change.start_a, change.end_a),
        (b, change.b, change.start_b, change.end_b),
    )
    return any(
        not text and any(w.start < end + 1 and w.end > start - 1 for w in t.doubtful)
        for t, text, start, end in sides
    )


def _within(words: Sequence[Word], along: Sequence[Stretch], video: str) -> list[Word]:
    """The words that lie in what was matched; all where nothing was."""
    if not along:
        return list(words)
    spans = [(s.a0, s.a1) if video == "A" else tuple(sorted((s.b0, s.to_b(s.a1)))) for s in along]
    return [
        w for w in words if any(lo - 0.1 <= (w.start + w.end) / 2 <= hi + 0.1 for lo, hi in spans)
    ]


def _counted(words: int) -> str:
    return f"{words} word{'s' * (words != 1)}"


def _said(words: Sequence[Word], most: int = 2000) -> str:
    text = " ".join(w.text for w in words)
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _statement(
    listed: Sequence[Change],
    rate: float,
    along: bool,
    words_a: Sequence[Word],
    words_b: Sequence[Word],
) -> str:
    if not along and rate > 0.6:
        return (
            f"other words are spoken ({100 * min(rate, 1):.0f} % of A's words differ): "
            f"“{_said(words_a, QUOTED)}” in A, “{_said(words_b, QUOTED)}” in B"
        )
    first = listed[0]
    quoted_a, quoted_b = shortened(first.a, QUOTED), shortened(first.b, QUOTED)
    if not first.b:
        what = f"A says “{quoted_a}” at {first.start_a:.1f} s, B does not"
    elif not first.a:
        what = f"B says “{quoted_b}” at {first.start_b:.1f} s, A does not"
    else:
        what = f"“{quoted_a}” at {first.start_a:.1f} s of A is “{quoted_b}” in B"
    more = len(listed) - 1
    return what + (f", and {more} more change{'s' * (more > 1)}" if more else "")


def _evidence(c: Change) -> list[Evidence]:
    return [
        Evidence(video="A", start_s=c.start_a, end_s=c.end_a, modality="speech", shows=c.a or "—"),
        Evidence(video="B", start_s=c.start_b, end_s=c.end_b, modality="speech", shows=c.b or "—"),
    ]
