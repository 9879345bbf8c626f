"""Words and boxes drawn onto pictures."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from triptych.media.frame import U8
from triptych.report import text as t

#: Heights of the strip above a picture and of its letters, pixels.
STRIP = 30
LETTERS = 15
_PAPER, _INK, _SOFT = (24, 27, 32), (236, 234, 229), (165, 171, 181)
#: The voices of A and B, as on the page in its dark theme.
COLOURS = {"A": (86, 197, 203), "B": (240, 166, 96)}
_BOX = (211, 36, 27)


@cache
def _font_file() -> Path:
    import matplotlib

    return Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(_font_file()), size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _glyphs() -> frozenset[int]:
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(str(_font_file())).get_charmap())


def drawable(text: str) -> str:
    """``text`` cleaned, with a box for each character that the font lacks."""
    return "".join(c if ord(c) in _glyphs() else "□" for c in t.clean(text))


@lru_cache(maxsize=16)
def _cut(name: str, room: int) -> str:
    """As much of ``name`` as fits into ``room`` pixels."""
    shown = drawable(name[:200])
    font = _font(LETTERS)
    if font.getlength(shown) <= room and len(name) <= 200:
        return shown
    while shown and font.getlength(shown + "…") > room:
        shown = shown[:-1]
    return shown + "…"


def strip(video: str, name: str, time: str, width: int) -> U8:
    """The strip above a picture: which video, its name (cut to fit), its time."""
    image = Image.new("RGB", (width, STRIP), _PAPER)
    draw = ImageDraw.Draw(image)
    font = _font(LETTERS)
    y = (STRIP - LETTERS) // 2 - 2
    draw.text((10, y), video, COLOURS.get(video, _INK), font=font)
    right = width - 10 - font.getlength(time)
    draw.text((right, y), time, _INK, font=font)
    draw.text((30, y), _cut(name, width - 30 - 12 - 90), _SOFT, font=font)
    return np.asarray(image, np.uint8)


def blank(size: tuple[int, int], words: str) -> U8:
    """A dark picture that says why there is none."""
    image = Image.new("RGB", size, (12, 13, 15))
    draw = ImageDraw.Draw(image)
    font = _font(LETTERS)
    shown = drawable(words)
    x = (size[0] - font.getlength(shown)) / 2
    draw.text((x, size[1] / 2 - LETTERS), shown, _SOFT, font=font)
    return np.asarray(image, np.uint8)


def boxed(picture: U8, boxes: list[tuple[tuple[float, float, float, float], str]]) -> U8:
    """``picture`` with boxes (left, top, right, bottom as shares of it) and their words."""
    if not boxes:
        return picture
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    font = _font(12)
    for (left, top, right, bottom), words in boxes:
        x0, y0 = round(left * image.width), round(top * image.height)
        x1, y1 = round(right * image.width) - 1, round(bottom * image.height) - 1
        x1, y1 = max(x1, x0 + 4), max(y1, y0 + 4)
        draw.rectangle((x0 - 1, y0 - 1, x1 + 1, y1 + 1), outline=(255, 255, 255), width=1)
        draw.rectangle((x0, y0, x1, y1), outline=_BOX, width=2)
        shown = drawable(words)
        w = font.getlength(shown) + 8
        ty = y0 - 17 if y0 >= 17 else min(y1 + 2, image.height - 16)
        tx = min(max(x0, 0), max(image.width - w, 0))
        draw.rectangle((tx, ty, tx + w, ty + 16), fill=_BOX)
        draw.text((tx + 4, ty + 1), shown, (255, 255, 255), font=font)
    return np.asarray(image, np.uint8)
