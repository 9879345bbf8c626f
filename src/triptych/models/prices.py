"""What tokens cost: a table that the user can replace."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path

from pydantic import Field, ValidationError

from triptych.models.counting import input_tokens, most_tokens
from triptych.models.protocols import Request, Usage
from triptych.record.errors import NotFoundError, UnreadableError
from triptych.record.report import Record

#: Tokens of an answer where the settings set no limit: what is expected, and what is allowed
#: under a budget.
USUAL_ANSWER, MOST_ANSWER = 1000, 8192
_FORMULA = re.compile(
    r"openai tiles \d{1,4} \d{1,4}|openai patches \d(\.\d{1,4})?|google|anthropic"
    r"|qwen [1-9]\d{0,2}|none"
)


class Price(Record):
    """US dollars for a million tokens of the models whose names fit ``name``."""

    name: str
    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    cached: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    pictures: str = Field(default="qwen 28", pattern=f"^(?:{_FORMULA.pattern})$")

    def cost(self, usage: Usage) -> float:
        """US dollars for ``usage``."""
        cached = self.cached if self.cached is not None else self.input
        fresh = max(0, usage.input - usage.cached)
        return (fresh * self.input + usage.cached * cached + usage.output * self.output) / 1e6

    def worst(self, request: Request) -> float:
        """US dollars that ``request`` can cost at most."""
        sent = most_tokens(request.messages, self.pictures)
        answer = request.settings.max_tokens or MOST_ANSWER
        return self.cost(Usage(input=sent, output=answer))


class _Table(Record):
    model: list[Price]


@dataclass(frozen=True, slots=True)
class Estimate:
    """What calls are expected to take. ``dollars`` is ``None`` where a price is not known."""

    calls: int = 0
    pictures: int = 0
    input: int = 0
    output: int = 0
    dollars: float | None = 0.0

    def told(self, model: str) -> str:
        """One line on what ``model`` would be asked for."""
        dollars = "no price is known" if self.dollars is None else f"{self.dollars:.4f} dollars"
        return (
            f"{model}: {self.calls} calls at most, {self.pictures} pictures, about "
            f"{self.input} tokens in and {self.output} out, {dollars}"
        )

    def __add__(self, other: Estimate) -> Estimate:
        unknown = self.dollars is None or other.dollars is None
        return Estimate(
            self.calls + other.calls,
            self.pictures + other.pictures,
            self.input + other.input,
            self.output + other.output,
            None if unknown else (self.dollars or 0.0) + (other.dollars or 0.0),
        )


class Prices:
    """The table at ``path``, or the one that ships.

    Raises :class:`~triptych.record.errors.SourceError` where it is not one.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        shipped = files("triptych.models") / "prices.toml"
        name = str(path) if path is not None else "prices.toml"
        try:
            text = (Path(path) if path is not None else shipped).read_text(encoding="utf-8")
            self._rows = _Table.model_validate(tomllib.loads(text)).model
        except FileNotFoundError as e:
            raise NotFoundError(name, "no such table of prices") from e
        except OSError as e:
            raise UnreadableError(name, f"cannot be read: {e.strerror}") from e
        except ValidationError as e:
            where = ".".join(map(str, e.errors()[0]["loc"]))
            raise UnreadableError(
                name, f"is no table of prices: {where}: {e.errors()[0]['msg']}"
            ) from e
        except ValueError as e:
            raise UnreadableError(name, "is not TOML in UTF-8", "see docs/models.md") from e

    def of(self, model: str) -> Price | None:
        """The price of ``model``, or ``None``; an address behind ``@`` does not matter."""
        name = model.partition("@http")[0]
        return next((p for p in self._rows if fnmatchcase(name, p.name)), None)

    def estimate(self, model: str, request: Request) -> Estimate:
        """What one call is expected to take."""
        price = self.of(model)
        formula = price.pictures if price is not None else "qwen 28"
        sent = input_tokens(request.messages, formula)
        answer = min(request.settings.max_tokens or USUAL_ANSWER, USUAL_ANSWER)
        parts = [p for m in request.messages for p in m.parts]
        return Estimate(
            1,
            sum(hasattr(p, "digest") for p in parts),
            sent,
            answer,
            price.cost(Usage(input=sent, output=answer)) if price is not None else None,
        )
