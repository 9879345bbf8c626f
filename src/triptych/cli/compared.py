"""Compare, write what was asked for, and then print: one pair, several, or two folders."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from triptych.cli import streams
from triptych.cli.asked import Asked
from triptych.cli.inputs import Inputs
from triptych.cli.outputs import Outputs, page_name
from triptych.cli.trouble import DIFFERENT, SAME, TROUBLE, say, unexpected
from triptych.diff.folders import (
    LOOKED_FOR,
    Match,
    PairResult,
    compare_matches,
    holds_videos,
    identical_report,
    match,
    summary,
)
from triptych.diff.options import Options
from triptych.record.errors import UnreadableError, printable
from triptych.record.files import write_text
from triptych.record.report import Report, dumps, json_text

#: Prints the result once the progress bar is gone; takes ``quiet``, gives the exit code.
Finish = Callable[[bool], int]


def two(a: str, b: str, options: Options, outputs: Outputs, asked: Asked | None = None) -> Finish:
    """Compare two videos; with ``asked`` a model describes their differences as well."""
    lines: list[str] = []
    with Inputs([a, b], options) as inputs:
        report = inputs.compare(a, b, options)
        if asked is not None:
            paths = (inputs.location(a), inputs.location(b))
            if asked.dry_run:
                return _told(asked.estimate(report, paths))
            report, lines = asked.write(report, paths)
        written = outputs.write_records(report)
        if outputs.shows_pictures:
            with inputs.opened(a, b) as sources:
                written += outputs.write_pictures(report, sources, options.progress)

    def finish(quiet: bool) -> int:
        if outputs.json == "-":
            streams.write(dumps(report))
        else:
            _show(report)
        if not quiet:
            for line in lines:
                say(line)
        _hint(written, quiet)
        return DIFFERENT if report.different else SAME

    return finish


def _told(line: str) -> Finish:
    def finish(quiet: bool) -> int:
        streams.write(f"{line}\n")
        return SAME

    return finish


def several(videos: Sequence[str], options: Options, outputs: Outputs) -> Finish:
    """Compare each video with the first."""
    first = videos[0]
    with Inputs(videos, options) as inputs:
        matches = [Match(v, first, v) for v in videos[1:]]
        pairs = _compare(matches, inputs, options, outputs, titles=(first, "the others"))
    elements: list[Any] = [
        _failure(p) if p.report is None else p.report.model_dump(mode="json", by_alias=True)
        for p in pairs
    ]
    return _finish(pairs, json_text(elements), outputs)


def folders(a: str, b: str, options: Options, outputs: Outputs) -> Finish:
    """Compare two folders file by file."""
    matches, passed_over = match(Path(a), Path(b))
    if not matches:
        raise UnreadableError(a, f"no videos in it, nor in {printable(b)}", LOOKED_FOR)
    # Two streams of one file differ though its bytes do not.
    identical = identical_report if options.stream_a == options.stream_b else None
    with Inputs([], options) as inputs:
        pairs = _compare(matches, inputs, options, outputs, (a, b), identical)
    result = summary(a, b, pairs, passed_over)
    return _finish(
        pairs,
        json_text(result.model_dump(mode="json", by_alias=True)),
        outputs,
        len(passed_over),
        # Everything is only in one of them: rather a wrong name than a difference.
        next((f for f in (a, b) if not holds_videos(f)), None),
    )


def _compare(
    matches: Sequence[Match],
    inputs: Inputs,
    options: Options,
    outputs: Outputs,
    titles: tuple[str, str],
    identical: Callable[[str, str], Report | None] | None = None,
) -> list[PairResult]:
    """Compare all pairs; a pair's page is written as soon as it was compared."""
    pairs: list[PairResult] = []
    pages: dict[int, str] = {}
    if outputs.html:
        outputs.make_pages()

    def one(a: str, b: str) -> Report:
        number, show = len(pairs) + 1, options.progress
        progress = show and (lambda stage, share: show(f"{number}/{len(matches)} {stage}", share))
        report = inputs.compare(
            a, b, dataclasses.replace(options, progress=progress, more=len(matches) > 1)
        )
        if outputs.html:
            index, folder = outputs.pages()
            page = folder / page_name(number, matches[number - 1].name)
            with inputs.opened(a, b) as sources:
                outputs.write_page(report, page, sources, progress)
            pages[number] = page.relative_to(index.parent).as_posix()
        return report

    for pair in compare_matches(matches, one, unexpected, identical):
        pairs.append(pair)
        pair.page = pages.get(len(pairs))
    if outputs.html:
        from triptych.report.index import IndexRow, write_index

        only: dict[str, Literal["A", "B"]] = {"only in A": "A", "only in B": "B"}
        rows = [IndexRow(p.name, p.report, p.page, only.get(p.outcome), p.error) for p in pairs]
        write_index(rows, outputs.pages()[0], folders=titles)
    return pairs


def _finish(
    pairs: list[PairResult],
    text: str,
    outputs: Outputs,
    passed_over: int = 0,
    empty: str | None = None,
) -> Finish:
    written = [str(outputs.pages()[0])] if outputs.html else []
    if outputs.json and outputs.json != "-":
        write_text(outputs.json, text)
        written.append(outputs.json)

    def finish(quiet: bool) -> int:
        if outputs.json == "-":
            streams.write(text)
        else:
            _list(pairs)
        # One fault, such as the first of several missing, can be that of many pairs: said once.
        for error in dict.fromkeys(pair.error for pair in pairs if pair.error is not None):
            say(error)
        if passed_over and not quiet:
            say(f"files that are no videos by their ending, passed over: {passed_over}")
        if empty is not None and not quiet:
            say(f"{empty}: no videos in it ({LOOKED_FOR})")
        _hint(written, quiet)
        outcomes = {p.outcome for p in pairs}
        if "failed" in outcomes:
            return TROUBLE
        return SAME if outcomes <= {"same", "unknown"} else DIFFERENT

    return finish


def _show(report: Report) -> None:
    from triptych.report.terminal import render

    with streams.stdout() as console:
        render(report, console)


def _list(pairs: Sequence[PairResult]) -> None:
    """One line a pair."""
    from rich.text import Text

    style = {"same": "green", "unknown": "yellow", "failed": "bold yellow"}
    with streams.stdout() as console:
        for p in pairs:
            line = Text(f"{p.outcome:<10} ", style.get(p.outcome, "bold red"))
            line.append(printable(p.name), "bold")
            told = p.error if p.report is None else p.report.verdict
            if told:
                line.append(f"  {printable(told)}", "default not bold")
            console.print(line, soft_wrap=True)


def _failure(pair: PairResult) -> dict[str, Any]:
    """What stands in the array of reports for a pair that could not be compared."""
    return {"schema": "triptych.failure/1", "videos": [pair.a, pair.b], "error": pair.error}


def _hint(written: Sequence[str], quiet: bool) -> None:
    if not quiet:
        for name in written:
            say(f"wrote {name}")
