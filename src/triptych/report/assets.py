"""The page's own templates, style and script, and the environment that escapes all else."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import jinja2
from markupsafe import Markup


@cache
def asset(name: str) -> str:
    """The text of a file that ships with the page."""
    return (files("triptych.report") / "page" / name).read_text(encoding="utf-8")


@cache
def environment() -> jinja2.Environment:
    """Templates that escape everything, and stop at a name that is not there."""
    return jinja2.Environment(
        loader=jinja2.FunctionLoader(asset), autoescape=True, undefined=jinja2.StrictUndefined
    )


def trusted(text: str) -> Markup:
    """``text`` that goes into the page as it is: ours, base64, or escaped JSON; nothing else."""
    return Markup(text)  # noqa: S704
