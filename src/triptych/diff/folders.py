"""Two folders of videos, compared file by file."""

from __future__ import annotations

import datetime
import hashlib
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, Field

from triptych.record.errors import OutputError, TriptychError, UnreadableError
from triptych.record.report import DIMENSIONS, Alignment, Record, Report, Span

#: Endings by which a file in a folder is taken for a video; a file named by itself needs none.
VIDEO_ENDINGS = re.compile(
    r"\.(264|265|3g2|3gp|apng|asf|avi|avif|divx|dv|f4v|flv|gif|h26[45]|hevc|ivf|m[124]v|m2ts?"
    r"|mj2|mjpe?g|mkv|mov|mp4|mpe|mpe?g|mts|mxf|nut|obu|og[mv]|qt|rmvb|rm|ts|vob|web[mp]|wmv|y4m)$",
    re.IGNORECASE,
)
#: A picture of a numbered sequence.
NUMBERED_IMAGE = re.compile(
    r"\d\.(bmp|dpx|exr|hdr|jp2|jpe?g|p[bgpn]m|png|sgi|tga|tiff?)$", re.IGNORECASE
)

#: What a folder is searched for, in words.
LOOKED_FOR = (
    "looked for files with the ending of a video, such as .mp4, .mov, .mkv, .webm or .gif, and for "
    "folders of numbered images, in subfolders too"
)

#: "same": no difference, and nothing unknown; or the same bytes. "unknown": no difference found,
#: but not all of it could be measured. Only differences count for the exit code: as diff(1) does,
#: it is 0 where none was found.
Outcome = Literal["same", "different", "unknown", "only in A", "only in B", "failed"]


@dataclass(frozen=True, slots=True)
class Match:
    """A name and the file that has it in either folder, or in one of them only."""

    name: str
    a: str | None
    b: str | None


class PairResult(Record):
    """What came of one pair: a report, or one line on why there is none."""

    name: str
    a: str | None
    b: str | None
    outcome: Outcome
    error: str | None = None
    page: str | None = None
    report: Report | None = None


class FoldersReport(Record):
    """The comparison of two folders.

    ``passed_over`` lists the files that are no videos by their ending. Nothing is left out of
    ``counts``: they add up to the number of ``pairs``.
    """

    schema_: Literal["triptych.folders/1"] = Field(default="triptych.folders/1", alias="schema")
    a: str
    b: str
    counts: dict[Outcome, int]
    pairs: list[PairResult]
    passed_over: list[str] = Field(default_factory=list)

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


def is_folder_of_videos(path: str | Path) -> bool:
    """Whether ``path`` is a folder that is not itself one video, kept as numbered images."""
    # os.path's test, unlike Path's, takes a name that no file can have for no folder.
    return str(path) != "-" and os.path.isdir(path) and not _is_sequence(Path(path))  # noqa: PTH112


def holds_videos(folder: str | Path) -> bool:
    """Whether there is anything in ``folder`` to compare."""
    return bool(_contents(Path(folder))[0])


def match(a: Path, b: Path) -> tuple[list[Match], list[str]]:
    """Pair the videos of two folders by their names relative to them, subfolders included.

    A name without its partner is paired by name without ending (``x.mov`` with ``x.mp4``) where
    that is unique on both sides. Returns the pairs sorted by name, and the files passed over.
    """
    videos_a, other_a = _contents(a)
    videos_b, other_b = _contents(b)
    found = [Match(n, str(a / n), str(b / n)) for n in videos_a if n in videos_b]
    left_a, left_b = (
        _by_stem(n for n in videos if n not in others)
        for videos, others in ((videos_a, videos_b), (videos_b, videos_a))
    )
    for stem in left_a.keys() | left_b.keys():
        in_a, in_b = left_a.get(stem, []), left_b.get(stem, [])
        if len(in_a) == len(in_b) == 1:
            found.append(Match(stem, str(a / in_a[0]), str(b / in_b[0])))
        else:
            found += [Match(n, str(a / n), None) for n in in_a]
            found += [Match(n, None, str(b / n)) for n in in_b]
    return sorted(found, key=lambda m: m.name), sorted({*other_a, *other_b})


def compare_matches(
    matches: Sequence[Match],
    compare: Callable[[str, str], Report],
    unexpected: Callable[[Exception], str],
    identical: Callable[[str, str], Report | None] | None = None,
) -> Iterator[PairResult]:
    """Compare each pair; one that fails is a result too, and the next is still compared.

    ``unexpected`` puts an error that nobody foresaw into one line. ``identical`` is asked first,
    and gives the report of a pair that need not be measured.
    """
    for m in matches:
        result = PairResult(name=m.name, a=m.a, b=m.b, outcome="failed")
        if m.a is None or m.b is None:
            result.outcome = "only in A" if m.b is None else "only in B"
        else:
            try:
                result.report = (identical and identical(m.a, m.b)) or compare(m.a, m.b)
                result.outcome = _outcome(result.report)
            except OutputError:
                raise  # a full disk is no fault of the pair, and the next would meet it too
            except TriptychError as e:
                result.error = str(e)
            except Exception as e:
                result.error = unexpected(e)
        yield result


def identical_report(a: str, b: str) -> Report | None:
    """The report of two files of the same bytes, or ``None`` where they are not.

    Nothing is measured: nothing can differ, and nothing is unknown. Both are opened all the same,
    so that a file that is no video is an error here too.
    """
    if not same_bytes(a, b):
        return None
    from triptych import media

    with media.open(a, id="A") as in_a, media.open(b, id="B") as in_b:
        videos = [in_a.media, in_b.media]
    whole = [0.0, videos[0].duration_s or 0.0]
    span = Span(a=whole, b=whole, speed=1.0, direction="forward", mirrored="none")
    return Report(
        created=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        verdict="B is byte for byte A",
        videos=videos,
        alignment=Alignment(
            matched=True, score=1.0, speed=1.0, offset_s=0.0, spans=[span] if whole[1] else []
        ),
        dimensions=dict.fromkeys(DIMENSIONS, "same"),
        findings=[],
    )


def same_bytes(a: str, b: str) -> bool:
    """Whether both are regular files of the same size and SHA-256; ``False`` if not to be read."""
    try:
        if not (Path(a).is_file() and Path(b).is_file()):
            return False
        sizes = Path(a).stat().st_size, Path(b).stat().st_size
        if sizes[0] != sizes[1] or not sizes[0]:  # what has no size may never come to an end
            return False
        return Path(a).samefile(b) or _sha256(a) == _sha256(b)
    except OSError:  # whoever opens it as a video says so
        return False


def _sha256(path: str) -> bytes:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _outcome(report: Report) -> Outcome:
    relations = set(report.dimensions.values())
    if report.different:
        return "different"
    return "unknown" if "unknown" in relations else "same"


def summary(a: str, b: str, pairs: Sequence[PairResult], passed_over: list[str]) -> FoldersReport:
    """All pairs' results, counted."""
    counts = Counter(p.outcome for p in pairs)
    return FoldersReport(
        a=a,
        b=b,
        counts={o: counts[o] for o in sorted(counts)},
        pairs=list(pairs),
        passed_over=passed_over,
    )


def _contents(root: Path) -> tuple[set[str], list[str]]:
    """Videos and other files under ``root``, as names relative to it with forward slashes."""
    videos, others = set(), []
    # Links to folders are not followed: they can lead out of the folder, or in circles.
    for folder, subfolders, files in os.walk(root, onerror=_unreadable):
        here = Path(folder)
        for name in list(subfolders):
            if name.startswith("."):
                subfolders.remove(name)
            elif _is_sequence(here / name):
                subfolders.remove(name)
                videos.add((here / name).relative_to(root).as_posix())
        for name in files:
            relative = (here / name).relative_to(root).as_posix()
            if not name.startswith(".") and VIDEO_ENDINGS.search(name):
                videos.add(relative)
            else:
                others.append(relative)
    return videos, others


def _unreadable(error: OSError) -> None:
    raise UnreadableError(str(error.filename), f"cannot be read: {error.strerror}") from error


def _is_sequence(folder: Path) -> bool:
    """Whether ``folder`` holds numbered images and nothing else: one video."""
    numbered = False
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if not NUMBERED_IMAGE.search(entry.name):
                    return False
                numbered = True
    except OSError:  # not to be read: whoever opens it says so
        return False
    return numbered


def _by_stem(names: Iterable[str]) -> dict[str, list[str]]:
    stems: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names):
        stems[str(Path(name).with_suffix("").as_posix())].append(name)
    return stems
