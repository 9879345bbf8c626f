"""The checklist, against the public one's form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych.make.checklist import checklist, read_truth, write_checklist
from triptych.make.pairs import make_pairs
from triptych.make.questions import question
from triptych.make.registry import EDITS
from triptych.record.errors import NotFoundError, UnreadableError
from triptych.record.report import ASPECTS

CLASSES = {"subject", "style", "background", "camera", "motion", "position", "playback technique"}


@pytest.fixture(scope="module")
def folder(files: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("set") / "out"
    # Every edit once, so that every question is asked.
    make_pairs(
        [files["sound"]], out, edits=list(EDITS), strengths=["heavy", "control"], max_width=128
    )
    return out


def test_entries_have_the_official_fields_and_answers(folder: Path) -> None:
    entries = json.loads(write_checklist(folder).read_text(encoding="utf-8"))
    truth = read_truth(folder)
    assert [e["index"] for e in entries] == list(range(len(entries)))
    assert len(entries) == len(truth)
    facts = {f["question_id"]: f for p in truth for f in p["facts"]}
    for entry in entries:
        assert list(entry) == ["index", "video1_path", "video2_path", "structured_analysis"]
        assert (folder / entry["video1_path"]).is_file()
        assert (folder / entry["video2_path"]).is_file()
        sides = entry["structured_analysis"]
        assert list(sides) == ["Similarities", "Differences"]
        for side, answer in (("Similarities", "no"), ("Differences", "yes")):
            for asked in sides[side]:
                assert asked["class"] in CLASSES
                assert asked["correct_answer"] == answer
                assert asked["answer"] == asked["explanation"] == ""
                assert asked["question"].endswith("?") and asked["question"].isascii()
                fact = facts.pop(asked["question_id"])
                assert (fact["relation"] == "different") == (answer == "yes")
    assert {f["dimension"] for f in facts.values()} == {"sound"}


def test_the_fields_are_those_of_the_public_checklist(folder: Path) -> None:
    shared = Path(__file__).parents[3] / "shared" / "data" / "vidic"
    if not shared.is_dir():
        pytest.skip("the public checklist is not here")
    public = json.loads((shared / "checklist_v1_first150.json").read_text())
    ours = checklist(read_truth(folder))
    assert set(public[0]) == set(ours[0])
    sides = ours[0]["structured_analysis"]
    assert set(public[0]["structured_analysis"]) == set(sides)
    official = set(public[0]["structured_analysis"]["Differences"][0])
    assert official <= set(sides["Similarities"][0])


def test_each_aspect_can_be_asked_about_when_nothing_differs() -> None:
    for dimension, names in ASPECTS.items():
        for aspect in names:
            fact = {"question_id": "x#0", "dimension": dimension, "aspect": aspect,
                    "relation": "same", "expected": {}}  # fmt: skip
            asked = question(fact)
            assert (asked is None) == (dimension == "sound")
            if asked is not None:
                assert asked["correct_answer"] == "no"
                assert (
                    "Video A" in asked["question"]
                    or "two videos" in asked["question"]
                    or ("one of the videos" in asked["question"])
                )


def test_a_folder_that_is_no_set_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="make pairs writes it"):
        read_truth(tmp_path)
    for text in ("no json\n", '{"id": 1}\n', "[1]\n"):
        (tmp_path / "truth.jsonl").write_text(text)
        with pytest.raises(UnreadableError):
            read_truth(tmp_path)
