"""What kind of error lies behind each wrong answer (ViDiC, section 4.2 and appendix G.5).

A model is given the caption, the question, the right answer and the one that was given, and
names one of five kinds. What cannot be told stays among the errors, as a kind of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from triptych.bench.asking import ask_all, cost
from triptych.bench.plots import shares
from triptych.bench.reports import Progress
from triptych.bench.run_folder import RunFolder
from triptych.bench.statistics import percentage
from triptych.bench.vidic.answers import short
from triptych.bench.vidic.finished import Finished
from triptych.bench.vidic.protocol import fill, own_prompt, unmarked
from triptych.bench.vidic.records import Judgment
from triptych.bench.vidic.result import NAME as VIDIC
from triptych.bench.vidic.scores import ONE_PAIR, in_order
from triptych.models import Endpoint, Message, Reply, Settings, user
from triptych.models.answers import json_object
from triptych.record.files import write_text
from triptych.record.report import Record
from triptych.record.scores import Score, Scores, dumps

NAME = "vidic errors"
#: The five of appendix G.5, and two that keep the count whole: the judge had no answer (there was
#: no caption, or the judge's could not be read), and what the analysing model said names none.
Kind = Literal[
    "hallucination", "missed detection", "self-contradiction", "vague", "reasoning error",
    "not answered", "unparsable",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)
FIVE = KINDS[:5]
#: Words that name a kind, whatever stands around them, as answers and as the paper have them.
_NAMED: dict[Kind, str] = {
    "hallucination": r"hallucinat\w*",
    "missed detection": r"missed[ _-]?detections?|incomplete",
    "self-contradiction": r"self[ _-]?contradict\w*",
    "vague": r"vague(?:ness)?|imprecise",
    "reasoning error": r"reasoning[ _-]?errors?",
}
CLASS = "class/"
#: What the paper states of Gemini-2.5-Pro (section 4.2), in percent.
PUBLISHED = {"missed detection": 50.6, "self-contradiction": 28.3, "hallucination": 16.7}
_NONE = "no question was answered wrongly"


class Error(Record):
    """One wrong answer: ``kind`` of the error, and why; ``call`` is the key of the stored call."""

    pair: str
    ident: str
    klass: str
    question: str
    correct: str | None
    answer: str | None
    kind: Kind
    explanation: str = ""
    failed: str | None = None
    call: str | None = None


@dataclass(frozen=True, slots=True)
class Analysed:
    """``errors`` are of all wrong answers, in order; ``scores`` what was counted over them."""

    scores: Scores
    errors: list[Error]
    out: Path


def analyse(
    run: Finished, endpoint: Endpoint, out: RunFolder, *, seed: int = 0,
    settings: Settings | None = None, limit: int | None = None, progress: Progress | None = None,
) -> Analysed:  # fmt: skip
    """Ask for the kind of each wrong answer of ``run``, of its first ``limit`` pairs if given.

    Written into ``out``: ``errors.json`` (the figures), ``errors.jsonl`` (one line an error) and
    ``errors.png``. Calls are kept where ``endpoint`` keeps them; running again makes the others.
    """
    texts = {p.position: c.text for p, c in
             zip(run.checklist.pairs, run.captions, strict=True)}  # fmt: skip
    kept = {p.position for p in run.checklist.pairs[:limit]}
    wrong = [j for j in run.judged if not j.right and _position(j) in kept]
    asked = [j for j in wrong if j.answer is not None]
    messages = [ask(j, texts[_position(j)]) for j in asked]
    replies = ask_all(endpoint, messages, settings, progress)
    told = {j.ident: _read(reply) for j, reply in zip(asked, replies, strict=True)}
    errors = [_error(j, told.get(j.ident)) for j in wrong]
    scores = Scores(
        bench=NAME, model=run.model, judge=endpoint.id, labels=run.labels, n=len(errors),
        failed=sum(e.failed is not None for e in errors), scores=figures(errors, seed),
        cost=cost(replies), seconds=round(sum(r.seconds for r in replies), 3),
    )  # fmt: skip
    lines = [json.dumps(e.model_dump(mode="json")) + "\n" for e in errors]
    write_text(out.folder / "errors.json", dumps(scores))
    write_text(out.folder / "errors.jsonl", "".join(lines))
    plot(scores, out.folder / "errors.png")
    return Analysed(scores, errors, out.folder)


def folder_for(run: Finished, out: str | Path | None, beside: str | Path) -> RunFolder:
    """Where the analysis goes: ``out``, else the run itself, else a folder beside a judged file."""
    if out is not None:
        return RunFolder(out, NAME)
    if run.folder is not None:
        return RunFolder(run.folder, VIDIC)
    return RunFolder(Path(beside).parent / "vidic-errors", NAME)


def ask(judged: Judgment, caption: str) -> list[Message]:
    """The question about one wrong answer."""
    values = {
        "description": unmarked(caption), "question": judged.question,
        "correct": judged.correct or "", "answer": judged.answer or "",
    }  # fmt: skip
    return [user(fill(own_prompt("error"), values))]


def read_kind(text: str) -> tuple[Kind | None, str]:
    """The one kind that ``text`` names, in JSON or in prose, and the explanation.

    Where it names none or several there is no kind, and the reason in place of the explanation.
    """
    if not text.strip():
        return None, "nothing was said"
    data = json_object(text)
    said = data.get("error_type") if data is not None else text
    why = data.get("explanation", "") if data is not None else text
    named = said if isinstance(said, str) else json.dumps(said)
    found: list[Kind] = [
        kind for kind, words in _NAMED.items() if re.search(rf"\b(?:{words})\b", named, re.I)
    ]
    if len(found) != 1:
        what = "none" if not found else "several"
        return None, f"names {what} of the five kinds: {short(named)}"
    return found[0], short(why, 500) if isinstance(why, str) else ""


def figures(errors: Sequence[Error], seed: int = 0) -> dict[str, Score]:
    """The share of each kind among all errors, and among those of each class, in percent.

    The interval draws pairs of videos, each with all its errors.
    """
    out: dict[str, Score] = {}

    def count(prefix: str, some: Sequence[Error]) -> None:
        for kind in KINDS:
            rows = ((e.pair, e.kind == kind) for e in some)
            out[prefix + kind] = percentage(rows, seed, _NONE, ONE_PAIR)

    count("", errors)
    for klass in in_order(e.klass for e in errors):
        count(f"{CLASS}{klass}/", [e for e in errors if e.klass == klass])
    return out


def classes(scores: Scores) -> list[str]:
    """The names of the classes that have errors."""
    last = f"/{KINDS[0]}"
    return [
        n.removeprefix(CLASS).removesuffix(last) for n in scores.scores
        if n.startswith(CLASS) and n.endswith(last)
    ]  # fmt: skip


def plot(scores: Scores, target: str | Path) -> None:
    """A bar of all errors, and one of each class's, by kind."""
    rows = {"all": [scores.scores[k] for k in KINDS]} | {
        name: [scores.scores[f"{CLASS}{name}/{k}"] for k in KINDS] for name in classes(scores)
    }
    shares(rows, KINDS, f"Kinds of error: {scores.labelled} ({scores.n} errors)", target)


def _position(j: Judgment) -> int:
    return int(j.ident.partition("/")[0])


def _read(reply: Reply) -> tuple[Kind | None, str, str]:
    if not reply.ok:
        return None, f"could not be asked: {reply.error}", reply.key
    if reply.refused:
        return None, "the model refused", reply.key
    kind, why = read_kind(reply.text)
    return kind, why, reply.key


def _error(j: Judgment, told: tuple[Kind | None, str, str] | None) -> Error:
    kind: Kind = "not answered"
    why, failed, call = "", j.failed, None
    if told is not None:
        found, why, call = told
        kind, failed = found or "unparsable", None if found else why
    return Error(
        pair=j.pair, ident=j.ident, klass=j.klass, question=j.question, correct=j.correct,
        answer=j.answer, kind=kind, explanation="" if failed else why, failed=failed, call=call,
    )  # fmt: skip
