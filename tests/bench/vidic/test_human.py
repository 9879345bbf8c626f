"""Agreement with people, against figures worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.bench.vidic.human import agreement
from triptych.bench.vidic.judged import score_judged
from triptych.record.errors import UsageError

from .made_lists import entry, item, write


def checklist(path: Path, differences: list[str], similarities: list[str]) -> Path:
    d = [item(a, question=f"d{i}?") for i, a in enumerate(differences)]
    s = [item(a, "no", question=f"s{i}?") for i, a in enumerate(similarities)]
    return write(path, [entry("p", d[:2], s[:1]), entry("q", d[2:], s[1:])])


def test_percent_and_kappa(tmp_path: Path) -> None:
    judged = checklist(tmp_path / "j.json", ["yes", "yes", "no", "yes"], ["no", "yes"])
    labels = checklist(tmp_path / "l.json", ["yes", "no", "no", "yes"], ["no", "no"])
    score_judged(judged, out=tmp_path / "run")
    found = agreement(tmp_path / "run", labels).scores.scores
    assert found["Average"].value == pytest.approx(100 * 4 / 6, abs=1e-5)
    assert found["Difference"].value == 75
    assert found["Similarity"].value == 50
    # yes: 4 of 6 against 2 of 6; chance 4*2/36 + 2*4/36 = 4/9; (2/3 - 4/9) / (5/9) = 0.4
    assert found["kappa/Average"].value == pytest.approx(0.4, abs=1e-6)
    # yes: 3 of 4 against 2 of 4; chance 1/2; (3/4 - 1/2) / (1/2) = 0.5
    assert found["kappa/Difference"].value == pytest.approx(0.5, abs=1e-6)


def test_no_answer_agrees_with_none_and_no_label_is_left_out(tmp_path: Path) -> None:
    judged = checklist(tmp_path / "j.json", ["what", "yes", "yes"], ["no"])
    labels = checklist(tmp_path / "l.json", ["yes", "", "yes"], ["no", "no"])
    score_judged(judged, out=tmp_path / "run")
    found = agreement(tmp_path / "run", labels)
    assert (found.scores.n, found.scores.failed) == (3, 1)
    assert (found.unlabelled, found.alone) == (1, 1)
    assert found.scores.scores["Average"].value == pytest.approx(100 * 2 / 3, abs=1e-5)
    with pytest.raises(UsageError, match="in common"):
        agreement(tmp_path / "run", write(tmp_path / "o.json", [entry("o", [item("yes")], [])]))


def test_kappa_where_nothing_is_left_to_chance(tmp_path: Path) -> None:
    judged = checklist(tmp_path / "j.json", ["yes", "yes"], [])
    score_judged(judged, out=tmp_path / "run")
    found = agreement(tmp_path / "run", judged).scores.scores
    assert found["Average"].value == 100
    assert found["kappa/Average"].value is None
    assert found["kappa/Average"].reason
