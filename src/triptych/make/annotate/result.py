"""What came out, counted and written: the checklist, and beside it how it came about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from triptych.make.annotate.draft import Shown, prompt
from triptych.make.annotate.folder import Folder
from triptych.make.annotate.records import RIGHT, Draft, Made, Side
from triptych.make.checklist import entry
from triptych.make.questions import item
from triptych.models import Endpoint, Reply, prompt_hash, user
from triptych.record.errors import SourceError, printable


@dataclass(frozen=True, slots=True)
class Result:
    """A set that was made. ``summary`` is what ``made.json`` holds, but for its schema."""

    folder: Folder
    made: list[Made]
    summary: dict[str, Any]

    @property
    def empty(self) -> bool:
        """Whether not one question came out."""
        return not any(m.questions and m.left_out is None for m in self.made)


def write(
    folder: Folder, made: list[Made], drafters: Sequence[Endpoint], merging: Endpoint,
    how: Shown, *, measured: bool,
) -> Result:  # fmt: skip
    """Write all files of the set; pairs without a question are in ``left_out.jsonl`` alone."""
    entries: list[dict[str, Any]] = []
    for one in made:
        if not one.questions or one.left_out is not None:
            continue
        try:
            names = folder.take(one.pair.a), folder.take(one.pair.b)
        except SourceError as e:
            one.left_out = str(e)
            continue
        sides: dict[str, list[dict[str, str]]] = {
            side: [
                item(q.klass, q.text, RIGHT[side]) for q in one.questions if q.side == side
            ]
            for side in get_args(Side)
        }  # fmt: skip
        entries.append(entry(one.pair.number, *names, sides))
    folder.write_checklist(entries)
    folder.write("drafts.jsonl", (row for one in made for row in _calls(one, merging)))
    folder.write("questions.jsonl", (row for one in made for row in _asked(one)))
    folder.write("dropped.jsonl", (d.model_dump() for one in made for d in one.dropped))
    out = [one for one in made if one.left_out is not None]
    folder.write("left_out.jsonl", ({**_named(one), "reason": one.left_out} for one in out))
    summary = _summary(made, drafters, merging, how, measured)
    folder.write_summary(summary)
    return Result(folder, made, summary)


def _named(one: Made) -> dict[str, Any]:
    return {"pair": one.pair.id, "a": one.pair.a, "b": one.pair.b}


def _asked(one: Made) -> Iterator[dict[str, Any]]:
    """What speaks for each question that stayed, for those who check it."""
    for q in one.questions if one.left_out is None else ():
        yield {
            "pair": one.pair.id, "side": q.side, "class": q.klass, "question": q.text,
            "measured": "not measured" if one.unmeasured else "agrees" if q.agrees else None,
            "drafted_by": list(q.models),
        }  # fmt: skip


def _calls(one: Made, merging: Endpoint) -> Iterator[dict[str, Any]]:
    """Each call: who was asked what, and shown which frames, what was said, and what it cost."""
    for draft in one.drafts:
        yield {**_named(one), "stage": "draft", "model": draft.model, **_told(draft)}
    if one.merged is not None:
        row = {**_named(one), "stage": "merge", "model": merging.id}
        yield {**row, "reply": one.merged.model_dump(mode="json")}


def _told(draft: Draft) -> dict[str, Any]:
    fault = draft.fault and {"reason": draft.fault.reason, "detail": draft.fault.detail}
    reply = draft.reply.model_dump(mode="json") if draft.reply is not None else None
    return {"fault": fault, "claims": len(draft.claims), "reply": reply}


def _summary(
    made: Sequence[Made], drafters: Sequence[Endpoint], merging: Endpoint, how: Shown,
    measured: bool,
) -> dict[str, Any]:  # fmt: skip
    kept = [one for one in made if one.left_out is None]
    asked = [q for one in kept for q in one.questions]
    drafts = [d for one in made for d in one.drafts]
    dropped = [d for one in made for d in one.dropped]
    replies = [d.reply for d in drafts if d.reply is not None]
    replies += [one.merged for one in made if one.merged is not None]
    return {
        "models": [e.id for e in drafters],
        "merge": merging.id,
        "prompts": {n: prompt_hash([user(prompt(n))]) for n in ("draft", "merge")},
        "shown": {
            "frames": how.frames, "fps": how.fps, "size": how.size,
            "settings": how.settings.given(),
        },
        "measured": measured,
        "n": len(made),
        "failed": len(made) - len(kept),
        "questions": {s: sum(q.side == s for q in asked) for s in get_args(Side)},
        "agree_with_a_measurement": sum(q.agrees for q in asked),
        "classes": dict(Counter(q.klass for q in asked)),
        "dropped": {
            stage: dict(Counter(d.reason for d in dropped if d.stage == stage).most_common())
            for stage in ("draft", "merge")
        },
        "drafts": {e.id: _counted([d for d in drafts if d.model == e.id]) for e in drafters},
        "left_out": dict(Counter(printable(o.left_out) for o in made if o.left_out is not None)),
        "unmeasured": sum(one.unmeasured is not None for one in made),
        **_costs(replies),
    }  # fmt: skip


def _counted(drafts: Sequence[Draft]) -> dict[str, int]:
    faults = Counter(d.fault.reason for d in drafts if d.fault is not None)
    return {"asked": len(drafts), "usable": sum(d.fault is None for d in drafts), **faults}


def _costs(replies: Sequence[Reply]) -> dict[str, Any]:
    fresh = [r for r in replies if not r.stored]
    costs = [r.cost for r in fresh if r.ok]
    used = [r.usage for r in replies if r.usage is not None]
    return {
        "calls": len(replies),
        "stored": len(replies) - len(fresh),
        "retries": sum(r.retries.total for r in replies),
        "tokens": {"input": sum(u.input for u in used), "output": sum(u.output for u in used)},
        "cost": None if None in costs else round(sum(c for c in costs if c is not None), 6),
        "seconds": round(sum(r.seconds for r in fresh), 3),
    }
