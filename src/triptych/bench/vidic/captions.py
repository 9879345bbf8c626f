"""Captions of a set's pairs: read from a response file, and written in the same format.

A response file is a list of ``{index, video1_path, video2_path, response}``. It is joined on the
paths: the index starts at 0 in one published file and at 1 in another, and two responses of the
thousand have no partner.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from triptych.bench.vidic.load import clean_path, read_rows
from triptych.bench.vidic.records import Checklist, Pair, Problem
from triptych.diff.caption import is_stuck
from triptych.record.files import write_text
from triptych.record.report import Record

#: The words of some captions for Video A and Video B. Capitalised, or before "video": a light
#: source and a travel destination stay what they are.
_A = re.compile(r"\b(?:[Tt]he )?(?:Source(?: [Vv]ideo)?|source video)\b")
_B = re.compile(r"\b(?:[Tt]he )?(?:Destination(?: [Vv]ideo)?|destination video)\b")


class Caption(Record):
    """What was said of a pair. ``text`` may be empty; ``failed`` says why there is none at all.

    ``cut``: the model reached its limit of tokens before it ended.
    """

    text: str = ""
    failed: str | None = None
    cut: bool = False


def read_responses(
    file: str | Path, checklist: Checklist
) -> tuple[list[Caption], list[Problem], list[str]]:
    """A caption for each pair of ``checklist``, what is wrong with the file, and notes on it.

    Raises a :class:`~triptych.record.errors.SourceError` where the file holds no list.
    """
    problems: list[Problem] = []
    by_key: dict[str, tuple[int, Any, str]] = {}
    for i, row in enumerate(read_rows(Path(file), "response file")):
        where, found = f"response {i}", _row(row)
        if isinstance(found, str):
            problems.append(Problem(kind="bad response", where=where, what=found))
        elif found[0] in by_key:
            what = f"the same videos as response {by_key[found[0]][0]}, which is taken"
            problems.append(Problem(kind="duplicate response", where=where, what=what))
        else:
            by_key[found[0]] = (i, row.get("index"), found[1])
    problems += _without_partner(by_key, checklist)
    notes = _index_notes(by_key, checklist, problems)
    captions, renamed = [], 0
    for pair in checklist.pairs:
        if pair.key not in by_key:
            captions.append(Caption(failed="no response for these videos"))
            continue
        text = by_key[pair.key][2]
        plain = name_videos(text)
        renamed += plain != text
        captions.append(Caption(text=plain))
    if renamed:
        notes.append(f"Source and Destination read as Video A and Video B in {renamed} responses")
    problems += odd_problems(checklist.pairs, captions)
    return captions, problems, notes


def write_responses(target: Path, pairs: Sequence[Pair], captions: Sequence[Caption]) -> None:
    """Write captions in the response format; ``error`` stands where there is none."""
    rows = [
        {"index": p.position, "video1_path": p.a, "video2_path": p.b, "response": c.text}
        | ({"error": c.failed} if c.failed is not None else {})
        for p, c in zip(pairs, captions, strict=True)
    ]
    write_text(target, json.dumps(rows, indent=1) + "\n")


def odd_problems(pairs: Sequence[Pair], captions: Sequence[Caption]) -> list[Problem]:
    """Captions that are empty, cut off, or say one thing without end, by name.

    They are judged like others: what they do not say is the same.
    """
    told = [(p, _odd(c)) for p, c in zip(pairs, captions, strict=True) if c.failed is None]
    return [
        Problem(kind=f"{odd} caption", where=f"entry {p.position}", what=f"the caption is {odd}")
        for p, odd in told if odd is not None
    ]  # fmt: skip


def _odd(caption: Caption) -> str | None:
    if not caption.text.strip():
        return "empty"
    if is_stuck(caption.text):
        return "repetitive"
    return "cut off" if caption.cut else None


def name_videos(text: str) -> str:
    """``text`` with Source and Destination as Video A and Video B, where it uses both."""
    if _A.search(text) and _B.search(text):
        return _B.sub("Video B", _A.sub("Video A", text))
    return text


def _row(row: Any) -> tuple[str, str] | str:
    if not isinstance(row, dict):
        return "is no object"
    names = [clean_path(row.get(f)) for f in ("video1_path", "video2_path")]
    if not all(names):
        return "names no two videos; an index alone joins nothing"
    said = row.get("response")
    if isinstance(said, dict) and said:  # some models answer in JSON; it is judged as such
        said = json.dumps(said, ensure_ascii=False)
    if not isinstance(said, str):
        return "response is missing"
    return f"{names[0]} | {names[1]}", said


def _without_partner(
    by_key: dict[str, tuple[int, Any, str]], checklist: Checklist
) -> list[Problem]:
    """Responses to no pair of the set. Swapped videos are told apart from unknown ones."""
    keys = {p.key for p in checklist.pairs}
    swapped = {f"{p.b} | {p.a}" for p in checklist.pairs}
    return [
        Problem(
            kind="response without a pair", where=f"response {i}",
            what="its videos are those of a pair, the other way round" if key in swapped
            else "no pair of the set has these videos",
        )
        for key, (i, _, _) in by_key.items() if key not in keys
    ]  # fmt: skip


def _index_notes(
    by_key: dict[str, tuple[int, Any, str]], checklist: Checklist, problems: list[Problem]
) -> list[str]:
    """What the indices say where the paths join: one shift for all is a way to count."""
    shifts: dict[int, tuple[int, int]] = {}
    for pair in checklist.pairs:
        found = by_key.get(pair.key)
        if found and pair.index is not None and type(found[1]) is int:
            shifts[found[0]] = (found[1] - pair.index, pair.position)
    if not shifts:
        return []
    usual = Counter(s for s, _ in shifts.values()).most_common(1)[0][0]
    for i, (shift, position) in shifts.items():
        if shift != usual:
            what = (
                f"its index is not that of entry {position}, whose videos it names; joined on those"
            )
            problems.append(Problem(kind="wrong index", where=f"response {i}", what=what))
    if usual == 0:
        return []
    return [f"the index of responses differs by {usual:+d} from the set's: joined on the paths"]
