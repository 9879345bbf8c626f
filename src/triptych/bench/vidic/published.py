"""The paper's own table, for comparison: Table 2 of arXiv 2512.03405, version 3."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from importlib.resources import files

SOURCE = "arXiv 2512.03405v3, Table 2"
#: Questions behind the table: differences and similarities of version 3.
DIFFERENCES, SIMILARITIES = 2738, 982


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; ``scores`` are percent by the names that our own runs use."""

    model: str
    size: str
    kind: str
    scores: dict[str, float]


def table() -> list[Row]:
    """The rows in the paper's order."""
    text = files(__package__).joinpath("published.csv").read_text(encoding="utf-8")
    return [
        Row(
            row.pop("model"),
            row.pop("size"),
            row.pop("kind"),
            {k: float(v) for k, v in row.items()},
        )
        for row in csv.DictReader(io.StringIO(text))
    ]
