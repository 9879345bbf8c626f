"""What a benchmark found: ``triptych.scores/1``."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from triptych.record.report import Number, Record, json_text

SCHEMA: Literal["triptych.scores/1"] = "triptych.scores/1"


class Score(Record):
    """One figure. ``lo`` and ``hi`` bound its 95 % interval; ``n`` is what it was counted over.

    Percentages are 0 to 100. ``value`` is ``None`` where the thing was not measured, ``lo`` and
    ``hi`` where there is no interval; ``reason`` then says why.
    """

    value: Number | None = None
    lo: Number | None = None
    hi: Number | None = None
    n: int = 0
    reason: str | None = None


class Scores(Record):
    """The figures of one run.

    ``n`` counts the pairs or questions, those that ``failed`` included. ``cost`` is in US dollars,
    ``None`` where no model was used; ``seconds`` are those spent on all that is counted, whether
    in this run or in one that it took up. ``labels`` name what leaves the benchmark's protocol,
    such as "assisted".
    """

    schema_: Literal["triptych.scores/1"] = Field(default=SCHEMA, alias="schema")
    bench: str
    model: str
    judge: str | None = None
    n: int
    failed: int
    scores: dict[str, Score]
    cost: Number | None = None
    seconds: Number
    labels: list[str] = Field(default_factory=list)

    model_config = ConfigDict(extra="forbid", validate_assignment=True, populate_by_name=True)

    @property
    def labelled(self) -> str:
        """The model's name with its labels, for tables."""
        return f"{self.model} ({', '.join(self.labels)})" if self.labels else self.model


def dumps(scores: Scores) -> str:
    """``scores`` as indented JSON with a final newline."""
    return json_text(scores.model_dump(mode="json", by_alias=True))


def loads(text: str) -> Scores:
    """The scores that :func:`dumps` wrote; raises ``pydantic.ValidationError`` where it is not."""
    return Scores.model_validate_json(text)
