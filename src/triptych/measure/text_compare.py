"""Compare the text of two videos as words, with where and when.

What one side reads and the other does not is looked at again before it is called a difference:
readings of the same picture differ by chance, so the picture decides, and what stays unclear is
called unsure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from triptych.measure.text_check import NEAR, SAME_LEAST, SecondLook, Sighting, TextSide
from triptych.measure.text_moments import (
    SLACK,
    Moment,
    alike,
    counter_verdict,
    moments_of,
    stands,
    steady,
    text_then,
)
from triptych.measure.text_picture import mapped_box
from triptych.measure.text_reading import overlap
from triptych.measure.text_tracking import TextItem
from triptych.measure.text_words import distance_within, fold, similarity
from triptych.measure.timemap import Piece, TimeMap

#: Seconds that a text must be missing, while it is there elsewhere, to be called missing in part.
LEAST_STRETCH = 1.5
#: Overlap (intersection over union) of the boxes of two texts that stand at one place: a text
#: that is half as long as the other still has 0.5.
SAME_PLACE = 0.3
#: Similarity from which texts of one time are one text changed, wherever they stand.
SAME_WORDING = 0.6
#: Moments of an item that are looked at twice.
SECOND_LOOKS = 3
#: Height of a line, pixels of the kept picture, from which a single letter is trusted: at 10 px
#: (skv_bikes at 320x136) "Hotel Zur Post" was read as "otel Zin", each letter sure.
LEAST_HEIGHT = 12
#: Mean probability of the least sure letter of a reading, for a single letter to count as changed.
SURE_SIGN = 0.8


@dataclass(frozen=True, slots=True)
class TextDifference:
    """A text that differs: ``a`` in A, ``b`` in B; seconds of each where it does."""

    kind: Literal["changed", "removed", "added"]
    a: TextItem | None
    b: TextItem | None
    when_a: tuple[float, float] | None
    when_b: tuple[float, float] | None


@dataclass(slots=True)
class TextComparison:
    """``same``: items of A and B that agree; ``unsure``: read, but not to be called either."""

    same: list[tuple[TextItem, TextItem | None]] = field(default_factory=list)
    different: list[TextDifference] = field(default_factory=list)
    unsure: list[TextItem] = field(default_factory=list)
    outside: list[TextItem] = field(default_factory=list)


def compare_text(a: TextSide, b: TextSide, timemap: TimeMap, second: SecondLook) -> TextComparison:
    """Compare both sides; without a time map their texts are compared without regard to time."""
    result = TextComparison()
    if not timemap.pieces:
        _compare_sets(a, b, result)
        return result
    removed = _missing(a, b, timemap.pieces, result, second, forward=True)
    added = _missing(b, a, timemap.pieces, result, second, forward=False)
    _pair_up(removed, added, a, b, timemap, result)
    result.different.sort(key=_order)
    return result


@dataclass(frozen=True, slots=True)
class _Loss:
    """An item that the other side does not show at ``moments``; ``twin`` reads otherwise there."""

    item: TextItem
    moments: list[Moment]
    twin: TextItem | None = None


def _missing(
    own: TextSide,
    other: TextSide,
    pieces: Sequence[Piece],
    result: TextComparison,
    second: SecondLook,
    *,
    forward: bool,
) -> list[_Loss]:
    losses: list[_Loss] = []
    for item in own.items:
        moments = moments_of(item, pieces, forward=forward)
        if not moments:
            if steady(item):
                result.outside.append(item)
            continue
        verdict: _Loss | Literal["same", "unsure"]
        if item.changing:
            verdict = counter_verdict(item, moments, other)
        else:
            verdict = _held(item, moments, own, other, second)
        if isinstance(verdict, _Loss):
            losses.append(verdict)
        elif verdict == "same":
            if forward:
                result.same.append((item, _nearest(item, moments, other.items)))
        elif steady(item):
            result.unsure.append(item)
    return losses


def _held(
    item: TextItem, moments: list[Moment], own: TextSide, other: TextSide, second: SecondLook
) -> _Loss | Literal["same", "unsure"]:
    """Hold ``item`` against what the other side reads at the same moments."""
    errors = [_error(item, m, other) for m in moments]
    missing = [m for m, e in zip(moments, errors, strict=True) if e > NEAR]
    exact = sum(e == 0 for e in errors)
    near = len(moments) - exact - len(missing)
    stretch = missing[-1].time - missing[0].time if missing else 0.0
    if len(missing) == len(moments) or stretch >= LEAST_STRETCH:
        return _look_again(item, missing, own, other, second)
    if exact >= near:
        return "same"
    twin, _ = _twin(item, moments, own, other)
    if twin is None:
        return "unsure"
    return _one_text(item, twin, moments, own, other, second)


def _error(item: TextItem, moment: Moment, other: TextSide) -> float:
    """Share of ``item``'s signs that the other side does not read then; 0 where it reads all."""
    text = fold(item.text)
    there = [o for o in other.items if stands(o, moment.other, other)]
    if not text or not there:
        return 1.0
    readings = [fold(o.text) for o in there]
    readings += [fold(text_then(o, moment.other)) for o in there]
    there.sort(key=lambda o: (round(o.box[1] / max(o.box[3], 1)), o.box[0]))
    readings.append("".join(fold(o.text) for o in there))
    return min(distance_within(text, r) for r in readings) / len(text)


def _nearest(item: TextItem, moments: list[Moment], items: Iterable[TextItem]) -> TextItem | None:
    """The other side's item of the same moments that reads most like ``item``."""
    near = _together(moments, items)
    return max(near, key=lambda o: similarity(fold(item.text), fold(o.text)), default=None)


def _together(moments: list[Moment], items: Iterable[TextItem]) -> list[TextItem]:
    low, high = min(m.other for m in moments), max(m.other for m in moments)
    return [o for o in items if o.start_s - SLACK <= high and o.end_s + SLACK >= low]


def _twin(
    item: TextItem, moments: list[Moment], own: TextSide, other: TextSide
) -> tuple[TextItem | None, bool]:
    """What the other side shows instead of ``item``, and whether it stands at its place.

    What stands at the same place comes first, whatever it says. Elsewhere it must read alike, and
    not be what ``item``'s own side reads too: that has its own partner.
    """
    place = mapped_box(item.box, own.content, other.content, moments[0].turn)
    near = _together(moments, other.items)
    here = [o for o in near if overlap(place, o.box) >= SAME_PLACE]
    if here:
        return max(here, key=lambda o: (steady(o), overlap(place, o.box))), True
    taken = {fold(x.text) for x in own.items if x is not item}
    return _nearest(item, moments, [o for o in near if fold(o.text) not in taken]), False


def _look_again(
    item: TextItem, missing: list[Moment], own: TextSide, other: TextSide, second: SecondLook
) -> _Loss | Literal["same", "unsure"]:
    if not steady(item):
        return "unsure"
    seen = [_sight(item, m, own, other, second) for m in _spread(missing)]
    kinds = [s.kind for s in seen]
    if "same" in kinds:
        return "same"
    if kinds.count("alike") > kinds.count("absent"):
        twin, in_place = _twin(item, missing, own, other)
        if twin is not None and (in_place or alike(item, twin) >= 0.5):
            return _one_text(item, twin, missing, own, other, second)
        return "unsure"
    return _Loss(item, missing) if 2 * kinds.count("absent") > len(kinds) else "unsure"


def _sight(
    item: TextItem, m: Moment, own: TextSide, other: TextSide, second: SecondLook
) -> Sighting:
    mine, theirs = own.reading.frames, other.reading.frames
    return second.at(
        item, own, mine.shown_at(m.time, mine.step), other,
        theirs.shown_at(m.other, 1.2 * theirs.step), m.turn,
    )  # fmt: skip


def _one_text(
    item: TextItem,
    twin: TextItem,
    moments: list[Moment],
    own: TextSide,
    other: TextSide,
    second: SecondLook,
) -> _Loss | Literal["same", "unsure"]:
    """Whether two like readings are of one text or of two; a sure reading and the picture say."""
    mine = {fold(s.line.text) for s in item.samples}
    theirs = {fold(s.line.text) for s in twin.samples}
    # The same slip on both sides says nothing; one side's best reading on the other does.
    if fold(item.text) in theirs or fold(twin.text) in mine:
        return "same"
    if not (steady(item) and steady(twin)) or min(item.weakest, twin.weakest) < SURE_SIGN:
        return "unsure"
    lengths = sorted((len(fold(item.text)), len(fold(twin.text))))
    heights = [i.box[3] * s.reading.frames.scale for i, s in ((item, own), (twin, other))]
    if lengths[0] < (1 - NEAR) * lengths[1] or min(heights) < LEAST_HEIGHT:
        return "unsure"  # a piece of the line, or too small for single letters to be trusted
    least = []
    for m in _spread(moments):
        frames, others = own.reading.frames, other.reading.frames
        found = second.pictures(
            item, own, frames.shown_at(m.time, frames.step), other,
            others.shown_at(m.other, 1.2 * others.step), m.turn, twin.box,
        )  # fmt: skip
        if found is not None:
            least.append(found.least)
    if not least:
        return "unsure"
    if max(least) >= SAME_LEAST:
        return "same"
    return _Loss(item, moments, twin)


def _pair_up(
    removed: list[_Loss],
    added: list[_Loss],
    a: TextSide,
    b: TextSide,
    timemap: TimeMap,
    result: TextComparison,
) -> None:
    """A loss of A and a loss of B at one place and time are one change.

    Place comes before wording: a button that reads otherwise is one change though another text
    elsewhere has more letters in common.
    """
    options = []
    for i, loss in enumerate(removed):
        place = mapped_box(loss.item.box, a.content, b.content, loss.moments[0].turn)
        for j, gain in enumerate(added):
            linked = loss.twin is gain.item or gain.twin is loss.item
            here, like = overlap(place, gain.item.box), alike(loss.item, gain.item)
            together = loss.moments[0].other <= gain.item.end_s + SLACK and (
                gain.item.start_s - SLACK <= loss.moments[-1].other
            )
            if linked or (together and (here >= SAME_PLACE or like >= SAME_WORDING)):
                options.append((here < SAME_PLACE, not linked, -here, -like, i, j))
    partners: dict[int, int] = {}
    for *_, i, j in sorted(options):
        if i not in partners and j not in partners.values():
            partners[i] = j
    left = [gain for j, gain in enumerate(added) if j not in partners.values()]
    for i, loss in enumerate(removed):
        partner = added[partners[i]] if i in partners else None
        twin = partner.item if partner is not None else loss.twin
        kind: Literal["changed", "removed"] = "changed" if twin is not None else "removed"
        when = _others(loss.moments)
        result.different.append(TextDifference(kind, loss.item, twin, _own(loss.moments), when))
    told = {id(d.b) for d in result.different}
    for gain in left:
        if id(gain.item) in told:
            continue
        twin = gain.twin
        if twin is not None and any(d.a is twin for d in result.different):
            continue
        kind_b: Literal["changed", "added"] = "changed" if twin is not None else "added"
        result.different.append(
            TextDifference(kind_b, twin, gain.item, _others(gain.moments), _own(gain.moments))
        )


def _compare_sets(a: TextSide, b: TextSide, result: TextComparison) -> None:
    """Without a common time: equal texts agree; like ones are one changed, where both are sure."""
    equal = [(x, y) for x in a.items for y in b.items if alike(x, y) == 1]
    known = {id(i) for pair in equal for i in pair}
    for x in a.items:
        result.same += [pair for pair in equal if pair[0] is x][:1]
    rest_a = [x for x in a.items if id(x) not in known and steady(x)]
    rest_b = [y for y in b.items if id(y) not in known and steady(y)]
    options = sorted(
        (-alike(x, y), i, j)
        for i, x in enumerate(rest_a)
        for j, y in enumerate(rest_b)
        if alike(x, y) >= 1 - NEAR
    )
    used: set[int] = set()
    for _, i, j in options:
        x, y = rest_a[i], rest_b[j]
        if id(x) in used or id(y) in used:
            continue
        used |= {id(x), id(y)}
        if min(x.weakest, y.weakest) < SURE_SIGN:
            result.unsure += [x, y]
        else:
            result.different.append(TextDifference("changed", x, y, _whole(x), _whole(y)))
    for x in rest_a:
        if id(x) not in used:
            result.different.append(TextDifference("removed", x, None, _whole(x), None))
    for y in rest_b:
        if id(y) not in used:
            result.different.append(TextDifference("added", None, y, None, _whole(y)))


def _whole(item: TextItem) -> tuple[float, float]:
    return item.start_s, item.end_s


def _spread(moments: list[Moment]) -> list[Moment]:
    """At most SECOND_LOOKS of ``moments``, from inside rather than the edges."""
    n = min(len(moments), SECOND_LOOKS)
    return [moments[(2 * i + 1) * len(moments) // (2 * n)] for i in range(n)]


def _own(moments: list[Moment]) -> tuple[float, float]:
    return min(m.time for m in moments), max(m.time for m in moments)


def _others(moments: list[Moment]) -> tuple[float, float]:
    return min(m.other for m in moments), max(m.other for m in moments)


def _order(d: TextDifference) -> tuple[float, str]:
    when = d.when_a or d.when_b or (0.0, 0.0)
    return when[0], (d.a or d.b).text if (d.a or d.b) else ""  # type: ignore[union-attr]
