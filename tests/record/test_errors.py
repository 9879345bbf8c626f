"""Messages are one line, name the file, and cannot steer a terminal."""

from __future__ import annotations

import pytest

from triptych.record import errors
from triptych.record.errors import MissingExtraError, SourceError, TriptychError, printable


def test_a_source_error_says_which_what_and_what_to_do() -> None:
    error = SourceError("a/b.mp4", "holds no picture", "give a video")
    assert str(error) == "a/b.mp4: holds no picture (give a video)"
    assert (error.path, error.reason, error.hint) == ("a/b.mp4", "holds no picture", "give a video")
    assert str(SourceError("x", "is broken")) == "x: is broken"


def test_names_cannot_steer_a_terminal() -> None:
    name = "a\x1b[31m\n\r\t\x07\x9b\u202e\u2028\udcff.mp4"
    shown = str(SourceError(name, "is broken"))
    assert shown.isprintable()
    assert "\\x1b[31m\\n\\r\\t\\x07\\x9b\\u202e\\u2028\\udcff.mp4" in shown


@pytest.mark.parametrize("text", ["日本語 ü", "[red]x[/red]", "a b", ""])
def test_what_is_printable_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    assert errors.__doc__ is not None
    for name, thing in vars(errors).items():
        if isinstance(thing, type) and issubclass(thing, Exception):
            assert issubclass(thing, TriptychError)
            assert f" {name}" in errors.__doc__.replace("\n    ", "\n     ")


def test_a_missing_extra_says_how_to_get_it() -> None:
    assert str(MissingExtraError("speech", "speech")) == (
        "speech needs an extra: pip install 'triptych[speech]'"
    )
