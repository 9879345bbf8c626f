"""Times for an editor: one row a moment, as CSV that every editing program and sheet reads."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path

from triptych.record.files import write_text
from triptych.record.report import Finding, Media, Report
from triptych.report import text as t

HEADER = (
    "video",
    "start_s",
    "end_s",
    "start_timecode",
    "end_timecode",
    "dimension",
    "aspect",
    "relation",
    "statement",
    "shows",
    "confidence",
    "finding",
)
#: What shows in the row that spans all moments of a finding.
WHOLE = "from the first moment to the last"
#: A sheet takes a cell that begins so for a formula (OWASP, "CSV Injection").
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")


def write_markers(report: Report, path: str | Path) -> None:
    """Write the moments of all findings that differ or are unknown, and the damage, to ``path``.

    A finding of several moments in a video has a row from the first to the last as well. Rows that
    are alike stand once. Seconds count from the first frame shown; timecodes are ``HH:MM:SS:FF``,
    non-drop-frame at the video's own rate, or ``HH:MM:SS.mmm`` where it has no constant rate.
    ``end`` is exclusive.
    Raises :class:`~triptych.record.errors.OutputError` where ``path`` cannot be written.
    """
    out = io.StringIO()
    sheet = csv.writer(out, lineterminator="\r\n")  # RFC 4180
    sheet.writerow(HEADER)
    rows = _rows(report)
    rows.sort(key=lambda r: (r[0], float(r[1]), float(r[2])))
    sheet.writerows(rows)
    write_text(path, out.getvalue())


def _rows(report: Report) -> list[list[str]]:
    media = {m.id: m for m in report.videos}
    rows: list[list[str]] = []
    for f in report.findings:
        if f.relation == "same":
            continue
        for video, start, end, shows in _stretches(f):
            what = [f.dimension, f.aspect, f.relation, f.statement, shows]
            times = _times(media.get(video), start, end)
            rows.append([_cell(video), *times, *map(_cell, what), f"{f.confidence:g}", f.id])
    for m in report.videos:
        for d in m.damage:
            what = ["file", "damage", "unknown", d.reason, ""]
            rows.append([_cell(m.id), *_times(m, d.start_s, d.end_s), *map(_cell, what), "1", ""])
    unique = dict.fromkeys(tuple(row) for row in rows)
    return [[*row[:-1], _cell(row[-1])] for row in unique]


def _stretches(finding: Finding) -> list[tuple[str, float, float, str]]:
    """Video, start, end and what shows there, for each piece of evidence.

    Where a video has several, its first is all of them from the first moment to the last: the
    pieces may be no more than samples of a stretch.
    """
    found = [(e.video, e.start_s, e.end_s, e.shows) for e in finding.evidence]
    whole: list[tuple[str, float, float, str]] = []
    for video in dict.fromkeys(e.video for e in finding.evidence):
        times = {(e.start_s, e.end_s) for e in finding.evidence if e.video == video}
        start, end = min(s for s, _ in times), max(e for _, e in times)
        if len(times) > 1 and (start, end) not in times:
            whole.append((video, start, end, WHOLE))
    return whole + found


def _times(media: Media | None, start: float, end: float) -> list[str]:
    fps = None if media is None or media.vfr else media.fps
    return [f"{start:.6f}", f"{end:.6f}", timecode(start, fps), timecode(end, fps)]


def timecode(seconds: float, fps: float | None) -> str:
    """``seconds`` as ``HH:MM:SS:FF``, non-drop-frame at ``fps``, or ``HH:MM:SS.mmm`` without.

    Non-drop-frame counts every frame and calls each run of ``round(fps)`` of them a second
    (SMPTE ST 12-1), so at 29.97 it runs 3.6 s an hour behind the clock, as editors expect.
    """
    if not fps or fps <= 0:
        whole, ms = divmod(round(max(seconds, 0.0) * 1000), 1000)
        return f"{_hms(whole)}.{ms:03d}"
    per_second = max(round(fps), 1)
    # The nearest frame, halves up: starts and ends are times of frames, rounded to a microsecond.
    whole, frame = divmod(math.floor(max(seconds, 0.0) * fps + 0.5 + 1e-6), per_second)
    return f"{_hms(whole)}:{frame:0{max(2, len(str(per_second - 1)))}d}"


def _hms(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def _cell(text: str) -> str:
    """``text`` on one line; an apostrophe keeps a sheet from taking it for a formula."""
    shown = t.clean(text)
    return f"'{shown}" if shown.lstrip().startswith(_FORMULA) else shown
