"""Times for an editor: one row a moment, as CSV that every editing program and sheet reads."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from triptych.record.files import write_text
from triptych.record.report import Media, Report
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
#: A sheet takes a cell that begins so for a formula (OWASP, "CSV Injection").
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")


def write_markers(report: Report, path: str | Path) -> None:
    """Write the moments of all findings that differ or are unknown, and the damage, to ``path``.

    Seconds count from the first frame shown; timecodes are ``HH:MM:SS:FF``, non-drop-frame at the
    video's own rate, or ``HH:MM:SS.mmm`` where it has no constant rate. ``end`` is exclusive.
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
        for e in f.evidence:
            m = media.get(e.video)
            what = [f.dimension, f.aspect, f.relation, f.statement, e.shows]
            times = _times(m, e.start_s, e.end_s)
            rows.append([_cell(e.video), *times, *map(_cell, what), f"{f.confidence:g}", f.id])
    for m in report.videos:
        for d in m.damage:
            what = ["file", "damage", "unknown", d.reason, ""]
            rows.append([_cell(m.id), *_times(m, d.start_s, d.end_s), *map(_cell, what), "1", ""])
    return [[*row[:-1], _cell(row[-1])] for row in rows]


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
    # The frame on screen at that moment; times are rounded to a microsecond.
    whole, frame = divmod(int((max(seconds, 0.0) + 1e-6) * fps), per_second)
    return f"{_hms(whole)}:{frame:0{max(2, len(str(per_second - 1)))}d}"


def _hms(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def _cell(text: str) -> str:
    """``text`` on one line; an apostrophe keeps a sheet from taking it for a formula."""
    shown = t.clean(text)
    return f"'{shown}" if shown.lstrip().startswith(_FORMULA) else shown
