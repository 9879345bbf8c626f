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
import numpy.typing as npt

from triptych.measure.descriptors import (
    F32,
    ORIENTATIONS,
    Orientation,
    cells,
    look,
    normalise,
    orient,
    static_part,
)
from triptych.measure.geometry import PLAIN, Guess, by_keypoints, guesses
from triptych.measure.lines import Line, background_of, choose, contradicts, find_lines
from triptych.measure.pieces import Hold, pieces_of
from triptych.measure.refine import WIDTH, Describe, Fit, fit_line
from triptych.measure.segments import Motion, Run, best_path
from triptych.measure.survey import Survey
from triptych.measure.timemap import Piece, TimeMap

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
#: Ways of moving through A that the path may take besides the main one.
MOTIONS = 8


#: Left, top, right, bottom of a part of a picture, as shares of its width and height.
Share = tuple[float, float, float, float]


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


class Views:
    """Descriptors of both videos under one guess of the framing.

    ``painted``: bars lie over the picture rather than around it, so the same part of both is
    compared.
    """

    def __init__(self, a: Survey, b: Survey, guess: Guess, painted: bool = False) -> None:
        self.a, self.b, self.guess, self.painted = a, b, guess, painted
        self._share_a, self._share_b = active_share(a), active_share(b)
        self._static: dict[Orientation | None, F32] = {}

    def matrices(
        self, step: float, orientations: Sequence[Orientation]
    ) -> Mapping[Orientation, F32]:
        """Similarities of cells, (cells of A, cells of B), by how B shows A."""
        of_a = look(cells(self.a.thumbs, self.a.duration, step), self._active(None), self.guess.a)
        turned = cells(self.b.thumbs, self.b.duration, step)
        self._static[None] = static_part(of_a)
        da = normalise(of_a, self._static[None])
        result = {}
        for o in orientations:
            upright = np.ascontiguousarray(orient(turned, o.inverse), dtype=np.float32)
            of_b = look(upright, self._active(o), self.guess.b)
            self._static[o] = static_part(of_b)
            result[o] = da @ normalise(of_b, self._static[o]).T
        return result

    def _active(self, o: Orientation | None) -> Share:
        """The part of A (``None``) or of B turned back from ``o`` that is compared."""
        a, b = self._share_a, self._share_b
        if not self.painted:
            return a if o is None else turned_share(b, o.inverse)
        return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])

    def describe_a(self, index: npt.NDArray[np.intp]) -> F32:
        """Descriptors of A's thumbnails."""
        pictures = self.a.thumbs.pictures[index].astype(np.float32)
        return normalise(look(pictures, self._active(None), self.guess.a), self._static[None])

    def describe_b(self, o: Orientation) -> Describe:
        """Descriptors of B's thumbnails, turned back from ``o``."""

        def describe(index: npt.NDArray[np.intp]) -> F32:
            pictures = self.b.thumbs.pictures[index].astype(np.float32)
            upright = np.ascontiguousarray(orient(pictures, o.inverse), dtype=np.float32)
            return normalise(look(upright, self._active(o), self.guess.b), self._static[o])

        return describe


def active_share(survey: Survey) -> Share:
    """Left, top, right, bottom of the picture inside its bars, as shares of the display area."""
    media = survey.media
    width, height = media.display_width or 1, media.display_height or 1
    left, top, right, bottom = media.bars
    return left / width, top / height, 1 - right / width, 1 - bottom / height


def turned_share(share: Share, o: Orientation) -> Share:
    """``share`` of a picture after the picture was turned by ``o``."""
    left, top, right, bottom = share
    if o.mirror == "horizontal":
        left, right = 1 - right, 1 - left
    elif o.mirror == "vertical":
        top, bottom = 1 - bottom, 1 - top
    for _ in range(o.quarter_turns):
        left, top, right, bottom = 1 - bottom, left, 1 - top, right
    return left, top, right, bottom


def align(a: Survey, b: Survey, offset_s: float | None = None) -> Match:
    """Find how ``b`` shows ``a``; ``offset_s`` fixes the time in B of A's moment 0.

    The result is the best hypothesis whatever its score: whether it is good enough to speak of
    the same content is for the caller to decide.
    """
    longest = max(a.duration, b.duration, CELL_S)
    step = max(CELL_S, longest / LINE_CELLS)
    views = Views(a, b, PLAIN)
    matrices = views.matrices(step, ORIENTATIONS)
    lines = find_lines(matrices, step)
    best = choose(lines)
    if best.similarity < PLAIN_ENOUGH:
        views, matrices, lines, best = _try_guesses(a, b, step, (views, matrices, lines, best))
    runner_up = next((x for x in lines if contradicts(best, x)), best)
    turned = next((x for x in lines if x.orientation != best.orientation), best)
    background = background_of(matrices)
    motion, guess = _exact(views, best, step)
    if offset_s is not None:
        guess = (offset_s, guess[1])
    path_step = max(CELL_S, longest / PATH_CELLS)
    if path_step != step:
        kept = {x.orientation for x in lines[:40]} | {best.orientation}
        matrices = views.matrices(path_step, [o for o in ORIENTATIONS if o in kept])
    runs = _best_runs(matrices, motion, lines, path_step, background, best.similarity)
    pieces, holds = pieces_of(runs, path_step, a, b, views.describe_a, views.describe_b)
    if not pieces:
        pieces = _whole(a, b, best.orientation, guess, best.similarity)
    speed, interval = _speed(pieces, a, b, views)
    main = max(pieces, key=lambda p: p.a1 - p.a0)
    return Match(
        score=max(0.0, best.similarity),
        runner_up=max(0.0, runner_up.similarity),
        other_orientation=max(0.0, turned.similarity),
        contrast=best.rating,
        orientation=Orientation(main.mirror, main.quarter_turns),
        guess=views.guess,
        speed=speed,
        speed_interval=interval,
        reverse=main.reverse,
        timemap=TimeMap(tuple(pieces)),
        holds=holds,
    )


_State = tuple[Views, Mapping[Orientation, F32], list[Line], Line]


def _try_guesses(a: Survey, b: Survey, step: float, plain: _State) -> _State:
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
        found = _merit(choose(find_lines(matrices, coarse, GUESS_SPEEDS, fine=0)))
        if found > merit + BETTER:
            chosen, merit = (guess, painted), found
        if found > NO_BETTER:
            break
    best = plain
    if chosen != (PLAIN, False):
        best = _state(Views(a, b, *chosen), step)
    if best[3].similarity < PLAIN_ENOUGH:
        measured = by_keypoints(a, b, active_share(b))
        if measured is not None:
            state = _state(Views(a, b, measured), step)
            if _merit(state[3]) > _merit(best[3]) + BETTER:
                best = state
    return best


def _state(views: Views, step: float) -> _State:
    matrices = views.matrices(step, ORIENTATIONS)
    lines = find_lines(matrices, step)
    return views, matrices, lines, choose(lines)


def _merit(line: Line) -> float:
    return line.rating + 0.5 * line.similarity


def _exact(views: Views, line: Line, step: float) -> tuple[Motion, tuple[float, float]]:
    """The line's speed and offset in seconds, made exact where the picture allows it."""
    slope = 1.0 / line.speed
    offset = (line.offset + 0.5) * step - 0.5 * step * slope
    fit = fit_line(
        views.a.thumbs.times,
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
    mains = [found]
    usual = replace(found, speed=1.0 if found.speed > 0 else -1.0)
    if abs(float(np.log(abs(found.speed)))) > 0.005:
        mains.append(usual)
    paths = [best_path(matrices, _motions(main, lines), step, background, level) for main in mains]
    return max(paths, key=lambda path: path[0])[1]


def _motions(main: Motion, lines: Sequence[Line]) -> list[Motion]:
    """The main motion, standing still, and the best clearly different others."""
    motions = [main, replace(main, speed=0.0)]
    usual = [Motion(main.orientation, s) for s in (1.0, -1.0)]
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


def _speed(
    pieces: Sequence[Piece], a: Survey, b: Survey, views: Views
) -> tuple[float, tuple[float, float]]:
    """Speed over all pieces that share the main one's, and its interval."""
    if not pieces:
        return 1.0, (0.0, float("inf"))
    main = max(pieces, key=lambda p: p.a1 - p.a0)
    alike = [
        p for p in pieces if p.slope * main.slope > 0 and p.quarter_turns == main.quarter_turns
    ]
    fits: list[Fit] = []
    for p in alike:
        fit = fit_piece(p, a, b, views)
        if fit is not None and abs(fit.slope / main.slope - 1) < 0.2:
            fits.append(fit)
    if not fits:
        return main.speed, (main.speed / 2, main.speed * 2)
    weights = np.array([1 / f.error**2 for f in fits])
    slope = abs(float((weights * [f.slope for f in fits]).sum() / weights.sum()))
    error = interval_width(float(weights.sum() ** -0.5), slope)
    return 1 / slope, (1 / (slope + error), 1 / max(slope - error, 1e-3))


def interval_width(error: float, slope: float) -> float:
    """Half width of the slope's interval from its standard error."""
    return WIDTH * error + 0.001 * slope


def fit_piece(p: Piece, a: Survey, b: Survey, views: Views) -> Fit | None:
    """The exact line of one piece."""
    return fit_line(
        a.thumbs.times,
        b.thumbs.times,
        views.describe_a,
        views.describe_b(Orientation(p.mirror, p.quarter_turns)),
        (p.a0, p.a1),
        (p.b0 - p.slope * p.a0, p.slope),
        window=0.15,
    )
