"""What a sample is made of."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import numpy as np
import pytest

from triptych.make.eligible import Survey
from triptych.make.plan import COMBINED, COMBINED_SHARE, Plan, Task, chosen, unsuited
from triptych.make.registry import EDITS
from triptych.record.errors import UsageError

_SMALL = np.zeros((1, 36, 64), np.float32)
FULL = Survey(8.0, _SMALL, motion=5.0, colour=20.0, loudness=0.1)
BARE = Survey(8.0, _SMALL, motion=0.0, colour=0.0, loudness=None)


def plan(seed: int = 0, clips: int = 4, **more: object) -> Plan:
    return Plan(dict.fromkeys(range(clips), FULL), seed, more.get("edits"), more.get("strengths"))  # type: ignore[arg-type]


def test_every_cell_comes_up_before_any_comes_twice() -> None:
    cells = {(e.name, s) for e, s in chosen(None, None)}
    controls = sum(len(e.strengths["control"]) for e in EDITS.values() if e.kind == "control")
    # Each control counts as a cell; combined edits take their share besides.
    singles = len([c for c in cells if c[1] != "control"]) + controls
    tasks = list(islice(plan().supply(), round(singles / (1 - COMBINED_SHARE))))
    alone = [t for t in tasks if t.edit != COMBINED]
    assert {(t.edit, t.strength) for t in alone} == cells
    assert max(Counter((t.parts, t.strength) for t in alone).values()) == 1
    assert len(tasks) - len(alone) == pytest.approx(COMBINED_SHARE * len(tasks), abs=1)


def test_clips_take_turns() -> None:
    tasks = list(islice(plan().supply(), 200))
    counts = Counter(t.clip for t in tasks)
    assert max(counts.values()) - min(counts.values()) < 20
    turns = {t.clip for t in islice(plan().supply(), 800) if t.parts[0][0] == "hue"}
    assert turns == {0, 1, 2, 3}


def test_the_seed_alone_decides() -> None:
    first, again, other = (list(islice(plan(s).supply(), 150)) for s in (0, 0, 1))
    assert first == again
    assert first != other


def test_no_pair_comes_twice_and_names_are_safe() -> None:
    tasks = list(plan(clips=2).supply())
    names = [(t.clip, t.name) for t in tasks]
    assert len(set(names)) == len(names)
    assert all(set(n) <= set("abcdefghijklmnopqrstuvwxyz0123456789.-+") for _, n in names)


def test_combined_edits_are_of_different_kinds_and_do_not_undo_each_other() -> None:
    mixed = [t for t in plan().supply() if t.edit == COMBINED]
    assert len(mixed) > 100
    camera = {"pan", "tilt", "zoom-over-time", "roll-over-time", "shake"}
    for task in mixed:
        names = [e for e, _ in task.parts]
        kinds = [EDITS[e].kind for e in names]
        assert 2 <= len(names) <= 3
        assert len(set(kinds)) == len(kinds)
        assert "control" not in kinds
        if {"freeze", "irregular-drops"} & set(names):
            assert not (camera | {"noise"}) & set(names)
        assert all(p in EDITS[e].strengths[task.strength] for e, p in task.parts)


def test_without_a_number_there_is_everything_once() -> None:
    tasks = plan(clips=3).everything()
    alone = Counter((t.parts, t.strength) for t in tasks if t.edit != COMBINED)
    assert set(alone.values()) == {3}
    assert len(alone) == sum(len(p) for e in EDITS.values() for p in e.strengths.values())
    assert sum(t.edit == COMBINED for t in tasks) == 9


def test_what_a_clip_lacks_is_not_planned() -> None:
    tasks = Plan({0: BARE, 1: FULL}, 0, None, None).everything()
    bare = {e for t in tasks if t.clip == 0 for e, _ in t.parts}
    assert not bare & {"gain", "mute", "speed", "reversal", "hue", "saturation"}
    assert "blur" in bare
    assert "no sound" in (unsuited(EDITS["gain"], BARE) or "")
    assert "motion" in (unsuited(EDITS["speed"], BARE) or "")
    assert "colour" in (unsuited(EDITS["hue"], BARE) or "")
    assert unsuited(EDITS["hue"], FULL) is None


def test_edits_and_strengths_can_be_chosen() -> None:
    tasks = list(plan(edits=["hue", "speed"], strengths=["light"]).supply())
    assert {t.parts[0][0] for t in tasks} == {"hue", "speed"}
    assert {t.strength for t in tasks} == {"light"}
    only = list(islice(plan(edits=["combined"]).supply(), 5))
    assert [t.edit for t in only] == [COMBINED] * 5
    with pytest.raises(UsageError, match="no edit 'spin'"):
        chosen(["spin"], None)
    with pytest.raises(UsageError, match="no strength 'huge'"):
        chosen(None, ["huge"])


def test_a_pairs_random_numbers_depend_on_itself_alone() -> None:
    task = Task(0, "light", (("hue", 10.0),))
    elsewhere = Task(3, "light", (("hue", 10.0),))
    draws = [t.rng(s, d).integers(2**60) for t, s, d in (
        (task, 0, "aa"), (elsewhere, 0, "aa"), (task, 1, "aa"), (task, 0, "bb"),
    )]  # fmt: skip
    assert draws[0] == draws[1]
    assert len(set(draws)) == 3
