"""Still pictures by Pillow, made into the frames that everything else works on."""

from __future__ import annotations

import struct
import threading
import warnings
import zlib
from pathlib import Path

import av
import numpy as np
from PIL import Image, ImageOps

#: Formats that are read; others of Pillow's run programs (EPS) or are not pictures of a scene.
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF", "PPM", "TGA", "JPEG2000", "DIB")
SUFFIXES = frozenset(
    {".png", ".apng", ".jpg", ".jpeg", ".jpe", ".gif", ".webp", ".bmp", ".dib", ".tif", ".tiff"}
    | {".ppm", ".pgm", ".pbm", ".pnm", ".tga", ".jp2"}
)
#: What Pillow's decoders raise on damaged data.
DAMAGE = (
    *(OSError, SyntaxError, ValueError, EOFError, IndexError, TypeError, OverflowError),
    *(MemoryError, ZeroDivisionError, AttributeError, struct.error, zlib.error),
)
# catch_warnings is not safe with threads, and two videos are read in two.
_lock = threading.Lock()


class PictureError(Exception):
    """A picture that cannot be read; internal, the readers say which file."""


def open_picture(path: Path) -> Image.Image:
    """The picture at ``path``, its header read; raises PictureError."""
    try:
        with _lock, warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            warnings.simplefilter("ignore", UserWarning)
            return Image.open(path, formats=FORMATS)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as e:
        raise PictureError("is too large a picture") from e
    except DAMAGE as e:
        reason = e.strerror if isinstance(e, OSError) else None
        raise PictureError(reason or "is not a picture that can be read") from e


def frame_of(image: Image.Image) -> av.VideoFrame:
    """``image`` the right way up, over black where it is transparent, as an rgb24 frame.

    Raises PictureError where its pixels cannot be decoded.
    """
    try:
        upright = ImageOps.exif_transpose(image)
        return av.VideoFrame.from_ndarray(np.ascontiguousarray(_rgb(upright)), format="rgb24")
    except DAMAGE as e:
        raise PictureError("is a damaged picture") from e


def bits_of(image: Image.Image) -> int:
    """Bits a sample, as far as Pillow tells: 16 for deep greys, else 8."""
    return 16 if image.mode.startswith("I") else 8


def _rgb(image: Image.Image) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    if image.mode.startswith("I"):
        deep = np.asarray(image).astype(np.uint32).clip(0, 65535)
        grey = ((deep + 128) // 257).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        over = image.convert("RGBA")
        black = Image.new("RGBA", over.size, (0, 0, 0, 255))
        return np.asarray(Image.alpha_composite(black, over).convert("RGB"))
    return np.asarray(image.convert("RGB"))
