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
    return _through([(s.a, s.b, s.direction == "reverse") for s in spans], t)


def to_a(spans: Sequence[Span], t: float) -> float | None:
    """Time in A of B's moment ``t``, seconds; ``None`` where B's moment is not in A."""
    return _through([(s.b, s.a, s.direction == "reverse") for s in spans], t)


def _through(
    spans: Sequence[tuple[Sequence[float], Sequence[float], bool]], t: float
) -> float | None:
    best: tuple[float, float] | None = None
    for source, target, reverse in spans:
        s0, s1 = min(source), max(source)
        t0, t1 = min(target), max(target)
        outside = max(s0 - t, t - s1, 0.0)
        if outside > SLACK_S or (best is not None and outside >= best[0]):
            continue
        share = (min(max(t, s0), s1) - s0) / (s1 - s0) if s1 > s0 else 0.0
        best = (outside, t1 - share * (t1 - t0) if reverse else t0 + share * (t1 - t0))
    return None if best is None else best[1]


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
