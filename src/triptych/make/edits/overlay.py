"""Things put into the picture, or taken out of it.

Text is drawn by Pillow and laid over each frame: ``drawtext`` is not in every build of
libavfilter. Only the box that changes is touched; all other samples stay as they were.
"""

from __future__ import annotations

import cv2
import numpy as np

from triptych.make.clip import F32, U8, Clip, Mapped, from_planes, planes
from triptych.make.eligible import PAINTED_FLOOR, PROBES
from triptych.make.pixels import to_i420, to_rgb
from triptych.make.registry import Context, Edit, Ineligible, Made, frame_at, register, seconds_at

Box = tuple[int, int, int, int]  # x, y, w, h in pixels, all even
_WORDS = (
    "GRAND OPENING", "SALE ENDS TODAY", "MARKET STREET", "CHAPTER TWO", "LIVE REPORT",
    "NEW SEASON", "SUNDAY 9 PM", "PLEASE WAIT", "EXIT NORTH", "VOLUME FOUR",
)  # fmt: skip
_COLOURS = ((230, 40, 40), (30, 120, 230), (240, 190, 30), (40, 170, 90), (170, 60, 190))
#: Longest side, in pixels, of the box that is filled in; a larger one is filled at a smaller size.
FILL_SIDE = 96


def _laid(clip: Clip, box: Box, picture: F32, mask: F32, first: int, last: int) -> Mapped:
    """``picture`` (h, w, 3) over ``box`` where ``mask`` (h, w, 1) is 1, in frames first to last."""

    def lay(index: int, frame: U8) -> U8:
        if not first <= index < last:
            return frame
        part = to_rgb(cut(frame, box)).astype(np.float32)
        part += (picture - part) * mask
        return paste(frame, to_i420(np.rint(part).astype(np.uint8)), box)

    return Mapped(clip.frames, lay)


def cut(frame: U8, box: Box) -> U8:
    """The I420 picture inside ``box``."""
    x, y, w, h = box
    luma, u, v = planes(frame)
    rows, columns = slice(y // 2, (y + h) // 2), slice(x // 2, (x + w) // 2)
    return from_planes(luma[y : y + h, x : x + w], u[rows, columns], v[rows, columns])


def paste(frame: U8, part: U8, box: Box) -> U8:
    """``frame`` with ``part`` (I420) in the place of ``box``; a copy."""
    x, y, w, h = box
    out = frame.copy()
    for plane, piece, half in zip(planes(out), planes(part), (1, 2, 2), strict=True):
        plane[y // half : (y + h) // half, x // half : (x + w) // half] = piece
    return out


def _span(clip: Clip, context: Context, whole: bool) -> tuple[int, int]:
    """Frames in which a thing is there: all of them, or from a third to most of the clip."""
    n = len(clip.frames)
    if whole:
        return 0, n
    length = max(frame_at(clip, 1.0), int(n * context.rng.uniform(0.4, 0.8)))
    if length >= n:
        return 0, n
    first = int(context.rng.integers(n - length + 1))
    return first, first + length


def _spot(clip: Clip, w: int, h: int, context: Context, corner: bool = False) -> Box:
    """An even box of about ``w`` x ``h``, at random or in a corner, 3 % inside the frame."""
    width, height = clip.size
    w, h = min(w, width - 4) // 2 * 2, min(h, height - 4) // 2 * 2
    mx, my = min(int(width * 0.03), width - w), min(int(height * 0.03), height - h)
    if corner:
        x = mx if context.rng.integers(2) else width - w - mx
        y = my if context.rng.integers(2) else height - h - my
    else:
        x = int(context.rng.integers(mx, max(mx + 1, width - w - mx)))
        y = int(context.rng.integers(my, max(my + 1, height - h - my)))
    return max(0, x) // 2 * 2, max(0, y) // 2 * 2, w, h


def _made(
    clip: Clip, frames: Mapped, box: Box, span: tuple[int, int], aspect: str, **more: object
) -> Made:
    first, last = span
    spans = [[seconds_at(clip, first), seconds_at(clip, last)]]
    return Made(
        clip.with_frames(frames),
        {aspect: {**more, "box_b": list(box), "spans_b": spans}},
        changed=tuple(range(first, last)),
    )


def text(clip: Clip, parameter: float, context: Context) -> Made:
    """A line of text in white with a dark outline, its letters a share of the height high."""
    from PIL import Image, ImageDraw, ImageFont

    width, height = clip.size
    words = str(context.rng.choice(_WORDS))
    letters = max(8, round(parameter * height))
    # Capital letters are about 0.73 of the size that a font is asked for.
    size = letters / 0.73
    while True:
        font = ImageFont.load_default(size)
        outline = max(1, round(size / 16))
        left, top, right, bottom = font.getbbox(words, stroke_width=outline)
        if right - left <= width * 0.92 or " " not in words:
            break
        words = words.rsplit(" ", 1)[0]
    w, h = min(int(right - left) + 2, width), min(int(bottom - top) + 2, height)
    w, h = (w + 1) // 2 * 2, (h + 1) // 2 * 2
    if w > width or h > height:
        raise Ineligible("the frame is too small for the text")
    canvas = Image.new("RGBA", (w, h), (0, 0, 0, 0))
    ImageDraw.Draw(canvas).text(
        (1 - left, 1 - top), words, font=font, fill=(255, 255, 255, 255),
        stroke_width=outline, stroke_fill=(0, 0, 0, 255),
    )  # fmt: skip
    drawn = np.asarray(canvas, np.float32)
    x = (width - w) // 4 * 2
    low = bool(context.rng.integers(2))
    y = (int(height * 0.94) - h if low else int(height * 0.06)) // 2 * 2
    box = (x, max(0, min(y, height - h)), w, h)
    span = _span(clip, context, whole=bool(context.rng.integers(2)))
    frames = _laid(clip, box, drawn[:, :, :3], drawn[:, :, 3:] / np.float32(255), *span)
    return _made(
        clip, frames, box, span, "subject: on-screen text", change="added", text=words,
        letters_px=letters,
    )  # fmt: skip


def _thing(w: int, h: int, context: Context) -> tuple[F32, F32]:
    """A textured round or box-like thing: colours (h, w, 3) and its mask (h, w, 1)."""
    colours = context.rng.permutation(len(_COLOURS))[:2]
    base, other = (np.array(_COLOURS[int(i)], np.float32) for i in colours)
    rows, columns = np.mgrid[0:h, 0:w]
    step = max(4, min(w, h) // 5)
    pattern = (rows + columns) // step % 2 if context.rng.integers(2) else rows // step % 2
    picture = np.where(pattern[:, :, None] > 0, base, other).astype(np.float32)
    picture += context.rng.normal(0, 6, picture.shape).astype(np.float32)
    mask = np.zeros((h, w), np.float32)
    if context.rng.integers(2):
        cv2.ellipse(mask, (w // 2, h // 2), (w // 2 - 1, h // 2 - 1), 0, 0, 360, 1.0, -1)
    else:
        mask[:] = 1
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.7), np.float32)
    return np.clip(picture, 0, 255), mask[:, :, None]


def _sides(clip: Clip, share: float, context: Context) -> tuple[int, int]:
    """Width and height, in pixels, of a box with that share of the frame's area."""
    width, height = clip.size
    area = share * width * height
    w = min(np.sqrt(area * context.rng.uniform(0.7, 1.6)), width * 0.8)
    return max(4, round(w)), max(4, round(min(area / w, height * 0.8)))


def logo(clip: Clip, parameter: float, context: Context) -> Made:
    """A sign in a corner, there all the time."""
    box = _spot(clip, *_sides(clip, parameter, context), context, corner=True)
    picture, mask = _thing(box[2], box[3], context)
    span = _span(clip, context, whole=True)
    frames = _laid(clip, box, picture, mask, *span)
    return _made(clip, frames, box, span, "subject: regions", change="added")


def pasted(clip: Clip, parameter: float, context: Context) -> Made:
    """A thing in the picture for a part of the time."""
    box = _spot(clip, *_sides(clip, parameter, context), context)
    picture, mask = _thing(box[2], box[3], context)
    span = _span(clip, context, whole=False)
    frames = _laid(clip, box, picture, mask, *span)
    return _made(clip, frames, box, span, "subject: regions", change="added")


def painted_out(clip: Clip, parameter: float, context: Context) -> Made:
    """What is in a box with much texture is painted over with its surroundings (inpainting)."""
    w, h = _sides(clip, parameter, context)
    boxes = [_spot(clip, w, h, context) for _ in range(24)]
    looked = [clip.frames[int(i)] for i in np.linspace(0, len(clip.frames) - 1, PROBES)]
    box = max(boxes, key=lambda b: min(_texture(f, b) for f in looked))

    def fill(index: int, frame: U8) -> U8:
        return _filled(frame, box)

    change = [float(cv2.absdiff(f, fill(0, f)).sum()) / (1.5 * box[2] * box[3]) for f in looked]
    if np.median(change) < PAINTED_FLOOR:
        raise Ineligible("nothing stands out that could be painted over")
    span = (0, len(clip.frames))
    return _made(clip, Mapped(clip.frames, fill), box, span, "subject: regions", change="removed")


def _texture(frame: U8, box: Box) -> float:
    x, y, w, h = box
    return float(np.abs(cv2.Laplacian(frame[y : y + h, x : x + w], cv2.CV_64F)).mean())


def _filled(frame: U8, box: Box) -> U8:
    x, y, w, h = box
    height, width = frame.shape[0] * 2 // 3, frame.shape[1]
    edge = 8
    x0, y0 = max(0, x - edge) // 2 * 2, max(0, y - edge) // 2 * 2
    x1, y1 = min(width, x + w + edge) // 2 * 2, min(height, y + h + edge) // 2 * 2
    around = (x0, y0, x1 - x0, y1 - y0)
    rgb = to_rgb(cut(frame, around))
    mask = np.zeros(rgb.shape[:2], np.uint8)
    mask[y - y0 : y - y0 + h, x - x0 : x - x0 + w] = 255
    scale = min(1.0, FILL_SIDE / max(w, h))
    small = cv2.resize(rgb, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    hole = cv2.resize(mask, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_NEAREST)
    # A rim of one pixel more: what was in the box has bled into it when it was scaled down.
    hole = cv2.dilate(hole, np.ones((3, 3), np.uint8))
    done = cv2.inpaint(small, hole, 3, cv2.INPAINT_TELEA)
    large = cv2.resize(done, (rgb.shape[1], rgb.shape[0]), interpolation=cv2.INTER_LINEAR)
    rgb[mask > 0] = large[mask > 0]
    return paste(frame, to_i420(rgb), around)


_AREA = {"light": (0.01,), "medium": (0.04,), "heavy": (0.1,)}
_MAY = ("subject", "motion", "position: layout")
register(
    Edit(
        "text",
        "overlay",
        {"light": (0.04,), "medium": (0.08,), "heavy": (0.14,)},
        ("subject: on-screen text",),
        ("subject: regions",),
        text,
    )
)
register(Edit("logo", "overlay", _AREA, ("subject: regions",), _MAY, logo))  # type: ignore[arg-type]
register(Edit("pasted-object", "overlay", _AREA, ("subject: regions",), _MAY, pasted))  # type: ignore[arg-type]
register(Edit("painted-out", "overlay", _AREA, ("subject: regions",), _MAY, painted_out))  # type: ignore[arg-type]
