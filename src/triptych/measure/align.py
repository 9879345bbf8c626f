"""How B's time maps to A's: speed, direction, mirroring, turning, offset, and cuts.

From coarse to fine: straight lines on a matrix of similarities (``lines``), the chosen line made
exact (``refine``), then a path that may jump where the video was re-cut (``segments``), each
stretch made exact again. Long videos are compared by averaged cells, so that the matrix stays
small however long they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from triptych.measure.descriptors import (
    F32,
    ORIENTATIONS,
    Orientation,
)
from triptych.measure.geometry import PLAIN, Guess, by_keypoints, guesses
from triptych.measure.lines import Line, background_of, choose, contradicts, find_lines
from triptych.measure.long import align_long, cell_length, principal_directions
from triptych.measure.pieces import Hold, finish, pieces_of
from triptych.measure.refine import fit_line
from triptych.measure.segments import Motion, Run, best_path, evened, favoured
from triptych.measure.speeds import speed_of
from triptych.measure.survey import Survey
from triptych.measure.timemap import Piece, TimeMap
from triptych.measure.views import Views, active_share
from triptych.record.errors import UsageError

#: Seconds per cell, and the most cells a side, when looking for lines and for a path.
CELL_S = 0.1
LINE_CELLS = 300
PATH_CELLS = 1200
#: Below this similarity on the best line, other framings are tried. Same content re-encoded,
#: graded or darkened scored 0.88 and more; a crop by 1.08 0.90, by 1.2 0.7 to 0.79.
PLAIN_ENOUGH = 0.86
#: Speeds tried with each guess of the framing.
GUESS_SPEEDS = (0.25, 0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0, 4.0)
#: Cells a side when trying guesses, and by how much a guess must be better than plain.
GUESS_CELLS = 100
BETTER = 0.03
#: Rating plus half the similarity of a guess that needs no further search.
NO_BETTER = 1.25
#: An offset that is given has to leave so much in common, or half of the shorter video, seconds:
#: a line has to be as long (see ``lines.best_offsets``).
LEAST_COMMON_S = 0.5
#: Videos longer than this are aligned window by window.
LONG_S = 100.0
#: How far a speed that the sound gives may be off: its candidates are 2 % apart and refined.
LINE_ERROR = 0.01
#: Where the best line is no more alike than any two moments, nothing moves. Coding noise of still
#: pictures (CRF 16 against 38): below 0.001; a talking head, a belt, a signer: 0.18 and more.
STANDS_OUT = 0.01
#: Share of both videos that is matched where nearly all is.
NEARLY_ALL = 0.95
#: How often what is static is taken anew from what is matched.
SETTLE_ROUNDS = 2
#: Ways of moving through A that the path may take besides the main one.
MOTIONS = 8


@dataclass(frozen=True, slots=True)
class Match:
    """How B shows A.

    ``score`` is the similarity on the chosen hypothesis, ``runner_up`` that of the best one with
    another orientation, direction or speed, ``other_orientation`` that of the best one turned or
    mirrored otherwise, all 0 to 1. ``speed`` has no sign; ``reverse`` has.
    ``holds`` are stretches of B that stand still where A goes on. ``contrast`` is how far the
    hypothesis stands out from moments that do not correspond.
    """

    score: float
    runner_up: float
    other_orientation: float
    contrast: float
    orientation: Orientation
    guess: Guess
    speed: float
    speed_interval: tuple[float, float]
    reverse: bool
    timemap: TimeMap
    holds: Sequence[Hold] = ()


def align(a: Survey, b: Survey, offset_s: float | None = None) -> Match:
    """Find how ``b`` shows ``a``; ``offset_s`` is the time in B of A's moment 0, where known.

    Then only lines through it are looked at; a stretch elsewhere has to fit clearly better. Raises
    :class:`~triptych.record.errors.UsageError` where it leaves next to nothing in common.
    The result is the best hypothesis whatever its score: whether it is good enough to speak of
    the same content is for the caller to decide.
    """
    if offset_s is not None:
        _check_offset(offset_s, a.duration, b.duration)
    longest = max(a.duration, b.duration, CELL_S)
    if longest > LONG_S and offset_s is None:
        return _align_long(a, b, longest)
    step = max(CELL_S, longest / LINE_CELLS)
    views = Views(a, b, PLAIN)
    matrices = views.matrices(step, ORIENTATIONS)
    lines = find_lines(matrices, step, offset_s=offset_s)
    best = choose(lines)
    if best.similarity < PLAIN_ENOUGH:
        state = views, matrices, lines, best
        views, matrices, lines, best = _try_guesses(a, b, step, state, offset_s)
    runner_up = next((x for x in lines if contradicts(best, x)), best)
    turned = next((x for x in lines if x.orientation != best.orientation), best)
    background = background_of(matrices)
    motion, guess = _exact(views, best, step)
    still = best.similarity - background < STANDS_OUT
    if still:  # any offset fits: both begin together unless it is known better
        guess = (offset_s or 0.0, 1 / best.speed)
    path_step = max(CELL_S, longest / PATH_CELLS)
    if path_step != step:
        kept = {x.orientation for x in lines[:40]} | {best.orientation}
        matrices = views.matrices(path_step, [o for o in ORIENTATIONS if o in kept])
    level = best.similarity
    matrices = evened(matrices, views.plain_b, background, level)
    if offset_s is not None:
        matrices = favoured(matrices, guess, path_step)
    runs = [] if still else _best_runs(matrices, motion, lines, path_step, background, level)
    pieces, holds = pieces_of(runs, path_step, a, b, views.describe_a, views.describe_b)
    if not pieces:
        pieces = _whole(a, b, best.orientation, guess, best.similarity)
    elif _partial(pieces, a, b) and all(_oriented(p) == best.orientation for p in pieces):
        for _ in range(SETTLE_ROUNDS):
            views.settle(best.orientation, pieces, path_step)
            pieces = finish(pieces, path_step, a, b, views.describe_a, views.describe_b) or pieces
    speed, interval = speed_of(pieces, a, b, views)
    main = max(pieces, key=lambda p: p.a1 - p.a0, default=None)
    return Match(
        score=max(0.0, best.similarity),
        runner_up=max(0.0, runner_up.similarity),
        other_orientation=max(0.0, turned.similarity),
        contrast=best.rating,
        orientation=Orientation(main.mirror, main.quarter_turns) if main else best.orientation,
        guess=views.guess,
        speed=speed,
        speed_interval=interval,
        reverse=main is not None and main.reverse,
        timemap=TimeMap(tuple(pieces)),
        holds=holds,
    )


def _check_offset(offset_s: float, end_a: float, end_b: float) -> None:
    common = min(LEAST_COMMON_S, 0.5 * min(end_a, end_b))
    lowest, highest = common - end_a, end_b - common
    if not lowest - 0.01 <= offset_s <= highest + 0.01:  # they are told rounded
        raise UsageError(
            f"--offset: {offset_s:g} s leaves nothing to compare: A lasts {end_a:.2f} s and B "
            f"{end_b:.2f} s, so give {lowest:.2f} to {highest:.2f}"
        )


def _oriented(p: Piece) -> Orientation:
    return Orientation(p.mirror, p.quarter_turns)


def _partial(pieces: Sequence[Piece], a: Survey, b: Survey) -> bool:
    """Whether either video has more than a little that the other lacks."""
    in_a = sum(p.a1 - p.a0 for p in pieces)
    in_b = sum(abs(p.b1 - p.b0) for p in pieces)
    return min(in_a / max(a.duration, 1e-6), in_b / max(b.duration, 1e-6)) < NEARLY_ALL


def at_line(match: Match, a: Survey, b: Survey, offset: float, slope: float) -> Match | None:
    """``match`` laid along t_b = offset + slope * t_a, known from elsewhere than the picture.

    ``None`` where no moment of B would show one of A.
    """
    pieces = _whole(a, b, match.orientation, (offset, slope), match.score)
    if not pieces:
        return None
    speed = 1 / abs(slope)
    return replace(
        match,
        speed=speed,
        speed_interval=(speed * (1 - LINE_ERROR), speed * (1 + LINE_ERROR)),
        reverse=slope < 0,
        timemap=TimeMap(tuple(pieces)),
        holds=(),
    )


def _align_long(a: Survey, b: Survey, longest: float) -> Match:
    step = cell_length(longest)
    views = Views(a, b, PLAIN)
    sample = views.track(None, step)
    basis = principal_directions(sample)
    for o in ORIENTATIONS:
        views.track(o, step)  # settles what is static
    found = align_long(
        views.track(None, step, basis), {o: views.track(o, step, basis) for o in ORIENTATIONS}, step
    )
    pieces = finish(found.pieces, step, a, b, views.describe_a, views.describe_b)
    speed, interval = speed_of(pieces, a, b, views)
    main = max(pieces, key=lambda p: p.a1 - p.a0, default=None)
    return Match(
        score=max(0.0, found.similarity),
        runner_up=max(0.0, found.runner_up),
        other_orientation=max(0.0, found.other_orientation),
        contrast=found.similarity - found.runner_up,
        orientation=found.orientation,
        guess=PLAIN,
        speed=speed,
        speed_interval=interval,
        reverse=main is not None and main.reverse,
        timemap=TimeMap(tuple(pieces)),
    )


_State = tuple[Views, Mapping[Orientation, F32], list[Line], Line]


def _try_guesses(
    a: Survey, b: Survey, step: float, plain: _State, offset_s: float | None
) -> _State:
    """The framing under which the best line stands out most."""
    share = active_share(a)
    aspect = ((a.media.display_width or 1) * (share[2] - share[0])) / max(
        1.0, (a.media.display_height or 1) * (share[3] - share[1])
    )
    coarse = max(2 * CELL_S, max(a.duration, b.duration) / GUESS_CELLS)
    tries = [(guess, False) for guess in guesses(aspect)]
    if active_share(b) != share:
        tries = [(PLAIN, True), *tries]
    chosen, merit = (PLAIN, False), _merit(plain[3])
    for guess, painted in tries:
        matrices = Views(a, b, guess, painted).matrices(coarse, ORIENTATIONS)
        found = _merit(choose(find_lines(matrices, coarse, GUESS_SPEEDS, 0, offset_s)))
        if found > merit + BETTER:
            chosen, merit = (guess, painted), found
        if found > NO_BETTER:
            break
    best = plain
    if chosen != (PLAIN, False):
        best = _state(Views(a, b, *chosen), step, offset_s)
    if best[3].similarity < PLAIN_ENOUGH:
        measured = by_keypoints(a, b, active_share(b))
        if measured is not None:
            state = _state(Views(a, b, measured), step, offset_s)
            if _merit(state[3]) > _merit(best[3]) + BETTER:
                best = state
    return best


def _state(views: Views, step: float, offset_s: float | None) -> _State:
    matrices = views.matrices(step, ORIENTATIONS)
    lines = find_lines(matrices, step, offset_s=offset_s)
    return views, matrices, lines, choose(lines)


def _merit(line: Line) -> float:
    return line.rating + 0.5 * line.similarity


def _exact(views: Views, line: Line, step: float) -> tuple[Motion, tuple[float, float]]:
    """The line's speed and offset in seconds, made exact where the picture allows it."""
    slope = 1.0 / line.speed
    offset = (line.offset + 0.5) * step - 0.5 * step * slope
    fit = fit_line(
        views.a.thumbs,
        views.b.thumbs.times,
        views.describe_a,
        views.describe_b(line.orientation),
        _range(offset, slope, views.a.duration, views.b.duration),
        (offset, slope),
        window=max(2.5 * step, 0.02 * line.length * step),
    )
    if fit is not None and fit.slope * slope > 0 and abs(fit.slope / slope - 1) < 0.15:
        slope, offset = fit.slope, fit.b0 - fit.slope * fit.a0
    return Motion(line.orientation, 1.0 / slope), (offset, slope)


def _range(offset: float, slope: float, end_a: float, end_b: float) -> tuple[float, float]:
    """The stretch of A for which offset + slope * t lies in B."""
    t0, t1 = sorted(((0 - offset) / slope, (end_b - offset) / slope))
    return max(0.0, t0), min(end_a, t1)


def _best_runs(
    matrices: Mapping[Orientation, F32],
    found: Motion,
    lines: Sequence[Line],
    step: float,
    background: float,
    level: float,
) -> list[Run]:
    """The path of the main motion that explains B best.

    Where something was cut out, one line from start to end at another speed can fit better than
    the true speed, which fits one side of the cut only. So normal speed is tried as well.
    """
    lines = [x for x in lines if x.orientation in matrices]
    mains = [found]
    usual = replace(found, speed=1.0 if found.speed > 0 else -1.0)
    if abs(float(np.log(abs(found.speed)))) > 0.005:
        mains.append(usual)
    paths = [best_path(matrices, _motions(main, lines), step, background, level) for main in mains]
    return max(paths, key=lambda path: path[0])[1]


def _motions(main: Motion, lines: Sequence[Line]) -> list[Motion]:
    """The main motion, standing still, and the best clearly different others.

    Where only a part is mirrored, the best line of either orientation over the whole may have any
    speed, so normal speed is tried with the next best orientation too.
    """
    motions = [main, replace(main, speed=0.0)]
    usual = [Motion(main.orientation, s) for s in (1.0, -1.0)]
    turned = next((x.orientation for x in lines if x.orientation != main.orientation), None)
    if turned is not None:
        usual.append(Motion(turned, 1.0))
    for m in [*usual, *(Motion(x.orientation, x.speed) for x in lines)]:
        if len(motions) >= MOTIONS:
            break
        if all(_apart(m, other) for other in motions):
            motions.append(m)
    return motions


def _apart(m: Motion, other: Motion) -> bool:
    if m.orientation != other.orientation or m.speed * other.speed <= 0:
        return True
    return abs(float(np.log(m.speed / other.speed))) > 0.25


def _whole(
    a: Survey, b: Survey, o: Orientation, guess: tuple[float, float], score: float
) -> list[Piece]:
    offset, slope = guess
    a0, a1 = _range(offset, slope, a.duration, b.duration)
    if a1 <= a0:
        return []
    return [Piece(a0, a1, offset + slope * a0, slope, o.mirror, o.quarter_turns, score)]
