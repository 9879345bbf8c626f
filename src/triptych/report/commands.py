"""The commands that make a report, or one finding of it, again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from triptych.record.report import Finding, Report
from triptych.report import text as t

#: Options of ``triptych diff`` that bear on what is measured, and whether they take a value.
#: Those that name outputs are left out: asking about one finding must not overwrite a report.
_KEPT = {
    "--lang": True,
    "--offset": True,
    "--stream": True,
    "--stream-b": True,
    "--fps": True,
    "--allow-url": False,
}


def for_report(report: Report) -> str:
    """The command that compares these files, fit to be pasted into a shell."""
    return "triptych diff " + " ".join(_argument(m.path) for m in report.videos)


def for_finding(report: Report, finding: Finding, typed: str) -> str:
    """The command that measures this finding again and nothing else.

    ``typed`` is the command that made the report; what it says about how to measure is kept.
    """
    if finding.source == "model":  # what is measured again would not be what the model said
        return t.clean(typed)
    parts = [for_report(report), *_kept(typed), "--only", shlex.quote(t.selector(finding))]
    return t.clean(" ".join(parts))


def _kept(typed: str) -> Iterator[str]:
    try:
        words = shlex.split(typed)
    except ValueError:  # not a command line: whoever wrote it knows better
        return
    for i, word in enumerate(words):
        if word == "--":
            return
        name, equals, _ = word.partition("=")
        if name not in _KEPT:
            continue
        yield shlex.quote(word)
        if _KEPT[name] and not equals and i + 1 < len(words):
            yield shlex.quote(words[i + 1])


def _argument(path: str) -> str:
    # A leading dash would be read as an option.
    return shlex.quote(f"./{path}" if path.startswith("-") and path != "-" else path)
