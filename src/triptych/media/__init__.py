"""Files to frames, sound and time.

:func:`open` takes a file, a folder of images, a numbered pattern, ``-`` for stdin, or a URL, and
gives a :class:`Video`: frames in presentation order with exact times, pictures in one colour
space and the right way up, sound on the same clock, and what is known of the file
(:class:`~triptych.record.report.Media`). :func:`frames_at` gives the frames at a few moments.
"""

from __future__ import annotations

from triptych.media.frame import I420, U8, Frame
from triptych.media.moments import frames_at
from triptych.media.opening import open  # noqa: A004
from triptych.media.video import SoundBlock, Video

__all__ = ["I420", "U8", "Frame", "SoundBlock", "Video", "frames_at", "open"]
