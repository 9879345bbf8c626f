"""What damage excuses: a difference that is only seen where a file is damaged is none."""

from __future__ import annotations

from triptych.diff.context import Context
from triptych.measure.survey import damaged
from triptych.record.report import Finding, Media

#: A picture is still affected this long beside a damaged stretch, seconds: the next key frame.
MARGIN_S = 0.4
#: A video damaged over more of its length than this cannot be called unrelated.
MOST = 0.4


def excused(ctx: Context, finding: Finding) -> Finding:
    """``finding``, or "unknown" in its place where all it shows lies in damaged stretches.

    The damage may be of the video that shows it, or of the other at the matching moment.
    """
    a, b = ctx.a.media, ctx.b.media
    if finding.relation != "different" or not (a.damage or b.damage):
        return finding
    if finding.aspect == "regions" and ctx.match is None:
        worst = max((a, b), key=damaged_share)
        if damaged_share(worst) > MOST:
            return _unknown(finding, f"{worst.id} is damaged for most of its length")
        return finding
    if not finding.evidence:
        return finding
    for e in finding.evidence:
        middle = (e.start_s + e.end_s) / 2
        own, other = (a, b) if e.video == "A" else (b, a)
        if damaged(own, middle, MARGIN_S):
            continue
        there = ctx.timemap.to_b(middle, 1.0) if e.video == "A" else ctx.timemap.to_a(middle, 1.0)
        if there is None or not damaged(other, there, MARGIN_S):
            return finding
    names = " and ".join(m.id for m in (a, b) if m.damage)
    return _unknown(finding, f"{names} is damaged where it would show")


def damaged_share(media: Media) -> float:
    """The share of a video's length that is damaged, 0 to 1."""
    lost = sum(d.end_s - d.start_s for d in media.damage)
    return min(1.0, lost / media.duration_s) if media.duration_s else 0.0


def _unknown(finding: Finding, why: str) -> Finding:
    update = {"relation": "unknown", "statement": f"{finding.aspect} cannot be compared: {why}"}
    return finding.model_copy(update=update)
