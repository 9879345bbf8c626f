"""Lines read in single frames, merged over time into items of text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from triptych.measure.text_reading import Box, FrameText, Line, TextReading, Turn, overlap
from triptych.measure.text_words import digits, fold, pattern, similarity, words

#: Seconds that an item may go unread before the next reading starts a new one.
LONGEST_GAP = 2.1
#: Similarity from which two readings are of one text: titles read twice differ by a sign in ten.
SAME_TEXT = 0.7
#: A counter: readings with the same letters whose number differs at least so often ...
COUNTER_CHANGES = 2
#: ... and in this share of the steps from one reading to the next.
COUNTER_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Sample:
    """One reading of an item: kept picture ``index`` at ``time``."""

    index: int
    time: float
    line: Line


@dataclass(frozen=True, slots=True)
class TextItem:
    """A text and when it stands: from ``start_s`` to ``end_s``, the last moment it was known to.

    ``text`` is the reading with most votes (sum of scores), ``box`` where it stood in the middle
    of its time (display px), ``score`` the mean of the voting readings, 0 to 1, ``weakest`` that of
    their least sure sign, ``agree`` the
    share of readings that fold to the same text, ``count`` at how many moments (0.5 s apart) it
    was seen. A counter or timecode is one item with ``changing`` set; ``samples`` hold its values.
    """

    text: str
    start_s: float
    end_s: float
    box: Box
    score: float
    weakest: float
    agree: float
    count: int
    changing: bool
    samples: tuple[Sample, ...] = field(repr=False)

    @property
    def words(self) -> list[str]:
        """The words of ``text``."""
        return words(self.text)

    @property
    def turn(self) -> Turn:
        """How the text stands in the frame."""
        return self.samples[len(self.samples) // 2].line.turn


def track_text(reading: TextReading) -> list[TextItem]:
    """Items in order of their start, then from top to bottom."""
    open_tracks: list[list[Sample]] = []
    done: list[list[Sample]] = []
    gap = max(LONGEST_GAP, 2.5 * reading.frames.step)
    moments = _stood_for(reading)
    until = {index: times[-1] for index, times in moments.items() if times}
    for frame in reading.read:
        alive: list[list[Sample]] = []
        for track in open_tracks:
            over = frame.time - until.get(track[-1].index, track[-1].time) > gap
            (done if over else alive).append(track)
        open_tracks = alive + _assign(frame, alive)
    tracks = [part for track in done + open_tracks for part in _parts(track)]
    seen = {index: len(times) for index, times in moments.items()}
    items = [_item(samples, changing, until, seen) for samples, changing in tracks]
    return sorted(items, key=lambda i: (i.start_s, i.box[1], i.box[0], i.text))


def _assign(frame: FrameText, tracks: list[list[Sample]]) -> list[list[Sample]]:
    """Add each line to the track it continues best; return the tracks that begin with it."""
    options = []
    for t, track in enumerate(tracks):
        for n, line in enumerate(frame.lines):
            fit = _fit(track[-1].line, line)
            if fit > 0:
                options.append((-fit, t, n))
    taken: set[int] = set()
    used: set[int] = set()
    for _, t, n in sorted(options):
        if t not in used and n not in taken:
            used.add(t)
            taken.add(n)
            tracks[t].append(Sample(frame.index, frame.time, frame.lines[n]))
    fresh = [line for n, line in enumerate(frame.lines) if n not in taken]
    return [[Sample(frame.index, frame.time, line)] for line in fresh]


def _fit(old: Line, new: Line) -> float:
    """How well ``new`` continues ``old``; 0 where it is another text."""
    place = overlap(old.box, new.box)
    alike = similarity(fold(old.text), fold(new.text))
    if _counts(old.text, new.text) and place > 0.2:
        alike = 1.0
    if alike >= SAME_TEXT or (alike >= 0.5 and place > 0.5):
        return alike + place
    return 0.0


def _counts(old: str, new: str) -> bool:
    """Whether both are the same text around numbers."""
    return (
        bool(digits(old)) and bool(digits(new)) and similarity(pattern(old), pattern(new)) >= 0.75
    )


def _parts(track: list[Sample]) -> list[tuple[list[Sample], bool]]:
    """A counter stays whole; a text that changed once or twice is cut where it did."""
    values = [digits(s.line.text) for s in track]
    changes = sum(a != b for a, b in pairwise(values))
    if changes >= COUNTER_CHANGES and changes >= COUNTER_SHARE * (len(track) - 1):
        return [(track, True)]
    cuts, begin = [], 0
    for i in range(1, len(track)):
        before, after = track[begin:i], track[i : i + 2]
        # Two readings in a row with another number, or another text: not a slip of the reader.
        if (
            len(after) == 2
            and fold(after[0].line.text) == fold(after[1].line.text)
            and fold(after[0].line.text) not in {fold(s.line.text) for s in before}
            and len({fold(s.line.text) for s in before[-2:]}) == 1
            and len(before) >= 2
        ):
            cuts.append((before, False))
            begin = i
    cuts.append((track[begin:], False))
    return cuts


def _item(
    samples: Sequence[Sample], changing: bool, until: dict[int, float], seen: dict[int, int]
) -> TextItem:
    votes: dict[str, float] = defaultdict(float)
    for s in samples:
        votes[fold(s.line.text)] += s.line.score
    winner = max(votes, key=lambda k: (votes[k], k))
    voters = [s for s in samples if fold(s.line.text) == winner]
    best = max(voters, key=lambda s: s.line.score)
    middle = voters[len(voters) // 2]
    counted = samples if changing else voters
    return TextItem(
        text=samples[0].line.text if changing else best.line.text,
        start_s=samples[0].time,
        end_s=max(until.get(samples[-1].index, 0.0), samples[-1].time),
        box=middle.line.box,
        score=sum(s.line.score for s in counted) / len(counted),
        weakest=sum(s.line.weakest for s in counted) / len(counted),
        agree=1.0 if changing else len(voters) / len(samples),
        count=sum(seen.get(i, 1) for i in sorted({s.index for s in samples})),
        changing=changing,
        samples=tuple(samples),
    )


def _stood_for(reading: TextReading) -> dict[int, list[float]]:
    """For each picture that was read the moments it stands for.

    Those are the ones that looked the same, and those in pictures that were passed over because
    the next one read had the same text; no picture stands beyond a moment without any text.
    """
    read = {frame.index for frame in reading.read}
    moments: dict[int, list[float]] = {index: [] for index in read}
    current: int | None = None
    for time, index in reading.frames.looks:
        if index == -1:
            current = None
        elif index in read:
            current = index
        if current is not None and index != -2:  # -2: what stood there then is not known
            moments[current].append(time)
    return moments
