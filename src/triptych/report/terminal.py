"""A report on one screen of a terminal: the verdict first."""

from __future__ import annotations

import io

from rich.console import Console
from rich.text import Text

from triptych.record.report import DIMENSIONS, Finding, Relation, Report
from triptych.report import text as t

#: Never the only sign: every relation has its symbol and its word as well.
STYLE: dict[Relation, str] = {"same": "green", "different": "bold red", "unknown": "yellow"}

#: Moments listed with a finding; the rest are in the JSON and on the page.
MAX_MOMENTS = 4
#: Findings of a kind listed; 9 of two lines and the rest of a screen make 24 lines.
MAX_FINDINGS = 9
MAX_NOTES = 6


def render(report: Report, console: Console) -> None:
    """Print ``report`` to ``console``: verdict, files, scorecard, differences, unknowns, notes.

    Plain characters only, no frames: it reads the same through a pipe. No markup is parsed.
    """
    _line(console, Text(t.clean(report.verdict), "bold"))
    console.print()
    for media in report.videos:
        line = Text(f"{t.clean(media.id)}  ", "bold")
        line.append(t.name(media.path, 36), "not bold")
        line.append("  " + "  ".join(t.facts(media)), "not bold dim")
        _line(console, line, indent=3)
    console.print()
    _scorecard(report, console)
    _findings(report, console, "different", "Differs")
    _described(report, console)
    _unknown(report, console)
    _notes(report, console)


def _scorecard(report: Report, console: Console) -> None:
    cells = []
    for dimension in DIMENSIONS:
        relation = report.dimensions.get(dimension, "unknown")
        cell = _sign(console, relation)
        cell.append(f"{relation:<9}  ", STYLE[relation])
        cell.append(dimension)
        cell.pad_right(36 - cell.cell_len)
        cells.append(cell)
    rows = (len(cells) + 1) // 2 if console.width >= 76 else len(cells)
    for i in range(rows):
        line = Text("  ")
        for cell in cells[i::rows]:
            line.append_text(cell)
        line.rstrip()
        _line(console, line)


def _findings(report: Report, console: Console, relation: Relation, title: str) -> None:
    found = [f for f in t.by_relation(report, relation) if f.source == "measured"]
    if not found:
        return
    console.print()
    _line(console, Text(title, "bold"))
    for finding in found[:MAX_FINDINGS]:
        line = Text("  ")
        line.append_text(_sign(console, relation))
        line.append(f"{t.clean(finding.aspect)}: ", "bold")
        line.append(t.clean(finding.statement, t.MAX_VALUE))
        _line(console, line, indent=4)
        detail = "; ".join(p for p in (t.measured(finding), _moments(finding)) if p)
        if detail:
            _line(console, Text(f"    {detail}", "dim"), indent=4)
    if len(found) > MAX_FINDINGS:
        _line(console, Text(f"    and {len(found) - MAX_FINDINGS} more"))


def _described(report: Report, console: Console) -> None:
    """What models say, each statement with what came of checking it."""
    told = [f for f in report.findings if f.source == "model" and f.relation != "unknown"]
    for model in dict.fromkeys(f.model.id if f.model else "a model" for f in told):
        console.print()
        _line(console, Text(f"Described by {t.clean(model, 100)}, not measured", "bold"))
        said = [f for f in told if (f.model.id if f.model else "a model") == model]
        said.sort(key=lambda f: f.relation == "same")
        for finding in said[:MAX_FINDINGS]:
            line = Text("  ")
            line.append_text(_sign(console, finding.relation))
            line.append(f"{finding.dimension}: ", "bold")
            line.append(t.clean(finding.statement, t.MAX_VALUE))
            _line(console, line, indent=4)
            checks = [f"{c.kind}: {t.clean(c.outcome)}" for c in finding.checks]
            detail = "; ".join([*dict.fromkeys(checks), *filter(None, [_moments(finding)])])
            if detail:
                _line(console, Text(f"    {detail}", "dim"), indent=4)
        if len(said) > MAX_FINDINGS:
            _line(console, Text(f"    and {len(said) - MAX_FINDINGS} more"))


def _unknown(report: Report, console: Console) -> None:
    """What is unknown, by reason: many aspects often share one."""
    found = t.by_relation(report, "unknown")
    bare = t.not_looked_at(report)
    if not found and not bare:
        return
    console.print()
    _line(console, Text("Unknown", "bold"))
    reasons: dict[str, list[str]] = {}
    for finding in found:
        reason = finding.statement.removeprefix(f"{finding.aspect} ")
        reasons.setdefault(reason, []).append(finding.aspect)
    for reason, aspects in list(reasons.items())[:MAX_FINDINGS]:
        line = Text("  ")
        line.append_text(_sign(console, "unknown"))
        line.append(f"{t.clean(', '.join(aspects))}: {t.clean(reason, t.MAX_VALUE)}")
        _line(console, line, indent=4)
    if len(reasons) > MAX_FINDINGS:
        _line(console, Text(f"    and {len(reasons) - MAX_FINDINGS} more reasons"))
    for reason, names in bare:
        line = Text("  ")
        line.append_text(_sign(console, "unknown"))
        line.append(f"{reason}: {', '.join(names)}")
        _line(console, line, indent=4)


def _notes(report: Report, console: Console) -> None:
    notes = t.notes(report)
    if not notes:
        return
    console.print()
    _line(console, Text("Not counted as differences", "bold"))
    for video, note in notes[:MAX_NOTES]:
        _line(console, Text(f"    {t.clean(video)}: {note}"), indent=4)
    if len(notes) > MAX_NOTES:
        _line(console, Text(f"    and {len(notes) - MAX_NOTES} more"))


def _moments(finding: Finding) -> str:
    """Where to look: ``at A 0:03.0-0:10.0, B 0:01.5``."""
    spans: dict[str, list[str]] = {}
    for e in finding.evidence:
        shown = t.span(e.start_s, e.end_s)
        if shown not in spans.setdefault(t.clean(e.video), []):
            spans[t.clean(e.video)].append(shown)
    parts = []
    for video, times in spans.items():
        more = f" (+{len(times) - MAX_MOMENTS})" if len(times) > MAX_MOMENTS else ""
        parts.append(f"{video} {', '.join(times[:MAX_MOMENTS])}{more}")
    return f"at {'; '.join(parts)}" if parts else ""


def _sign(console: Console, relation: Relation) -> Text:
    symbols = t.SYMBOL if _shows(console, t.SYMBOL["different"]) else t.ASCII_SYMBOL
    return Text(f"{symbols[relation]} ", STYLE[relation])


def _shows(console: Console, text: str) -> bool:
    try:
        text.encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


#: What an output that only knows ASCII gets instead of a question mark.
_ASCII = str.maketrans(
    {"–": "-", "×": "x", "≠": "x", "…": "...", "°": " deg", "“": '"', "”": '"', "’": "'"}
)


def _line(console: Console, line: Text, indent: int = 0) -> None:
    """Print one paragraph, wrapped with a hanging indent; what cannot be encoded is escaped."""
    if not _shows(console, line.plain):
        plain = line.plain.translate(_ASCII)
        plain = plain.encode(console.encoding, "backslashreplace").decode(console.encoding)
        line = Text(plain, line.style)
    width = max(console.width, 20)
    if line.cell_len <= width:
        console.print(line, soft_wrap=True)
        return
    # rich has no hanging indent: the first line at full width, the rest narrower and indented.
    first, *rest = line.wrap(console, width)
    first.rstrip()
    console.print(first, soft_wrap=True)
    if not rest:
        return
    tail = line[len(first.plain) :]
    tail = tail[len(tail.plain) - len(tail.plain.lstrip()) :]
    for part in tail.wrap(console, width - indent):
        padded = Text(" " * indent)
        padded.append_text(part)
        padded.rstrip()
        console.print(padded, soft_wrap=True)


def to_text(report: Report, width: int = 80) -> str:
    """What :func:`render` prints, as plain text of lines of at most ``width`` columns."""
    stream = io.StringIO()
    render(report, Console(file=stream, width=width, color_system=None, highlight=False))
    return stream.getvalue()
