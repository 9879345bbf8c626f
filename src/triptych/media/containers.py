"""Opening a container so that it can read its own file and nothing else."""

from __future__ import annotations

import av
from av.container import InputContainer

from triptych.media.source import Source
from triptych.record.errors import UnreadableError

#: The demuxers that may open a file: containers and bare streams of video, single pictures, and
#: sound, so that a file of sound alone can be told from one that is broken. All others stay shut:
#: those that open further files or devices, read play lists and patterns, or make pictures of text,
#: and whatever a later FFmpeg brings.
_CONTAINERS = (
    *("mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "avi", "asf", "asf_o", "flv", "live_flv", "kux"),
    *("mpeg", "mpegts", "mpegtsraw", "mxf", "gxf", "lxf", "nut", "nsv", "nuv", "ogg", "rm", "wtv"),
    *("ty", "pva", "pmp", "ivf", "ivr", "amv", "dhav", "cine", "swf", "smjpeg", "yuv4mpegpipe"),
    *("gif", "apng", "jpegxl_anim", "webp", "flic", "roq", "thp", "bink", "smk", "film_cpk"),
    *("4xm", "ea", "idcin", "rpl", "mtv", "mv", "vivo", "moflex", "hnm", "usm", "mpjpeg", "dv"),
)
_STREAMS = (
    *("h261", "h263", "h264", "hevc", "vvc", "evc", "apv", "av1", "obu", "vc1", "vc1test", "m4v"),
    *("mpegvideo", "mjpeg", "mjpeg_2000", "dirac", "dnxhd", "cavsvideo", "avs2", "avs3", "ipu"),
)
_PICTURES = (
    *("bmp_pipe", "dds_pipe", "dpx_pipe", "exr_pipe", "gif_pipe", "hdr_pipe", "ico", "j2k_pipe"),
    *("jpeg_pipe", "jpegls_pipe", "jpegxl_pipe", "pam_pipe", "pbm_pipe", "pcx_pipe", "pfm_pipe"),
    *("pgm_pipe", "pgmyuv_pipe", "png_pipe", "ppm_pipe", "psd_pipe", "qoi_pipe", "sgi_pipe"),
    *("sunrast_pipe", "tiff_pipe", "webp_pipe", "xwd_pipe"),
)
_SOUND = (
    *("aac", "ac3", "aiff", "amr", "ape", "au", "caf", "dts", "eac3", "flac", "mlp", "mp3", "mpc"),
    *("mpc8", "tak", "truehd", "tta", "voc", "w64", "wav", "wv"),
)
_PLAYLISTS = ((b"#EXTM3U", "an HLS playlist"), (b"ffconcat", "a concat list"))


_ALLOWED = ",".join((*_CONTAINERS, *_STREAMS, *_PICTURES, *_SOUND))


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
            options={"protocol_whitelist": "file", "format_whitelist": _ALLOWED},
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
