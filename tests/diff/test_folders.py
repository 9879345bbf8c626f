"""Which files of two folders are compared with which, and what comes of pairs that fail."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import av
import jsonschema
import numpy as np
import pytest

from triptych.diff.folders import (
    FoldersReport,
    Match,
    compare_matches,
    identical_report,
    is_folder_of_videos,
    match,
    same_bytes,
    summary,
)
from triptych.record.errors import OutputError, UnreadableError
from triptych.record.report import DIMENSIONS, Alignment, Relation, Report


def write_clip(path: Path, seconds: float) -> Path:
    """A grey clip at 20 frames a second."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=20)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for _ in range(round(seconds * 20)):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 128, np.uint8))
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def fill(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"")
    root.mkdir(exist_ok=True)
    return root


def pairs(a: Path, b: Path) -> list[tuple[str, str | None, str | None]]:
    found, _ = match(a, b)
    return [
        (m.name, m.a and str(Path(m.a).relative_to(a)), m.b and str(Path(m.b).relative_to(b)))
        for m in found
    ]


def test_by_relative_name_in_order(tmp_path: Path) -> None:
    a = fill(tmp_path / "a", "z.mp4", "deep/er/x.MKV", "b.gif")
    b = fill(tmp_path / "b", "b.gif", "z.mp4", "deep/er/x.MKV")
    assert pairs(a, b) == [
        ("b.gif", "b.gif", "b.gif"),
        ("deep/er/x.MKV", "deep/er/x.MKV", "deep/er/x.MKV"),
        ("z.mp4", "z.mp4", "z.mp4"),
    ]


def test_another_ending_is_the_same_name_where_that_is_unique(tmp_path: Path) -> None:
    a = fill(tmp_path / "a", "x.mov", "two.mov", "two.avi", "deep/y.mp4", "v1.2.mp4")
    b = fill(tmp_path / "b", "x.mp4", "two.mp4", "y.mp4", "v1.3.mp4")
    assert pairs(a, b) == [
        ("deep/y.mp4", "deep/y.mp4", None),
        ("two.avi", "two.avi", None),
        ("two.mov", "two.mov", None),
        ("two.mp4", None, "two.mp4"),
        ("v1.2.mp4", "v1.2.mp4", None),
        ("v1.3.mp4", None, "v1.3.mp4"),
        ("x", "x.mov", "x.mp4"),
        ("y.mp4", None, "y.mp4"),
    ]


def test_the_exact_name_goes_before_another_ending(tmp_path: Path) -> None:
    a = fill(tmp_path / "a", "x.mov", "x.mp4")
    b = fill(tmp_path / "b", "x.mp4", "x.webm")
    assert pairs(a, b) == [("x", "x.mov", "x.webm"), ("x.mp4", "x.mp4", "x.mp4")]


def test_what_is_no_video_is_passed_over_and_said(tmp_path: Path) -> None:
    a = fill(tmp_path / "a", "x.mp4", "notes.txt", ".hidden.mp4", ".git/y.mp4", "cover1.jpg")
    b = fill(tmp_path / "b", "x.mp4", "sub/notes.txt")
    found, passed_over = match(a, b)
    assert [m.name for m in found] == ["x.mp4"]
    assert passed_over == [".hidden.mp4", "cover1.jpg", "notes.txt", "sub/notes.txt"]


def test_a_subfolder_of_numbered_images_is_one_video(tmp_path: Path) -> None:
    a = fill(tmp_path / "a", "shot/f0001.png", "shot/f0002.png", "x.mp4")
    b = fill(tmp_path / "b", "shot/f0001.png", "shot/.DS_Store", "x.mp4")
    assert pairs(a, b) == [("shot", "shot", "shot"), ("x.mp4", "x.mp4", "x.mp4")]


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    a = fill(tmp_path / "a", "x.mp4")
    (a / "loop").symlink_to(a)
    (a / "out").symlink_to(fill(tmp_path / "elsewhere", "secret.mp4"))
    assert [m.name for m in match(a, a)[0]] == ["x.mp4"]


def test_folders_of_videos_and_folders_that_are_one(tmp_path: Path) -> None:
    assert is_folder_of_videos(fill(tmp_path / "videos", "x.mp4", "y.mp4"))
    assert is_folder_of_videos(fill(tmp_path / "empty"))
    assert is_folder_of_videos(fill(tmp_path / "mixed", "f1.png", "x.mp4"))
    assert not is_folder_of_videos(fill(tmp_path / "sequence", "f1.png", "f2.png"))
    assert not is_folder_of_videos(tmp_path / "videos" / "x.mp4")
    assert not is_folder_of_videos(tmp_path / "nothing")
    assert not is_folder_of_videos("-")


def a_report(*relations: Relation) -> Report:
    dimensions = dict(zip(DIMENSIONS, [*relations, *["same"] * 8], strict=False))
    return Report(
        created="",
        verdict="",
        videos=[],
        alignment=Alignment(matched=True, score=1),
        dimensions=dimensions,
        findings=[],
    )


RESULTS: dict[str, Report | Exception] = {
    "same": a_report(),
    "different": a_report("unknown", "different"),
    "unknown": a_report("unknown"),
    "broken": UnreadableError("broken", "is broken"),
    "odd": RuntimeError("nobody foresaw this"),
}


def compared(matches: Sequence[Match]) -> FoldersReport:
    def compare(a: str, b: str) -> Report:
        result = RESULTS[a]
        if isinstance(result, Exception):
            raise result
        return result

    results = list(compare_matches(matches, compare, lambda e: f"unexpected: {e}"))
    return summary("left", "right", results, ["notes.txt"])


def test_a_pair_that_fails_is_a_row_and_the_next_is_compared() -> None:
    matches = [Match(n, n, n) for n in RESULTS]
    result = compared([*matches, Match("a", "a", None), Match("b", None, "b")])
    assert [(p.name, p.outcome, p.error) for p in result.pairs] == [
        ("same", "same", None),
        ("different", "different", None),
        ("unknown", "unknown", None),
        ("broken", "failed", "broken: is broken"),
        ("odd", "failed", "unexpected: nobody foresaw this"),
        ("a", "only in A", None),
        ("b", "only in B", None),
    ]
    assert sum(result.counts.values()) == len(result.pairs) == 7
    assert result.counts["failed"] == 2


def test_files_of_the_same_bytes_are_the_same_and_not_measured(tmp_path: Path) -> None:
    a = write_clip(tmp_path / "a" / "x.mp4", seconds=0.5)
    other = write_clip(tmp_path / "b" / "other.mp4", seconds=0.6)
    b = Path(shutil.copy(a, tmp_path / "b" / "x.mp4"))
    measured: list[tuple[str, str]] = []

    def compare(a: str, b: str) -> Report:
        measured.append((a, b))
        return a_report("unknown")

    matches = [Match("x", str(a), str(b)), Match("y", str(a), str(other))]
    same, unknown = compare_matches(matches, compare, str, identical_report)
    assert measured == [(str(a), str(other))]
    assert (same.outcome, unknown.outcome) == ("same", "unknown")
    assert same.report is not None
    assert same.report.verdict == "B is byte for byte A"
    assert [(v.id, v.path) for v in same.report.videos] == [("A", str(a)), ("B", str(b))]
    assert set(same.report.dimensions.values()) == {"same"}
    assert same.report.alignment.spans[0].a == [0.0, pytest.approx(0.5, abs=0.07)]


def test_the_same_bytes_that_are_no_video_are_an_error(tmp_path: Path) -> None:
    for side in "ab":
        (tmp_path / f"{side}.mp4").write_text("no video " * 9)
    pair = Match("x", str(tmp_path / "a.mp4"), str(tmp_path / "b.mp4"))
    (result,) = compare_matches([pair], lambda a, b: a_report(), str, identical_report)
    assert (result.outcome, result.report) == ("failed", None)


def test_same_bytes_looks_at_the_content(tmp_path: Path) -> None:
    files = {"a": b"12345", "b": b"12345", "c": b"12346", "d": b"1234", "empty": b"", "e": b""}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)

    def same(x: str, y: str) -> bool:
        return same_bytes(str(tmp_path / x), str(tmp_path / y))

    assert same("a", "b") and same("a", "a")
    assert not same("empty", "e")  # a file without a size is not even read
    assert not same("a", "c") and not same("a", "d") and not same("a", "gone")
    assert not same(".", ".")  # a folder of images is no file


def test_a_full_disk_ends_it() -> None:
    def compare(a: str, b: str) -> Report:
        raise OutputError("page.html: cannot be written")

    with pytest.raises(OutputError):
        list(compare_matches([Match("x", "x", "x")], compare, str))


def test_json_is_as_its_schema_says() -> None:
    result = compared([Match(n, n, n) for n in RESULTS])
    data = json.loads(result.model_dump_json(by_alias=True))
    assert data["schema"] == "triptych.folders/1"
    assert data["passed_over"] == ["notes.txt"]
    jsonschema.validate(data, FoldersReport.model_json_schema(by_alias=True))
