"""Findings on sound: presence, loudness, offset against the picture, content, speech."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from triptych.diff.context import Context, finding
from triptych.diff.sound_evidence import between, heard, spans
from triptych.diff.sound_levels import loudness_finding, presence_finding
from triptych.diff.sound_speech import speech_finding
from triptych.diff.thresholds import OFFSET_S, REPLACED_SHARE, SAME_SPEED
from triptych.measure.sound import SoundTrack
from triptych.measure.sound_align import SoundMatch, sound_offset
from triptych.measure.sound_compare import (
    DIFFERS_DB,
    DIFFERS_S,
    HOP_S,
    STRETCHED_DIFFERS_DB,
    STRETCHED_DIFFERS_S,
    WINDOW_S,
    Stretch,
    compare_along,
)
from triptych.measure.timemap import Piece
from triptych.record.report import Finding, Measure

#: At most this many places are listed as evidence.
PLACES = 8


def findings(ctx: Context) -> Iterator[Finding]:
    """What can be said about the sound of both; see the aspects of dimension "sound"."""
    a, b = ctx.observed.get("sound", (None, None))
    presence = presence_finding(ctx, a, b)
    if ctx.options.wants("sound", "presence"):
        yield presence
    if presence.relation != "same" or a is None or b is None or a.sounding is None:
        return
    compared = _compare(ctx, a, b)
    if ctx.options.wants("sound", "loudness"):
        yield loudness_finding(ctx, a, b, compared.stretches, compared.same)
    if ctx.options.wants("sound", "offset"):
        yield from _offset(ctx, compared)
    if ctx.options.wants("sound", "content"):
        yield _content(compared)
    if ctx.options.wants("sound", "speech") and "speech" in ctx.observed:
        heard_a, heard_b = ctx.observed["speech"]
        yield speech_finding(heard_a, heard_b, compared.stretches, follows=compared.same)


@dataclass(frozen=True, slots=True)
class _Compared:
    """Both sounds along the picture's mapping, or along their own where that does not fit.

    ``own``: the match that the sounds found by themselves, where it was needed. ``same``:
    whether they are the same sound for the most part; ``None`` when it cannot be told.
    """

    stretches: Sequence[Stretch]
    own: SoundMatch | None
    same: bool | None
    by_picture: bool


def _compare(ctx: Context, a: SoundTrack, b: SoundTrack) -> _Compared:
    pieces = list(ctx.timemap.pieces)
    stretches = _compare_undamaged(ctx, a, b, pieces)
    same = _mostly_same(stretches)
    if same:
        return _Compared(stretches, None, same, by_picture=True)
    # The picture's mapping does not fit the sound: perhaps the sound was left as it was.
    own = sound_offset(a, b)
    if own is not None and own.sure:
        piece = _own_piece(own, a, b)
        alone = _compare_undamaged(ctx, a, b, [piece]) if piece is not None else []
        if _mostly_same(alone):
            for p in pieces:
                if abs(own.speed * p.slope - 1) < SAME_SPEED:  # as fast as the picture: shifted
                    shift = own.offset + p.a0 * (1 / own.speed) - p.b0
                    moved = [replace(s, lag=s.lag + shift) for s in alone]
                    return _Compared(moved, None, True, by_picture=True)
            return _Compared(alone, own, True, by_picture=False)
    if not stretches and own is not None:
        piece = _own_piece(own, a, b)
        stretches = _compare_undamaged(ctx, a, b, [piece]) if piece is not None else []
        same = _mostly_same(stretches)
    return _Compared(stretches, own, same, by_picture=bool(pieces))


def _compare_undamaged(
    ctx: Context, a: SoundTrack, b: SoundTrack, pieces: Sequence[Piece]
) -> list[Stretch]:
    """The stretches compared; what lies in damage of either file counts as not heard."""
    out = []
    for s in compare_along(a, b, pieces):
        begin = s.a0 + np.arange(len(s.distances)) * HOP_S
        bad = np.zeros(len(begin), bool)
        for media, to_a in ((ctx.a.media, None), (ctx.b.media, s)):
            for d in media.damage:
                ends = (d.start_s, d.end_s)
                if to_a is not None:
                    ends = between(*(s.a0 + (t - s.b0) / s.slope for t in ends))
                # A frame that was decoded with errors spoils what follows for a moment.
                bad |= (begin + WINDOW_S > ends[0] - HOP_S) & (begin < ends[1] + WINDOW_S)
        hidden = np.where(bad, np.float32("nan"), s.distances)
        out.append(replace(s, distances=hidden))
    return out


def _own_piece(own: SoundMatch, a: SoundTrack, b: SoundTrack) -> Piece | None:
    ends = sorted(((b.start - own.offset) * own.speed, (b.end - own.offset) * own.speed))
    t0, t1 = max(a.start, ends[0]), min(a.end, ends[1])
    if t1 - t0 < 0.5:
        return None
    return Piece(t0, t1, own.offset + t0 / own.speed, 1 / own.speed)


def _mostly_same(stretches: Sequence[Stretch]) -> bool | None:
    """Whether most of what can be heard is the same; ``None`` when nothing can be heard."""
    heard = sum(s.compared_s for s in stretches)
    if not heard:
        return None
    return _differing_share(stretches) < REPLACED_SHARE


def _differing_share(stretches: Sequence[Stretch]) -> float:
    heard = sum(s.compared_s for s in stretches)
    over = sum(
        s.compared_s
        * float(np.nanmean(s.distances > (STRETCHED_DIFFERS_DB if s.stretched else DIFFERS_DB)))
        for s in stretches
        if s.compared_s
    )
    return over / heard if heard else 0.0


def _offset(ctx: Context, compared: _Compared) -> Iterator[Finding]:
    if not compared.same:
        return  # other sound has no offset
    told = [s for s in compared.stretches if s.score > 0]
    if compared.own is not None and compared.by_picture is False and ctx.timemap.pieces:
        own = compared.own
        yield finding(
            "sound",
            "offset",
            "different",
            f"B's sound does not follow its picture: it plays {_how(own.speed)}, "
            f"{_later(own.offset)}",
            values={"A": 0.0, "B": round(own.offset, 3), "speed": round(own.speed, 4)},
            measure=Measure(
                name="correlation of the sounds at their own best match",
                unit="1",
                threshold=None,
                values={"B": own.score, "runner_up": own.runner_up},
            ),
            evidence=spans(compared.stretches),
            confidence=own.score,
        )
        return
    if compared.own is not None:
        yield finding(
            "sound",
            "offset",
            "unknown",
            "the pictures do not match, so there is nothing to hold the sound against; by itself "
            f"B's sound is {_later(compared.own.offset)}",
            values={"A": 0.0, "B": round(compared.own.offset, 3)},
            confidence=0.5,
        )
        return
    if not told:
        yield finding(
            "sound",
            "offset",
            "unknown",
            "no shift can be heard: the sound is too steady or too short to show one",
            confidence=0.5,
        )
        return
    order = sorted(told, key=lambda s: s.lag)
    total = np.cumsum([s.a1 - s.a0 for s in order])
    lag = order[int(np.searchsorted(total, total[-1] / 2))].lag
    score = max(s.score for s in told)
    threshold = _offset_threshold(ctx, told)
    name = "shift of the sound against the picture"
    shifted = abs(lag) > threshold
    statement = (
        f"B's sound is {_later(lag)} against the picture"
        if shifted
        else "in step with the picture on both sides"
    )
    yield finding(
        "sound",
        "offset",
        "different" if shifted else "same",
        statement,
        values={"A": 0.0, "B": round(lag, 3)},
        measure=Measure(name=name, unit="s", threshold=threshold, values={"A": 0.0, "B": lag}),
        evidence=spans(told) if shifted else (),
        confidence=min(1.0, score),
    )


def _offset_threshold(ctx: Context, stretches: Sequence[Stretch]) -> float:
    """Shift that counts, seconds: what is noticed, and how far the picture's own place may be off.

    At A's speed that is half an interval between frames. At another it is half an interval of
    each, and as far as the stretch reaches from its middle, what the speed's interval leaves open.
    """
    halves = [0.5 / (m.fps or 60.0) for m in (ctx.a.media, ctx.b.media)]
    if not any(s.stretched for s in stretches):
        return OFFSET_S + max(*halves, 0.5 / 60.0)
    threshold = OFFSET_S + sum(halves)
    alignment = ctx.alignment
    if alignment.speed and alignment.speed_interval:
        low, high = alignment.speed_interval
        longest = max(abs(s.to_b(s.a1) - s.b0) for s in stretches)
        threshold += longest / 2 * (high - low) / alignment.speed
    return threshold


def _content(compared: _Compared) -> Finding:
    stretches = compared.stretches
    stretched = any(s.stretched for s in stretches)
    threshold = STRETCHED_DIFFERS_DB if stretched else DIFFERS_DB
    if compared.same is None:
        reason = (
            "too little that sounds in both to compare"
            if stretches
            else "no stretch of the two could be laid on one another"
        )
        return finding("sound", "content", "unknown", reason, confidence=0.5)
    share = _differing_share(stretches)
    if not compared.same:
        return finding(
            "sound",
            "content",
            "different",
            f"B has other sound ({100 * share:.0f} % of what can be heard differs)",
            values={"A": "A's sound", "B": "other sound"},
            measure=Measure(
                name=f"share of what can be heard that differs by more than {threshold} dB",
                unit="1",
                threshold=REPLACED_SHARE,
                values={"B": share},
            ),
            evidence=spans(stretches),
            confidence=min(1.0, share + 0.1),
        )
    places = [(s, x) for s in stretches for x in s.differing()]
    lengths = [e - t for s in stretches for t, e in s.differing(least=0.0)]
    measure = Measure(
        name=f"longest stretch in which the sounds differ by more than {threshold} dB",
        unit="s",
        threshold=STRETCHED_DIFFERS_S if stretched else DIFFERS_S,
        values={"B": max(lengths, default=0.0)},
    )
    if places:
        total = sum(e - t for _, (t, e) in places)
        _, (t, e) = max(places, key=lambda p: p[1][1] - p[1][0])
        most = f" (longest at {t:.1f} to {e:.1f} s of A)" if len(places) > 1 else ""
        at = f"from {t:.1f} to {e:.1f} s of A" if len(places) == 1 else f"in {len(places)} places"
        return finding(
            "sound",
            "content",
            "different",
            f"the sound differs {at}, {total:.1f} s in all{most}",
            values={"A": "same sound elsewhere", "B": "same sound elsewhere"},
            measure=measure,
            evidence=[
                x
                for s, (t, e) in places[:PLACES]
                for x in (
                    heard("A", t, e, "sounds different here"),
                    heard("B", *between(s.to_b(t), s.to_b(e)), "sounds different here"),
                )
            ],
            confidence=0.8,
        )
    return finding(
        "sound",
        "content",
        "same",
        "the same sound" + (", played at another speed" if stretched else ""),
        measure=measure,
        confidence=0.95,
    )


def _how(speed: float) -> str:
    way = "backwards" if speed < 0 else "forwards"
    return way if abs(abs(speed) - 1) < 0.005 else f"{way} at {abs(speed):.2f} times A's speed"


def _later(seconds: float) -> str:
    if abs(seconds) < 0.005:
        return "at the same time"
    return f"{abs(seconds):.2f} s {'later' if seconds > 0 else 'earlier'}"
