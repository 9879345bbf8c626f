"""What questions of one pair may not do to each other."""

from __future__ import annotations

import pytest

from triptych.make.annotate.records import Question
from triptych.make.annotate.together import consistent, fewer, once


def same(text: str, klass: str = "camera", agrees: bool = False) -> Question:
    asked = f"Is the {text} different in Video A and Video B?"
    return Question("Similarities", klass, asked, "no", agrees)


def differs(text: str, klass: str = "camera", agrees: bool = False) -> Question:
    return Question("Differences", klass, text, "yes", agrees)


DOG = "Does Video A show a dog, while Video B shows a cat?"
TAC = "Does Video A show a cat, while Video B shows a dog?"


def reasons(found: tuple[list[Question], list[tuple[Question, object]]]) -> list[str]:
    return [fault.reason for _, fault in found[1]]  # type: ignore[attr-defined]


def test_what_was_asked_is_not_asked_again() -> None:
    asked = [
        differs(DOG, "subject"),
        differs("Does the Video A show a dog, while the Video B shows a CAT?", "subject"),
        differs(DOG, "background"),  # another category: for people to decide between
        differs("Does Video A show a dog in a coat, while Video B shows two birds?", "subject"),
    ]
    kept, gone = once(asked)
    assert kept == [asked[0], *asked[2:]]
    assert [(q, f.reason, f.detail) for q, f in gone] == [(asked[1], "duplicate", DOG)]


def test_similarities_about_one_thing_are_one() -> None:
    asked = [same("lighting", "background"), same("illumination", "background"),
             same("weather", "background"), same("style", "style"), same("visual style", "style"),
             same("camera work"), same("cinematography"), same("camera angle")]  # fmt: skip
    kept, gone = once(asked)
    assert [q for q, _ in gone] == [asked[1], asked[4], asked[6]]
    assert reasons((kept, gone)) == ["duplicate"] * 3  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "other",
    [
        TAC,
        "Does Video A show no dog, while Video B shows a cat?",
    ],
)
def test_opposite_differences_both_go(other: str) -> None:
    kept, gone = once([differs(DOG, "subject"), differs(other, "subject")])
    assert not kept and reasons((kept, gone)) == ["contradiction"] * 2  # type: ignore[arg-type]


@pytest.mark.parametrize("first", [True, False])
def test_of_opposites_the_measured_one_stays(first: bool) -> None:
    asked = [differs(DOG, "subject", first), differs(TAC, "subject", not first)]
    kept, gone = once(asked)
    assert kept == [asked[0 if first else 1]] and reasons((kept, gone)) == ["contradiction"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("similarity", "difference"),
    [
        # The example of appendix G.2.
        (same("visual style", "style"),
         differs("Does the Video A have a black and white style, in contrast to the cyberpunk "
                 "style of the Video B?", "style")),
        (same("background", "background"),
         differs("Is Video A set in a kitchen, while Video B is set on a beach?", "background")),
        (same("camera movement"), differs("Does Video A pan left, while Video B is static?")),
        (same("quantity of subjects", "subject"),
         differs("Does Video B contain a second man, absent from Video A?", "subject")),
        (same("appearance of the subject", "subject"),
         differs("Is the man of Video A bald, unlike that of Video B?", "subject")),
        (same("attributes of the subject", "subject"), differs(DOG, "subject")),
        (same("spatial arrangement", "position"),
         differs("Is the cup left of the plate in Video A, but not in Video B?", "position")),
        (same("lighting", "background"),
         differs("Is Video A lit by daylight, while Video B is dark?", "background")),
    ],
)  # fmt: skip
def test_a_similarity_goes_where_a_difference_denies_it(
    similarity: Question, difference: Question
) -> None:
    for asked in ([similarity, difference], [difference, similarity]):
        kept, gone = consistent(asked)
        assert kept == [difference]
        assert [(q, f.reason) for q, f in gone] == [(similarity, "contradiction")]


@pytest.mark.parametrize(
    ("similarity", "difference"),
    [
        (same("camera angle"), differs("Does Video A pan left, while Video B is static?")),
        (same("clothing of the subject", "subject"),
         differs("Does Video B contain a second man, absent from Video A?", "subject")),
        (same("weather", "background"),
         differs("Is Video A set in a kitchen, while Video B is set in an office?", "background")),
        (same("camera work"),
         differs("Does Video A show a dance, while Video B shows a fight?", "motion")),
    ],
)  # fmt: skip
def test_what_is_about_other_things_stays(similarity: Question, difference: Question) -> None:
    assert consistent([similarity, difference]) == ([similarity, difference], [])


def test_a_measured_similarity_outlives_the_difference() -> None:
    asked = [same("camera movement", agrees=True),
             differs("Does Video A pan left, while Video B is static?")]  # fmt: skip
    kept, gone = consistent(asked)
    assert kept == asked[:1] and reasons((kept, gone)) == ["contradiction"]  # type: ignore[arg-type]


def test_one_question_on_both_sides_goes_from_both() -> None:
    text = "Is the camera angle different in Video A and Video B?"
    kept, gone = consistent([Question("Similarities", "camera", text, "no"), differs(text)])
    assert not kept and len(gone) == 2


def test_a_difference_whose_sides_say_the_same_goes() -> None:
    asked = differs("In Video A, a dog sits, in Video B, a dog sits?", "motion")
    _, gone = consistent([asked])
    assert [f.reason for _, f in gone] == ["contradiction"] or not gone
    asked = differs("Is it so that Video A a dog sits Video B a dog sits?", "motion")
    assert [f.detail for _, f in consistent([asked])[1]] == ["its two sides say the same"]


def test_fewer_similarities_than_differences() -> None:
    asked = [
        same("playback technique", "playback technique"),
        same("camera perspective"),
        same("camera work"),
        same("camera angle"),
        same("shot scale"),
        same("lighting", "background"),
        same("weather", "background", agrees=True),
    ]
    order = [0, 1, 2, 5, 4, 3]  # the first to go first; the measured one is the last
    for n in range(8):
        differences = [differs(f"{i}") for i in range(n)]
        kept, gone = fewer([*asked, *differences])
        similarities = [q for q in kept if q.side == "Similarities"]
        assert len(similarities) == max(0, min(7, n - 1))
        assert [q for q in kept if q.side == "Differences"] == differences
        left_out = {asked.index(q) for q, _ in gone}
        assert left_out == set([*order, 6][: 7 - len(similarities)]), n
        assert {f.reason for _, f in gone} <= {"more similarities than differences"}


def test_nothing_is_nothing() -> None:
    for rule in (once, consistent, fewer):
        assert rule([]) == ([], [])
