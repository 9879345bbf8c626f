"""Differences written by a model, beside what was measured: asked for, parsed, and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files

from triptych.diff.caption import Caption, Claim, parse_caption
from triptych.diff.claims import (
    against_each_other,
    against_measurements,
    order_check,
)
from triptych.diff.verdict import dimensions_of
from triptych.diff.written_input import Looked, facts, look
from triptych.models import Endpoint, Estimate, Message, Part, Reply, Settings, Text, shown, user
from triptych.models.frames import FrameStore, Size
from triptych.record.errors import printable
from triptych.record.report import Check, Evidence, Finding, ModelUse, Report
from triptych.report.text import at_odds

#: A cited time counts as that of the nearest frame that was sent, if it is this near in seconds.
NEAR_S = 1.0


@dataclass(frozen=True, slots=True)
class Writing:
    """What a model is asked: ``unaided`` is uniform frames and no facts, as ViDiC does it.

    ``frames`` of each video, or ``fps`` a second; ``whole`` sends the files themselves.
    """

    frames: int | None = None
    fps: float | None = None
    size: Size = 640
    whole: bool = False
    unaided: bool = False
    check_order: bool = False
    repair: bool = False
    settings: Settings = field(default_factory=Settings)


def prompt(name: str) -> str:
    """The prompt file ``name``."""
    return (files("triptych.diff") / "prompts" / f"{name}.txt").read_text(encoding="utf-8")


def ask(report: Report, looked: Looked, writing: Writing, *, swapped: bool = False) -> Message:
    """The question, with everything that the model is given."""
    a, b = ("B", "A") if swapped else ("A", "B")
    parts: list[Part] = [Text(prompt("compare"))]
    # The facts speak of A and B as they are in the report, so the swapped question goes without.
    if not writing.unaided and not swapped:
        parts.append(Text(f"{prompt('facts')}\n{facts(report)}"))
    for name, of in (("A", a), ("B", b)):
        parts.append(Text(f"Video {name}:"))
        parts += shown(looked.named(of, name)) if not writing.whole else [looked.clip(of, name)]
    return user(*parts)


async def estimate(
    report: Report, paths: tuple[str, str], end: Endpoint, store: FrameStore, writing: Writing
) -> Estimate:
    """What :func:`write` is expected to take at most; nothing is sent."""
    looked = look(report, paths, store, writing)
    total = end.estimate([ask(report, looked, writing)], writing.settings)
    one = total
    if writing.check_order:
        total += end.estimate([ask(report, looked, writing, swapped=True)], writing.settings)
    return total + one if writing.repair else total


async def write(
    report: Report, paths: tuple[str, str], end: Endpoint, store: FrameStore, writing: Writing
) -> tuple[Report, list[Reply]]:
    """``report`` with the model's findings behind the measured ones, and the calls made.

    Whatever the model answers is in the report; nothing of it raises. ``paths`` are A's and B's.
    """
    looked = look(report, paths, store, writing)
    question = ask(report, looked, writing)
    reply = await end.generate([question], writing.settings)
    replies = [reply]
    caption = _caption(reply)
    found = _findings(caption, reply, report, looked)
    if writing.check_order and caption.claims:
        other = await end.generate([ask(report, looked, writing, swapped=True)], writing.settings)
        replies.append(other)
        _order(found, caption, other)
    wrong = [f for f in found if at_odds(f)]
    if writing.repair and wrong:
        told = Message("assistant", (Text(reply.text),))
        again = user(f"{prompt('repair')}\n{_at_odds(wrong, report)}")
        repaired = await end.generate([question, told, again], writing.settings)
        replies.append(repaired)
        second = _caption(repaired)
        if second.claims:
            found = _repaired(_findings(second, repaired, report, looked), wrong)
            caption = second
        else:
            for f in wrong:
                why = second.fault or "nothing was said"
                f.checks.append(Check(kind="repair", outcome=f"no correction: {why}"))
    if caption.fault is not None:
        found.insert(0, _fault(caption.fault, reply))
    return _joined(report, found, end.id), replies


def _caption(reply: Reply) -> Caption:
    if not reply.ok:
        return Caption(fault=f"the call failed ({reply.error_kind}): {reply.error}")
    if reply.refused:
        return Caption(fault="the endpoint's filter withheld it")
    caption = parse_caption(reply.text)
    if reply.stop == "length" and caption.fault is None:
        caption.fault = "it was cut off at the limit of tokens"
    return caption


def _findings(caption: Caption, reply: Reply, report: Report, looked: Looked) -> list[Finding]:
    odds = against_each_other(caption.claims)
    out = []
    for number, claim in enumerate(caption.claims):
        checks = against_measurements(claim, report.findings)
        if odds[number]:
            others = [_id(i) for i in odds[number] if i != number]
            outcome = "contradicts what else is said" if others else "contradicts itself"
            checks.append(Check(kind="contradiction", outcome=outcome, against=others))
        evidence, unseen = _evidence(claim, looked)
        against = sum(c.outcome.startswith("contradict") for c in checks)
        agree = sum(c.outcome.startswith("agrees") for c in checks)
        out.append(
            Finding(
                id=_id(number),
                dimension=claim.dimension,
                aspect="as described",
                relation="different" if claim.different else "same",
                statement=printable(claim.text),
                values={k: printable(v) for k, v in (("A", claim.a), ("B", claim.b)) if v},
                evidence=evidence,
                # No probability: agreed with a measurement, said with or without a place to look.
                confidence=0.1 if against else 0.9 if agree else 0.3 if unseen else 0.5,
                source="model",
                model=_use(reply),
                checks=checks,
            )
        )
    return out


def _id(number: int) -> str:
    return f"model-{number + 1}"


def _use(reply: Reply) -> ModelUse:
    return ModelUse(role=reply.role, id=reply.model, prompt_hash=reply.prompt_hash)


def _evidence(claim: Claim, looked: Looked) -> tuple[list[Evidence], bool]:
    """The frames that ``claim`` cites, and whether it cites none that was sent."""
    out: list[Evidence] = []
    for video, time in claim.times:
        times = [p.time_s for p in looked.pictures[video]]
        near = min(times, key=lambda t: abs(t - time), default=None)
        if near is None and looked.clips and time <= looked.clips[video].duration_s:
            near = time
        if near is None or abs(near - time) > NEAR_S:
            continue
        if not any(e.video == video and e.start_s == round(near, 6) for e in out):
            out.append(Evidence(video=video, start_s=near, end_s=near, frame_s=near))
    return out, not out


def _order(found: Sequence[Finding], caption: Caption, other: Reply) -> None:
    swapped = _caption(other)
    for f, claim in zip(found, caption.claims, strict=True):
        if not claim.different:
            continue
        if swapped.claims:
            f.checks.append(order_check(claim, swapped.claims))
        else:
            said = f"not checked: {swapped.fault or 'nothing was said'}"
            f.checks.append(Check(kind="order", outcome=said))


def _at_odds(wrong: Sequence[Finding], report: Report) -> str:
    said = {f.id: f.statement for f in report.findings}
    lines = []
    for f in wrong:
        for c in f.checks:
            against = "; ".join(said[i] for i in c.against if i in said)
            lines.append(f"- You said: {f.statement} - {c.outcome}{against and ': ' + against}")
    return "\n".join(lines)


def _repaired(found: list[Finding], wrong: Sequence[Finding]) -> list[Finding]:
    before = {f.statement for f in wrong}
    for f in found:
        if f.statement in before:
            outcome = "kept after it was shown to be at odds"
        elif at_odds(f):
            outcome = "still at odds after the repair"
        else:
            continue
        f.checks.append(Check(kind="repair", outcome=outcome))
    gone = len(before - {f.statement for f in found})
    if gone and found:
        found[0].checks.append(
            Check(kind="repair", outcome=f"statements withdrawn or corrected: {gone}")
        )
    return found


def _fault(fault: str, reply: Reply) -> Finding:
    return Finding(
        id="model-answer",
        dimension="subject",
        aspect="model's answer",
        relation="unknown",
        statement=printable(f"the answer of {reply.model} cannot be relied on: {fault}"),
        confidence=1.0,
        source="model",
        model=_use(reply),
    )


def _joined(report: Report, found: list[Finding], model: str) -> Report:
    """Both kinds of findings; what a check speaks against makes no dimension different."""
    counted = [f for f in found if f.id != "model-answer" and not at_odds(f)]
    dimensions = dict(report.dimensions)
    for name, relation in dimensions_of(counted).items():
        if relation == "different":
            dimensions[name] = "different"
    different = sum(f.relation == "different" for f in found)
    wrong = sum(at_odds(f) for f in found)
    fault = next((f.statement for f in found if f.id == "model-answer"), None)
    shown_model = printable(model)
    clause = f"{shown_model} describes {different} differences; {wrong} statements at odds"
    verdict = f"{report.verdict} ({fault or clause})"
    return report.model_copy(
        update={
            "verdict": verdict,
            "dimensions": dimensions,
            "findings": [*report.findings, *found],
        }
    )
