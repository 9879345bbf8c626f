"""The words that models are asked with: our own, or those of the official repository.

Ours say the same as the paper's (sections 3.3.2, G.3 and G.4) in other words and lie beside this
file. For scores that are to be held against published ones, a checkout of the official repository
is read at run time; its judge prompt is filled in as its own program does, quotation marks and all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from triptych.record.errors import NotFoundError, UnreadableError

#: Where the official repository keeps them.
OFFICIAL_CAPTION = "prompt/prompt_get_response.txt"
OFFICIAL_JUDGE = "prompt/prompt_judge.txt"
_FIELD = re.compile(r"\{\{|\}\}|\{([a-z]+)\}")
_MARK = re.compile(r"<(/?)(description)>", re.IGNORECASE)
_MAX_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class Protocol:
    """The prompts of a run; ``told`` is what its results say of them."""

    caption: str
    judge: str
    several: str
    official: bool
    told: str

    def one(self, description: str, question: str) -> str:
        """The judge's prompt for one question."""
        return self._filled(self.judge, description, question)

    def many(self, description: str, questions: list[str]) -> str:
        """The judge's prompt for several, numbered from 1."""
        listed = "\n".join(f"{i}. {' '.join(q.split())}" for i, q in enumerate(questions, 1))
        return self._filled(self.several, description, listed)

    def _filled(self, template: str, description: str, question: str) -> str:
        if not self.official:  # the marks must be ours alone
            description = unmarked(description)
        return fill(template, {"description": description, "question": question})


def unmarked(description: str) -> str:
    """``description`` without what could end it before its end."""
    return _MARK.sub(r"(\1\2)", description)


def fill(template: str, values: dict[str, str]) -> str:
    """``template`` with ``values`` at their places, ``{name}``; doubled braces become single.

    In one pass, so that braces in what is filled in stay what they are.
    """
    return _FIELD.sub(lambda m: values.get(m[1], m[0]) if m[1] else m[0][0], template)


def read_protocol(folder: str | Path | None = None) -> Protocol:
    """Our own wording, or that of the official checkout in ``folder``.

    Raises a :class:`~triptych.record.errors.SourceError` where its files are not there, or lack
    the places for description and question.
    """
    ours = {name: own_prompt(name) for name in ("caption", "judge", "judge_several")}
    if folder is None:
        told = "prompts: our own wording of the paper's protocol"
        return Protocol(ours["caption"], ours["judge"], ours["judge_several"], False, told)
    caption, judge = (_theirs(Path(folder), n) for n in (OFFICIAL_CAPTION, OFFICIAL_JUDGE))
    fields = {m[1] for m in _FIELD.finditer(judge)}
    if not {"description", "question"} <= fields:
        name = str(Path(folder) / OFFICIAL_JUDGE)
        raise UnreadableError(name, "has no place for the description and the question")
    told = f"prompts: the official ones, read from {folder}"
    return Protocol(caption, judge, ours["judge_several"], True, told)


def own_prompt(name: str) -> str:
    """The prompt file ``name``, in our own words."""
    return files(__package__).joinpath(f"prompts/{name}.txt").read_text(encoding="utf-8").strip()


def _theirs(folder: Path, name: str) -> str:
    path = folder / name
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise UnreadableError(str(path), "is too large for a prompt")
        text = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError as e:
        hint = "name a checkout of the official repository"
        raise NotFoundError(str(path), "no such file", hint) from e
    except (OSError, ValueError) as e:
        raise UnreadableError(str(path), "cannot be read as text") from e
    if not text:
        raise UnreadableError(str(path), "is empty")
    return text
