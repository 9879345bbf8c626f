"""The verdict in one line, and the scorecard."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triptych.diff.context import Context
from triptych.diff.damage import MOST, damaged_share
from triptych.diff.few_frames import few_frames
from triptych.record.report import DIMENSIONS, Dimension, Finding, Relation

#: Changes of timing, and other clauses, that fit in one line.
MOST_CUTS, MOST_CLAUSES = 3, 4
#: Speeds that have a name.
_NAMED = {2.0: "at twice the speed", 0.5: "at half the speed"}


def dimensions_of(findings: Sequence[Finding]) -> dict[Dimension, Relation]:
    """A dimension differs if a finding does, else it is unknown if one is, else it is the same.

    A dimension of which nothing was measured is unknown.
    """
    out: dict[Dimension, Relation] = {}
    for name in DIMENSIONS:
        relations = [f.relation for f in findings if f.dimension == name]
        if "different" in relations:
            out[name] = "different"
        elif not relations or "unknown" in relations:
            out[name] = "unknown"
        else:
            out[name] = "same"
    return out


def verdict(ctx: Context, findings: Sequence[Finding]) -> str:
    """One line: how B relates to A, and how much of the rest was looked at and is known."""
    if not findings:
        return "nothing was compared: --only and --skip leave nothing that can be measured"
    if ctx.match is None:
        few = few_frames(ctx)
        if few and ctx.registered is not None and ctx.registered.transform is not None:
            return f"A and B show the same place; {few}, too few to tell whether it is A's footage"
        if ctx.registered is not None and ctx.registered.transform is not None:
            return "A and B show the same place at other moments: none of A's footage is in B"
        if max(damaged_share(s.media) for s in (ctx.a, ctx.b)) > MOST:
            return "A and B could not be compared: too much is damaged"
        return "A and B are unrelated: B shows none of A's footage"
    different = [f for f in findings if f.relation == "different"]
    if not different:
        return f"B shows the same as A{_scope(ctx, findings)}"
    words: list[str] = []
    clauses: list[str] = []
    cuts = [f.statement for f in different if (f.dimension, f.aspect) == ("motion", "timing")]
    for f in different:
        if f.dimension == "motion" and f.aspect == "direction" and ctx.alignment.mirrored != "none":
            continue  # what moves goes the other way in a mirror: one difference, not two
        if (f.dimension, f.aspect) == ("motion", "timing"):
            continue
        word = _word(ctx, f)
        said = words if word is not None else clauses
        if (word or f.statement) not in said:
            said.append(word or f.statement)
    if cuts:
        more = f" and {len(cuts) - MOST_CUTS} more" if len(cuts) > MOST_CUTS else ""
        clauses.insert(0, f"{'; '.join(cuts[:MOST_CUTS])}{more}")
    kept = clauses[:MOST_CLAUSES]
    if len(clauses) > MOST_CLAUSES:
        left = len(clauses) - MOST_CLAUSES
        kept.append(f"{left} more difference{'s' if left > 1 else ''}")
    start = f"B is A {', '.join(words)}" if words else "B is A, but"
    parts = [f"{start} {kept[0]}", *kept[1:]] if not words and kept else [start, *kept]
    return "; ".join([*parts, f"the rest is the same{_scope(ctx, findings, rest=True)}"])


def _scope(ctx: Context, findings: Sequence[Finding], rest: bool = False) -> str:
    """What "the same" covers: what was left out, and what could not be told."""
    limits = []
    if ctx.options.only:
        limits.append(f"compared: {', '.join(ctx.options.only)} only")
    if ctx.options.skip:
        limits.append(f"not compared: {', '.join(ctx.options.skip)}")
    unknown = sorted({f.aspect for f in findings if f.relation == "unknown"})
    if unknown:
        listed = ", ".join(unknown[:4]) + (" and more" if len(unknown) > 4 else "")
        limits.append(f"unknown: {listed}")
    if not limits:
        return "" if rest else " throughout"
    return f", as far as was measured ({'; '.join(limits)})"


def _word(ctx: Context, f: Finding) -> str | None:
    """The finding as it follows "B is A", where it can be said so."""
    match = ctx.match
    key = f"{f.dimension}: {f.aspect}"
    if key == "playback technique: speed" and match is not None:
        return _NAMED.get(round(match.speed, 2), f"at {match.speed:.3g} times the speed")
    if key == "playback technique: direction" and match is not None and match.reverse:
        return "played backwards"
    if key == "position: mirroring" and ctx.alignment.mirrored != "none":
        return "flipped upside down" if ctx.alignment.mirrored == "vertical" else "mirrored"
    if key == "sound: presence" and f.statement.startswith("B has no sound"):
        return "without its sound"
    return follows(f.statement)


def follows(statement: str) -> str | None:
    """``statement`` of B as it follows "B is A", or ``None`` where it has to be a clause."""
    for subject, phrase in (("B is ", ""), ("B has ", "with ")):
        if statement.startswith(subject):
            return phrase + statement.removeprefix(subject)
    # "B's sound is late" follows as "with its sound late"; "B's picture shakes" cannot.
    owned = re.match(r"B's (\w+) (?:is|are) (.*)", statement)
    return f"with its {owned[1]} {owned[2]}" if owned else None
