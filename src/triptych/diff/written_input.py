"""What a model is given of two videos: frames worth looking at, and what was measured."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from triptych.models.frames import FrameStore, uniform_times, whole
from triptych.models.protocols import Clip, Picture
from triptych.models.scripted import FACTS_END, FACTS_START
from triptych.record.errors import printable
from triptych.record.report import DIMENSIONS, Finding, Report

if TYPE_CHECKING:
    from triptych.diff.written import Writing

#: Frames of each video where nothing is asked for, and moments of evidence of one finding.
USUAL_FRAMES, MOMENTS = 16, 2
#: Longest statement that is passed on.
_MOST = 300


@dataclass(slots=True)
class Looked:
    """Frames of A and B by their letters in the report, or the whole files."""

    pictures: dict[str, list[Picture]] = field(default_factory=lambda: {"A": [], "B": []})
    clips: dict[str, Clip] = field(default_factory=dict)

    def named(self, video: str, name: str) -> list[Picture]:
        """The frames of ``video`` as those of Video ``name``."""
        return [replace(p, video=name) for p in self.pictures[video]]

    def clip(self, video: str, name: str) -> Clip:
        """The file of ``video`` as Video ``name``."""
        return replace(self.clips[video], video=name)


def look(report: Report, paths: tuple[str, str], store: FrameStore, writing: Writing) -> Looked:
    """Cut what ``writing`` asks for. Raises a ``SourceError`` where a video cannot be read."""
    looked = Looked()
    for video, path in zip(("A", "B"), paths, strict=True):
        if writing.whole:
            looked.clips[video] = whole(path, video, writing.fps)
        else:
            times = moments(report, video, writing)
            looked.pictures[video] = store.cut(path, video, times, writing.size)
    return looked


def moments(report: Report, video: str, writing: Writing) -> list[float]:
    """Seconds, rising: matched moments evenly, and those where measurements differ.

    Unaided, or where the videos do not match, or at a given rate: evenly over the whole video.
    """
    media = next(m for m in report.videos if m.id == video)
    length = media.duration_s or 0.0
    if writing.fps is not None or writing.unaided or not report.alignment.spans:
        return uniform_times(length, writing.frames or USUAL_FRAMES, writing.fps)
    count = writing.frames or USUAL_FRAMES
    uniform_times(length, count)  # refuses senseless numbers
    worth = _where_different(report, video)[: count // 2]
    even = _matched(report, video, count - len(worth))
    return sorted({*worth, *even})


def _where_different(report: Report, video: str) -> list[float]:
    out: list[float] = []
    for f in report.findings:
        if f.relation == "different":
            found = [e for e in f.evidence if e.video == video and e.modality != "sound"]
            out += [e.frame_s if e.frame_s is not None else e.start_s for e in found[:MOMENTS]]
    return list(dict.fromkeys(out))


def _matched(report: Report, video: str, count: int) -> list[float]:
    """``count`` moments evenly over the matched stretches; the same content in A and in B."""
    spans = report.alignment.spans
    total = sum(s.a[1] - s.a[0] for s in spans)
    out = []
    for i in range(count):
        at = (i + 0.5) * total / count
        for s in spans:
            length = s.a[1] - s.a[0]
            if at <= length or s is spans[-1]:
                share = min(1.0, at / length) if length > 0 else 0.0
                if video == "A":
                    out.append(s.a[0] + share * length)
                else:
                    share = 1 - share if s.direction == "reverse" else share
                    out.append(s.b[0] + share * (s.b[1] - s.b[0]))
                break
            at -= length
    return out


def facts(report: Report) -> str:
    """The measured findings in the form that answers have, between the lines that mark them."""
    lines = [FACTS_START]
    for dimension in DIMENSIONS:
        found = [f for f in report.findings if f.dimension == dimension and f.source == "measured"]
        same = [f.aspect for f in found if f.relation == "same"]
        different = [f for f in found if f.relation == "different"]
        if dimension == "sound" or not (same or different):
            continue
        lines.append(f"[{dimension.capitalize()}]")
        if same:
            lines.append(f"Similarities: measured as the same: {', '.join(same)}")
        if different:
            lines += ["Differences:", *(f"- {_told(f)}" for f in different)]
    return "\n".join([*lines, FACTS_END])


def _told(f: Finding) -> str:
    # What was read in a video must neither end the facts nor look like a heading.
    said = printable(f"{f.aspect}: {f.statement}"[:_MOST]).replace("<", "‹").replace(">", "›")
    times = [f"{e.video} {e.frame_s or e.start_s:.2f} s" for e in f.evidence[: 2 * MOMENTS]]
    return f"{said} ({'; '.join(times)})" if times else said
