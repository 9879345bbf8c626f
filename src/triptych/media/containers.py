"""Opening a container so that it can read its own file and nothing else."""

from __future__ import annotations

from functools import lru_cache

import av
from av.container import InputContainer

from triptych.media.source import Source
from triptych.record.errors import UnreadableError

#: Demuxers that open further files or devices, read patterns, or make pictures of plain text.
_REFUSED = frozenset(
    (
        *("hls", "concat", "concatf", "dash", "imf", "image2", "image2pipe", "webm_dash_manifest"),
        *("rtsp", "rtp", "sdp", "sap", "vobsub", "mlv", "avisynth", "vapoursynth", "ffmetadata"),
        *("tty", "bin", "xbin", "adf", "idf", "libgme", "libmodplug", "libopenmpt"),
        *("lavfi", "alsa", "oss", "v4l2", "video4linux2,v4l2", "fbdev", "x11grab", "xcbgrab"),
        *("kmsgrab", "jack", "pulse", "sndio", "openal", "libcdio", "iec61883", "dv1394"),
        *("decklink", "libdc1394", "android_camera", "avfoundation", "dshow", "gdigrab", "vfwcap"),
    )
)
_PLAYLISTS = ((b"#EXTM3U", "an HLS playlist"), (b"ffconcat", "a concat list"))


@lru_cache(maxsize=1)
def _allowed() -> str:
    return ",".join(sorted(f for f in av.formats_available if f not in _REFUSED))


def open_container(source: Source) -> InputContainer:
    """``source`` opened for reading; raises UnreadableError in one line.

    The name is always given as ``file:`` and an absolute path, and only that protocol is
    allowed: whatever it looks like, it is neither a URL nor an option nor a pattern, and no
    playlist can name another file or reach the network.
    """
    try:
        return av.open(
            f"file:{source.location}",
            mode="r",
            options={"protocol_whitelist": "file", "format_whitelist": _allowed()},
            metadata_errors="replace",
        )
    except (av.FFmpegError, ValueError) as e:
        raise UnreadableError(source.name, *_why(source, e)) from e


def _why(source: Source, error: Exception) -> tuple[str, str]:
    head = source.head(4096)
    for mark, what in _PLAYLISTS:
        if head.lstrip(b"\xef\xbb\xbf \r\n").startswith(mark):
            return f"is {what} that names other files", "give the media file itself"
    if b"<MPD" in head or b"<AssetMap" in head or b"<CompositionPlaylist" in head:
        return "is a manifest that names other files", "give the media file itself"
    if head and b"\0" not in head and _is_text(head):
        return "is a text file, not a video", ""
    if isinstance(error, av.FFmpegError) and error.strerror:
        reason = error.strerror.rstrip(".")
        if isinstance(error, av.error.InvalidDataError | av.error.EOFError):
            return "is not a video, or its header is damaged or missing", ""
        return f"cannot be opened: {reason}", ""
    return "cannot be opened", ""


def _is_text(head: bytes) -> bool:
    try:
        head[:-4].decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
