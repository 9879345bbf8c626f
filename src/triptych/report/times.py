"""From a moment of one video to the matching moment of the other, by the alignment's spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from triptych.record.report import Alignment, Evidence, Finding, Span

#: A moment this far outside a span still counts as its end, seconds: a few frames, because spans
#: end at the last frame that was compared, not at the end of that frame.
SLACK_S = 0.25


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing to look at: the stretch in each video, or ``None`` where there is none.

    ``mapped`` names the video whose stretch was not stated but found through the alignment.
    """

    a: Evidence | None
    b: Evidence | None
    mapped: str | None = None


def to_b(spans: Sequence[Span], t: float) -> float | None:
    """Time in B of A's moment ``t``, seconds; ``None`` where A's moment is not in B."""
    span = span_at(spans, t)
    return None if span is None else through(span, t)


def to_a(spans: Sequence[Span], t: float) -> float | None:
    """Time in A of B's moment ``t``, seconds; ``None`` where B's moment is not in A."""
    return to_b([s.model_copy(update={"a": s.b, "b": s.a}) for s in spans], t)


def span_at(spans: Sequence[Span], t: float) -> Span | None:
    """The span that holds A's moment ``t``, or the nearest within :data:`SLACK_S`."""
    best: tuple[float, Span] | None = None
    for span in spans:
        outside = max(min(span.a) - t, t - max(span.a), 0.0)
        if outside <= SLACK_S and (best is None or outside < best[0]):
            best = (outside, span)
    return None if best is None else best[1]


def through(span: Span, t: float) -> float:
    """Time in B of A's moment ``t`` by one span; outside of it, that of its nearer end."""
    a0, a1 = min(span.a), max(span.a)
    b0, b1 = min(span.b), max(span.b)
    share = (min(max(t, a0), a1) - a0) / (a1 - a0) if a1 > a0 else 0.0
    return b1 - share * (b1 - b0) if span.direction == "reverse" else b0 + share * (b1 - b0)


def at(evidence: Evidence) -> float:
    """The one time at which to show a piece of evidence, seconds."""
    return evidence.start_s if evidence.frame_s is None else evidence.frame_s


def moments(finding: Finding, alignment: Alignment, limit: int) -> list[Moment]:
    """The finding's evidence in pairs, at most ``limit``.

    Stretches of both videos belong together when there are as many on either side, or when the
    alignment says so; a stretch that stands alone gets its matching moment through the alignment.
    """
    a = [e for e in finding.evidence if e.video == "A"]
    b = [e for e in finding.evidence if e.video == "B"]
    if len(a) == len(b):
        return [Moment(x, y) for x, y in zip(a, b, strict=True)][:limit]
    spans = alignment.spans if alignment.matched else []
    found: list[Moment] = []
    left = list(b)
    for x in a:
        t = to_b(spans, at(x))
        y = next((e for e in left if t is not None and _holds(e, t)), None)
        if y is not None:
            left.remove(y)
            found.append(Moment(x, y))
        else:
            found.append(Moment(x, _matching(x, "B", t), "B" if t is not None else None))
    for y in left:
        t = to_a(spans, at(y))
        found.append(Moment(_matching(y, "A", t), y, "A" if t is not None else None))
    return found[:limit]


def _holds(evidence: Evidence, t: float) -> bool:
    return evidence.start_s - SLACK_S <= t <= evidence.end_s + SLACK_S


def _matching(evidence: Evidence, video: str, t: float | None) -> Evidence | None:
    if t is None:
        return None
    return Evidence(
        video=video, start_s=t, end_s=t, frame_s=t, modality=evidence.modality, shows=""
    )
