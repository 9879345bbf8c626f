"""``triptych doctor``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

EPILOG = "Exit code: 0 everything needed is there, 2 something needed is missing."


def command(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the checks as a JSON array instead.")
    ] = False,
) -> int:
    """Look at what this machine has of what Triptych needs. No network is used."""
    from triptych.cli import streams
    from triptych.cli.environment import checks

    found = list(checks())
    if as_json:
        import json

        streams.write(json.dumps([asdict(c) for c in found], indent=2, ensure_ascii=False) + "\n")
    else:
        from rich.text import Text

        width = max(len(c.name) for c in found)
        with streams.stdout() as console:
            for c in found:
                word = "ok" if c.ok else "missing" if c.needed else "limited"
                style = "green" if c.ok else "bold red" if c.needed else "yellow"
                line = Text(f"{word:<8} ", style)
                line.append(f"{c.name:<{width}}  ", "bold")
                line.append(c.found, "default not bold")
                console.print(line, soft_wrap=True)
                if not c.ok and c.advice:
                    console.print(Text(f"{'':<8} {'':<{width}}  {c.advice}"), soft_wrap=True)
            console.print("The network, a GPU, and programs such as ffmpeg are not needed.")
    return 0 if all(c.ok or not c.needed for c in found) else 2
