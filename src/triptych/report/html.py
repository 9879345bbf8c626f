"""A report as one HTML file that needs nothing else: no network, no other file.

The page holds its style, its script, the frames and small copies of both videos. A content
security policy allows nothing but what is inside; scripts only by their hash, so that text from
a hostile file could not run even if it got past the escaping.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from triptych.record.errors import ChangedError, TriptychError
from triptych.record.files import write_text
from triptych.record.report import Media, Report
from triptych.report import commands, view
from triptych.report import text as t
from triptych.report import timeline as tl
from triptych.report.assets import asset, environment, trusted
from triptych.report.proxy import PROXY_BYTES, Plan, plan
from triptych.report.sources import Progress, Sources, opened
from triptych.report.stills import Captured, Shot, capture, shrink

#: The page is kept below this: what mail servers and issue trackers take as an attachment.
PAGE_BYTES = 12_000_000
#: Bytes of all frames of one video together; two in base64 take 3.2 MB of the page.
STILL_BYTES = 1_200_000
#: How often the frames are made to take half the bytes, where the page is too large.
_HALVINGS = 4
_CSS = ("base.css", "score.css", "timeline.css", "cards.css")
_JS = ("common.js", "player.js", "timeline.js", "cards.js")


@dataclass(slots=True)
class _Still:
    """A frame in the page. Its bytes are written once; later uses point to the first."""

    uri: str
    width: int
    height: int
    used: bool = False

    @property
    def shape(self) -> float:
        """Width over height."""
        return round(self.width / self.height, 4)

    def fresh(self) -> bool:
        """Whether this is the first use; it is used from now on."""
        first, self.used = not self.used, True
        return first


def write_html(
    report: Report,
    path: str | Path,
    *,
    video: bool = True,
    command: str | None = None,
    progress: Progress | None = None,
    sources: Sources | None = None,
) -> None:
    """Write ``report`` to ``path`` as one self-contained page of at most :data:`PAGE_BYTES`.

    ``video=False`` leaves the players out; frames stay. ``command`` is what made the report and is
    shown as the way to make it again. ``sources`` say where the videos are, by id, if not at the
    paths in the report; a video that cannot be read any more is noted on the page. Raises
    :class:`~triptych.record.errors.ChangedError` where one changes while it is read, and
    :class:`~triptych.record.errors.OutputError` where ``path`` cannot be written.
    """
    command = command or commands.for_report(report)
    cards = view.cards(report, command)
    taken, page_notes = _take(report, cards, video, progress, sources)
    write_text(path, _within(PAGE_BYTES, report, command, cards, taken, page_notes))


def _within(
    limit: int,
    report: Report,
    command: str,
    cards: list[view.Card],
    taken: Mapping[str, Captured],
    page_notes: list[str],
) -> str:
    """The page in at most ``limit`` bytes: if need be without players, then with smaller frames.

    What is left is text, which is cut piece by piece where it is shown.
    """
    page = _render(report, command, cards, taken, page_notes)
    notes = list(page_notes)
    if _bytes(page) > limit and any(c.proxy for c in taken.values()):
        for captured in taken.values():
            captured.proxy = captured.plan = None
        notes.append("The moving pictures were left out, or the page would be too large.")
        page = _render(report, command, cards, taken, notes)
    for _ in range(_HALVINGS):
        if _bytes(page) <= limit:
            break
        for captured in taken.values():
            half = sum(map(len, captured.stills.values())) // 2
            captured.stills = shrink(captured.stills, half)
        small = "The frames were made smaller, or the page would be too large."
        page = _render(report, command, cards, taken, [*notes, small])
    return page


def _bytes(page: str) -> int:
    return len(page.encode("utf-8", "surrogatepass"))


def _take(
    report: Report,
    cards: list[view.Card],
    video: bool,
    progress: Progress | None,
    sources: Sources | None,
) -> tuple[dict[str, Captured], list[str]]:
    """The frames and proxies of both videos, and notes on what could not be had."""
    taken: dict[str, Captured] = {}
    notes: list[str] = []
    scale = tl.scale_of(report)
    for media in report.videos[:2]:
        shown = [c for c in cards if c.relation != "same"]
        sides = [s for c in shown for look in c.looks for s in look.sides if s.video == media.id]
        shots = [*(s.shot for s in sides), *tl.strip(media, scale)]
        planned = (
            plan(max(media.duration_s or 0.0, 0.1), _moments(cards, media.id)) if video else None
        )
        try:
            with opened(media, sources) as source:
                got = capture(source, shots, planned, progress=progress)
        except ChangedError:
            raise  # it may show something else by now
        except TriptychError as e:
            notes.append(f"{media.id} could not be shown: {t.clean(str(e))}.")
            continue
        big = {s: d for s, d in got.stills.items() if s.side != tl.STRIP_SIDE}
        got.stills |= shrink(big, STILL_BYTES)
        if planned is not None and not planned.whole:
            notes.append(
                f"{media.id} is too long to be embedded whole; only the underlined stretches of "
                "the timeline can be played here."
            )
        # The encoder holds its bounds to a few percent; far beyond them the budget would break.
        if got.proxy is not None and len(got.proxy) > 1.2 * PROXY_BYTES:
            got.proxy = None
            notes.append(f"{media.id} could not be made small enough to be embedded.")
        taken[media.id] = got
    return taken, notes


def _moments(cards: list[view.Card], video: str) -> list[float]:
    return [s.time for c in cards for look in c.looks for s in look.sides if s.video == video]


def _render(
    report: Report,
    command: str,
    cards: list[view.Card],
    taken: Mapping[str, Captured],
    page_notes: list[str],
) -> str:
    ids = [m.id for m in report.videos[:2]]
    can_play = len(ids) == 2 and all(i in taken and taken[i].proxy for i in ids)
    plans = {i: p for i, c in taken.items() if (p := c.plan) is not None and can_play}
    proxies = [(i, _base64(taken[i].proxy or b"")) for i in ids] if can_play else []
    css = "\n".join(asset(n) for n in _CSS)
    js = "\n".join(asset(n) for n in _JS)
    by = {r: [c for c in cards if c.relation == r] for r in ("different", "unknown", "same")}
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            csp=_policy(js),
            css=trusted(css),
            js=trusted(js),
            data=trusted(embedded_json(_data(report, plans))),
            proxies=[(i, trusted(p)) for i, p in proxies],
            created=t.clean(report.created),
            verdict=t.clean(report.verdict, 600),
            names={m.id: t.name(m.path, 80) for m in report.videos},
            files=[_file(m) for m in report.videos],
            scorecard=view.scorecard(report),
            first_of=_first_of(cards),
            timeline=tl.build(report, cards, plans),
            strips=_strips(taken),
            strip_key=_key,
            frames=_frames(taken),
            can_play=can_play,
            differ=by["different"],
            unknown=by["unknown"],
            same=by["same"],
            not_looked_at=t.not_looked_at(report),
            notes=t.notes(report),
            file_rows=view.file_rows(report),
            alignment=t.alignment(report.alignment),
            command=t.clean(command),
            page_notes=page_notes,
        )
    )


def _data(report: Report, plans: Mapping[str, Plan]) -> dict[str, Any]:
    """What the script needs to know."""
    aligned = report.alignment.matched and bool(report.alignment.spans)
    return {
        "videos": {
            m.id: {
                "duration": m.duration_s or 0.0,
                "frame": 1 / m.fps if m.fps else 0.04,
                "windows": [
                    [w.start_s, w.end_s, w.at_s]
                    for w in (plans[m.id].windows if m.id in plans else ())
                ],
            }
            for m in report.videos[:2]
        },
        "scale": tl.scale_of(report),
        "matched": aligned,
        "spans": [
            {"a": sorted(s.a), "b": sorted(s.b), "reverse": s.direction == "reverse"}
            for s in (report.alignment.spans if aligned else [])
        ],
        "crops": view.crops(report),
    }


def embedded_json(data: Any) -> str:
    """JSON that can stand inside a ``<script>`` element: no ``<``, ``>`` or ``&`` in it."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _policy(js: str) -> str:
    digest = base64.b64encode(hashlib.sha256(js.encode()).digest()).decode()
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"media-src blob:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    )


def _file(media: Media) -> dict[str, Any]:
    return {"id": t.clean(media.id), "name": t.name(media.path), "facts": t.facts(media)}


def _first_of(cards: list[view.Card]) -> dict[str, str]:
    first: dict[str, str] = {c.dimension: "" for c in cards}
    for card in reversed(cards):
        first[card.dimension] = card.id
    return first


def _key(video: str, shot: Shot) -> str:
    return f"{video}-{round(shot.time * 1e6)}"


def _frames(taken: Mapping[str, Captured]) -> dict[str, _Still]:
    found = {}
    for video, captured in taken.items():
        for shot, data in captured.stills.items():
            if shot.side == tl.STRIP_SIDE:
                continue
            with Image.open(io.BytesIO(data)) as picture:
                width, height = picture.size
            found[_key(video, shot)] = _Still(_uri(data), width, height)
    return found


def _strips(taken: Mapping[str, Captured]) -> dict[str, str]:
    return {
        _key(video, shot): _uri(data)
        for video, captured in taken.items()
        for shot, data in captured.stills.items()
        if shot.side == tl.STRIP_SIDE
    }


def _uri(jpeg: bytes) -> str:
    return f"data:image/jpeg;base64,{_base64(jpeg)}"


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
