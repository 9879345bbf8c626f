"""One difference is told once: a changed title is on-screen text, not a changed region as well."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from triptych.record.report import Finding

#: A region belongs to a text when this share of it lies in the text's box, drawn out by a part of
#: the box's height on all sides (letters' edges, shadows and plates reach beyond what is read).
INSIDE, MARGIN = 0.6, 0.6

ONLY_TEXT = "no place changed but where on-screen text did, which is told as that"


def told_once(findings: Sequence[Finding]) -> list[Finding]:
    """``findings`` without regions that on-screen text findings already account for."""
    texts = _boxes(f for f in findings if _is(f, "on-screen text"))
    told: list[Finding] = []
    left_out: Finding | None = None
    for f in findings:
        if _is(f, "regions") and any(_covers(f, video, box) for video, box in texts):
            left_out = f
        else:
            told.append(f)
    if left_out is not None and not any(f.aspect == "regions" for f in told):
        # It was looked at: what changed there is told above.
        update: dict[str, object] = {
            "relation": "same",
            "statement": ONLY_TEXT,
            "values": {},
            "evidence": [],
            "measure": None,
        }
        told.append(left_out.model_copy(update=update))
    return told


def _is(f: Finding, aspect: str) -> bool:
    return f.relation == "different" and f.aspect == aspect


def _boxes(findings: Iterable[Finding]) -> list[tuple[str, Sequence[float]]]:
    return [(e.video, e.box) for f in findings for e in f.evidence if e.box is not None]


def _covers(region: Finding, video: str, box: Sequence[float]) -> bool:
    x, y, w, h = box
    d = MARGIN * h
    x0, y0, x1, y1 = x - d, y - d, x + w + d, y + h + d
    boxes = [e.box for e in region.evidence if e.video == video and e.box is not None]
    if not boxes:
        return False
    for rx, ry, rw, rh in boxes:
        across = max(0.0, min(x1, rx + rw) - max(x0, rx))
        down = max(0.0, min(y1, ry + rh) - max(y0, ry))
        if across * down < INSIDE * rw * rh:
            return False
    return True
