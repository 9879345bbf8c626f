"""Compare, write what was asked for, and then print: one pair, several, or two folders."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from triptych.cli import streams
from triptych.cli.outputs import Outputs, page_name
from triptych.cli.streams import Progress
from triptych.cli.trouble import DIFFERENT, SAME, TROUBLE, say, unexpected
from triptych.diff.folders import (
    Match,
    PairResult,
    compare_matches,
    match,
    summary,
)
from triptych.diff.options import Options
from triptych.record.errors import UnreadableError, printable
from triptych.record.files import write_text
from triptych.record.report import Report, dumps

#: Prints the result once the progress bar is gone; takes ``quiet``, gives the exit code.
Finish = Callable[[bool], int]


def two(a: str, b: str, options: Options, outputs: Outputs) -> Finish:
    """Compare two videos."""
    from triptych.diff.compare import compare

    report = compare(a, b, options)
    written = outputs.write_single(report, None, options.progress)

    def finish(quiet: bool) -> int:
        if outputs.json == "-":
            streams.write(dumps(report))
        else:
            _show(report)
        _hint(written, quiet)
        return DIFFERENT if report.different else SAME

    return finish


def several(videos: Sequence[str], options: Options, outputs: Outputs) -> Finish:
    """Compare each video with the first."""
    first = videos[0]
    matches = [Match(v, first, v) for v in videos[1:]]
    pairs = _compare(matches, options, outputs, title=first)
    elements: list[Any] = [
        _failure(p) if p.report is None else p.report.model_dump(mode="json", by_alias=True)
        for p in pairs
    ]
    text = json.dumps(elements, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    return _finish(pairs, text, outputs)


def folders(a: str, b: str, options: Options, outputs: Outputs) -> Finish:
    """Compare two folders file by file."""
    matches, passed_over = match(Path(a), Path(b))
    if not matches:
        raise UnreadableError(a, f"no videos here, nor in {printable(b)}")
    pairs = _compare(matches, options, outputs, title=f"{a} and {b}")
    result = summary(a, b, pairs, passed_over)
    data = result.model_dump(mode="json", by_alias=True)
    text = json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    if passed_over:
        say(f"{len(passed_over)} files are no videos by their ending and were passed over")
    return _finish(pairs, text, outputs)


def _compare(
    matches: Sequence[Match], options: Options, outputs: Outputs, title: str
) -> list[PairResult]:
    """Compare all pairs; each page is written at once, so that frames need not be kept."""
    from triptych.diff.compare import compare

    pairs: list[PairResult] = []
    show = options.progress

    def one(a: str, b: str) -> Report:
        counted = _counted(show, len(pairs) + 1, len(matches))
        return compare(a, b, dataclasses.replace(options, progress=counted))

    for pair in compare_matches(matches, one, unexpected):
        if pair.report is not None and outputs.html:
            index, folder = outputs.pages()
            page = folder / page_name(len(pairs) + 1, pair.name)
            counted = _counted(show, len(pairs) + 1, len(matches))
            outputs.write_page(pair.report, page, progress=counted)
            pair.page = page.relative_to(index.parent).as_posix()
        pairs.append(pair)
    if outputs.html:
        from triptych.report.index import write_index

        write_index(pairs, outputs.pages()[0])
    return pairs


def _finish(pairs: list[PairResult], text: str, outputs: Outputs) -> Finish:
    written = [str(outputs.pages()[0])] if outputs.html else []
    if outputs.json and outputs.json != "-":
        write_text(outputs.json, text)
        written.append(outputs.json)

    def finish(quiet: bool) -> int:
        if outputs.json == "-":
            streams.write(text)
        else:
            _list(pairs)
        for pair in pairs:
            if pair.error is not None:
                say(pair.error)
        _hint(written, quiet)
        outcomes = {p.outcome for p in pairs}
        if "failed" in outcomes:
            return TROUBLE
        return SAME if outcomes <= {"no difference"} else DIFFERENT

    return finish


def _show(report: Report) -> None:
    from triptych.report.terminal import render

    with streams.stdout() as console:
        render(report, console)


def _list(pairs: Sequence[PairResult]) -> None:
    """One line a pair."""
    from rich.text import Text

    style = {"no difference": "green", "failed": "bold yellow"}
    with streams.stdout() as console:
        for p in pairs:
            line = Text(f"{p.outcome:<14} ", style.get(p.outcome, "bold red"))
            line.append(printable(p.name), "bold")
            if p.report is not None:
                line.append(f"  {printable(p.report.verdict)}", "default not bold")
            console.print(line, soft_wrap=True)


def _failure(pair: PairResult) -> dict[str, Any]:
    """What stands in the array of reports for a pair that could not be compared."""
    return {"schema": "triptych.failure/1", "videos": [pair.a, pair.b], "error": pair.error}


def _hint(written: Sequence[str], quiet: bool) -> None:
    if not quiet:
        for name in written:
            say(f"wrote {name}")


def _counted(show: Progress | None, number: int, of: int) -> Progress | None:
    if show is None:
        return None
    return lambda stage, share: show(f"{number}/{of} {stage}", share)
