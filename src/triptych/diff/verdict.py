"""The verdict in one line, and the scorecard."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.diff.context import Context
from triptych.record.report import DIMENSIONS, Dimension, Finding, Relation

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
    """One line: how B relates to A, and how much of the rest is known."""
    if ctx.match is None:
        if ctx.registered is not None and ctx.registered.transform is not None:
            return "A and B show the same place at other moments: none of A's footage is in B"
        return "A and B are unrelated: B shows none of A's footage"
    different = [f for f in findings if f.relation == "different"]
    unknown = sorted({f.aspect for f in findings if f.relation == "unknown"})
    phrases: list[str] = []
    for f in different:
        if f.dimension == "motion" and f.aspect == "direction" and ctx.alignment.mirrored != "none":
            continue  # what moves goes the other way in a mirror: one difference, not two
        phrase = _phrase(ctx, f)
        if phrase not in phrases:
            phrases.append(phrase)
    rest = "the rest is the same" if phrases else ""
    if unknown:
        listed = ", ".join(unknown[:4]) + (" and more" if len(unknown) > 4 else "")
        rest = (rest + ", as far as could be measured" if rest else "") + f" (unknown: {listed})"
    if not phrases:
        return ("B shows the same as A throughout" + rest).strip()
    shown = phrases[:5] + ([f"{len(phrases) - 5} more differences"] if len(phrases) > 5 else [])
    return f"B is A {', '.join(shown)}; {rest}"


def _phrase(ctx: Context, f: Finding) -> str:
    match = ctx.match
    key = f"{f.dimension}: {f.aspect}"
    if key == "playback technique: speed" and match is not None:
        return _NAMED.get(round(match.speed, 2), f"at {match.speed:.3g} times the speed")
    if key == "playback technique: direction":
        return "played backwards" if match is not None and match.reverse else f.statement
    if key == "position: mirroring":
        return "flipped upside down" if ctx.alignment.mirrored == "vertical" else "mirrored"
    if key == "position: rotation":
        return f.statement.removeprefix("B is ")
    if key == "motion: timing":
        return f"with a change of timing ({f.statement})"
    if key == "sound: presence" and f.statement.startswith("B has no sound"):
        return "without its sound"
    for subject, phrase in (("B is ", ""), ("B has ", "with "), ("B's ", "with its ")):
        if f.statement.startswith(subject):
            said = f.statement.removeprefix(subject)
            return phrase + (said.replace(" is ", " ", 1) if subject == "B's " else said)
    return f"with different {f.aspect} ({f.statement})"
