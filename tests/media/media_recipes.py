"""Small files that show each kind of fault, made with the ffmpeg program.

``build(name, folder)`` makes one file and says where it is. ffmpeg is only the maker and the
oracle here; the product never calls it.
"""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

SOURCE = "testsrc2=size=320x240:rate=30:duration=3"
X264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]


def ffmpeg(*args: str | Path) -> None:
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, args)],
        check=True,
        capture_output=True,
        timeout=60,
    )


def ffprobe(path: Path, *args: str) -> dict[str, object]:
    done = subprocess.run(
        ["ffprobe", "-v", "quiet", "-of", "json", *args, "-i", f"file:{path}"],
        check=False,
        capture_output=True,
        timeout=60,
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


def shown_times(path: Path, stream: str = "v:0") -> list[float]:
    """Presentation times of the frames that ffprobe decodes, from the first."""
    found = ffprobe(
        path, "-select_streams", stream, "-show_entries", "frame=best_effort_timestamp_time"
    )
    frames = found["frames"]
    assert isinstance(frames, list)
    times = [float(f["best_effort_timestamp_time"]) for f in frames]
    return [t - times[0] for t in times]


def _lavfi(graph: str, *args: str | Path) -> None:
    ffmpeg("-f", "lavfi", "-i", graph, *args)


def _base(out: Path, source: str = SOURCE, *args: str) -> None:
    _lavfi(source, *X264, *args, out)


def _vfr_swing(out: Path) -> None:
    inputs: list[str] = []
    for colour, rate in (("black", 1), ("gray", 60), ("white", 1)):
        inputs += ["-f", "lavfi", "-i", f"color={colour}:size=64x48:rate={rate}:duration=5"]
    ffmpeg(
        *inputs,
        "-filter_complex",
        "[0][1][2]concat=n=3:v=1:a=0",
        "-vsync",
        "vfr",
        "-video_track_timescale",
        "60000",
        *X264,
        out,
    )


def _from_base(out: Path, *args: str) -> None:
    base = build("base.mp4", out.parent)
    ffmpeg("-i", base, *args, out)


def _corrupt_middle(out: Path) -> None:
    data = bytearray(build("base.mp4", out.parent).read_bytes())
    middle = len(data) // 2
    data[middle : middle + 4000] = random.Random(0).randbytes(4000)
    out.write_bytes(data)


def _truncated(out: Path) -> None:
    whole = out.with_name("whole_" + out.name)
    _from_base(whole, "-c", "copy", "-movflags", "+faststart")
    data = whole.read_bytes()
    out.write_bytes(data[: len(data) * 6 // 10])


def _piped_webm(out: Path) -> None:
    with out.open("wb") as sink:
        subprocess.run(
            [
                *("ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi"),
                *("-i", "testsrc2=size=96x64:rate=30:duration=3", "-threads", "1"),
                *("-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "16", "-f", "webm", "-"),
            ],
            check=True,
            stdout=sink,
            timeout=60,
        )


def _reschange(out: Path) -> None:
    parts = []
    for i, size in enumerate(("160x120", "320x240")):
        part = out.with_name(f"part{i}.ts")
        _lavfi(
            f"testsrc2=size={size}:rate=30:duration=1",
            *X264,
            "-output_ts_offset",
            str(i),
            "-f",
            "mpegts",
            part,
        )
        parts.append(part.read_bytes())
    out.write_bytes(b"".join(parts))


def _restart(out: Path) -> None:
    part = out.with_name("again.ts")
    _lavfi("testsrc2=size=160x120:rate=30:duration=1", *X264, "-f", "mpegts", part)
    out.write_bytes(part.read_bytes() * 2)


def _cover_art(out: Path) -> None:
    ffmpeg(
        *("-f", "lavfi", "-i", "sine=duration=1", "-f", "lavfi", "-i", "testsrc2=duration=0.04"),
        *("-map", "0", "-map", "1", "-c:a", "aac", "-c:v", "mjpeg", "-frames:v", "1"),
        *("-disposition:v:0", "attached_pic", out),
    )


def _vardelay(out: Path) -> None:
    # Five frames of 100 ms, then five of 400 ms, without any tool that might merge them.
    from PIL import Image

    frames = [Image.new("RGB", (32, 24), (25 * i, 255 - 25 * i, 7 * i)) for i in range(10)]
    frames[0].save(
        out, save_all=True, append_images=frames[1:], duration=[100] * 5 + [400] * 5, loop=0
    )


def _audio_longer(out: Path) -> None:
    ffmpeg(
        *("-f", "lavfi", "-i", SOURCE, "-f", "lavfi", "-i", "sine=duration=8"),
        *(*X264, "-c:a", "aac", out),
    )


def _swapped_streams(out: Path) -> None:
    ffmpeg(
        *("-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=1"),
        *("-f", "lavfi", "-i", "testsrc2=size=128x96:rate=30:duration=1"),
        *("-map", "0", "-map", "1", *X264, "-disposition:v", "0", out),
    )


def _hdr(out: Path, transfer: str = "smpte2084") -> None:
    _lavfi(
        "testsrc2=size=320x240:rate=30:duration=0.2",
        *("-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params"),
        f"log-level=none:colorprim=bt2020:transfer={transfer}:colormatrix=bt2020nc",
        out,
    )


def _interlaced(out: Path) -> None:
    _lavfi(
        "testsrc2=size=320x240:rate=50:duration=2,interlace=scan=tff",
        *("-c:v", "mpeg2video", "-q:v", "3", "-flags", "+ildct+ilme", out),
    )


def _combed_unflagged(out: Path) -> None:
    _lavfi("testsrc2=size=320x240:rate=50:duration=2,interlace=scan=tff,setfield=prog", *X264, out)


RECIPES: dict[str, Callable[[Path], None]] = {
    "base.mp4": _base,
    "base.mkv": _base,
    "vfr_swing.mp4": _vfr_swing,
    "corrupt_middle.mp4": _corrupt_middle,
    "truncated_faststart.mp4": _truncated,
    "live_nodur.mkv": lambda out: _lavfi(SOURCE, *X264, "-f", "matroska", "-live", "1", out),
    "piped_nodur.webm": _piped_webm,
    "bframes.avi": lambda out: _lavfi(SOURCE, "-c:v", "mpeg4", "-bf", "2", "-q:v", "5", out),
    "raw.h264": lambda out: _lavfi(SOURCE, *X264, "-bf", "2", "-f", "h264", out),
    "rot90.mp4": lambda out: _from_base(out, "-c", "copy", "-metadata:s:v", "rotate=90"),
    "letterbox.mp4": lambda out: _base(
        out, "testsrc2=size=320x134:rate=30:duration=1,pad=320:240:0:53"
    ),
    "pillarbox.mp4": lambda out: _base(
        out, "testsrc2=size=320x240:rate=30:duration=1,pad=iw*2:ih:iw/2:0"
    ),
    "hdr_pq.mp4": _hdr,
    "hdr_hlg.mp4": lambda out: _hdr(out, "arib-std-b67"),
    "gray16.mkv": lambda out: _lavfi(
        "testsrc2=size=320x240:rate=30:duration=0.3", "-pix_fmt", "gray16le", "-c:v", "ffv1", out
    ),
    "interlaced.mpg": _interlaced,
    "combed.mp4": _combed_unflagged,
    "reschange.ts": _reschange,
    "restart.ts": _restart,
    "cover_art.m4a": _cover_art,
    "vardelay.gif": _vardelay,
    "anim.webp": lambda out: _lavfi(
        "testsrc2=size=64x48:rate=10:duration=1", "-c:v", "libwebp_anim", out
    ),
    "audio_longer.mp4": _audio_longer,
    "two_streams.mkv": _swapped_streams,
    "one_frame.mp4": lambda out: _base(out, "testsrc2=size=64x48:rate=30", "-frames:v", "1"),
    "anamorphic.mp4": lambda out: _base(
        out, "testsrc2=size=320x240:rate=30:duration=0.5,setsar=4/3"
    ),
    "large.mp4": lambda out: _base(out, "testsrc2=size=1280x720:rate=25:duration=4"),
    "three_hours.mp4": lambda out: _base(
        out, "testsrc2=size=64x48:rate=1/3:duration=10800", "-g", "600"
    ),
}


def build(name: str, folder: Path) -> Path:
    """The file ``name`` in ``folder``, made now unless it is there."""
    out = folder / name
    if not out.exists():
        RECIPES[name](out)
    return out
