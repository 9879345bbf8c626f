"""The alignment as the report states it."""

from __future__ import annotations

import math

from triptych.diff.thresholds import (
    AGREEMENT,
    INCOHERENT,
    INCOHERENT_LOG,
    INCOHERENT_S,
    MATCH_SCORE,
    SPEED_INTERVAL,
    STILL_SCORE,
)
from triptych.measure.align import Match
from triptych.measure.matched import Registered
from triptych.measure.timemap import Piece
from triptych.record.report import Alignment, Direction, Span


def is_match(match: Match, registered: Registered) -> bool:
    """Whether B shows something of A, rather than the best there is among unrelated pictures.

    What counts is that the same things happen: two takes in one place agree in what stands
    still. Where nothing happens in either, the pictures themselves have to agree.
    """
    if not match.timemap.pieces or match.score < MATCH_SCORE or registered.only_plain:
        return False
    if _motions(match) >= INCOHERENT:
        return False
    if registered.agreement is not None:
        return registered.agreement >= AGREEMENT
    return registered.transform is not None or match.score >= STILL_SCORE


def _motions(match: Match) -> int:
    """How many different ways of playing A the stretches of B would need."""
    speeds: list[float] = []
    for p in match.timemap.pieces:
        if p.a1 - p.a0 < INCOHERENT_S:
            continue
        if all(p.slope * s <= 0 or abs(math.log(p.slope / s)) > INCOHERENT_LOG for s in speeds):
            speeds.append(p.slope)
    return len(speeds)


def speed_known(match: Match) -> bool:
    """Whether the speed's interval is narrow enough to speak of it."""
    low, high = match.speed_interval
    return (
        low > 0
        and high / match.speed - 1 <= SPEED_INTERVAL
        and 1 - low / match.speed <= SPEED_INTERVAL
    )


def state(match: Match, registered: Registered) -> Alignment:
    """The record of ``match``."""
    if not is_match(match, registered):
        return Alignment(matched=False, score=match.score, runner_up=match.runner_up)
    degrees = 90.0 * match.orientation.quarter_turns
    if registered.transform is not None:
        degrees += round(registered.transform.degrees, 2)
    first = min(match.timemap.pieces, key=lambda p: p.a0)
    return Alignment(
        matched=True,
        score=match.score,
        runner_up=match.runner_up,
        speed=match.speed if speed_known(match) else None,
        speed_interval=list(match.speed_interval),
        direction=_direction(match.reverse),
        mirrored=match.orientation.mirror,
        rotation_deg=_half_turn(degrees),
        offset_s=first.b0 - first.a0,
        spans=[_span(p) for p in match.timemap.pieces],
    )


def _half_turn(degrees: float) -> float:
    """``degrees`` within -180 (exclusive) to 180."""
    return 180 - (180 - degrees) % 360


def _direction(reverse: bool) -> Direction:
    return "reverse" if reverse else "forward"


def _span(p: Piece) -> Span:
    return Span(
        a=[p.a0, p.a1],
        b=sorted((p.b0, p.b1)),
        speed=p.speed,
        direction=_direction(p.reverse),
        mirrored=p.mirror,
    )
