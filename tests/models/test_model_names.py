from __future__ import annotations

from pathlib import Path

import pytest

from triptych.models import parse, resolve
from triptych.models.config import read_config
from triptych.models.names import Name
from triptych.record.errors import UnreadableError, UsageError


def test_names_are_taken_apart() -> None:
    assert parse("openai/gpt-5") == Name("openai", "gpt-5")
    assert parse("vllm/Qwen/Qwen3-VL-8B@http://127.0.0.1:8000/v1/") == Name(
        "vllm", "Qwen/Qwen3-VL-8B", "http://127.0.0.1:8000/v1"
    )
    assert parse("ollama/a@b") == Name("ollama", "a@b")


@pytest.mark.parametrize(
    "name", ["", "gpt-5", "/x", "x/", "a/b@http://", "a/b@http://u:p@host/v1", "a/b@http://h/ x"]
)
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(UsageError):
        parse(name)


def test_an_unknown_provider_is_said_in_one_line() -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")
    with pytest.raises(UsageError, match="nosuch/model: cannot be used") as told:
        resolve("nosuch/model")
    assert "\n" not in str(told.value)


def test_a_missing_key_is_said() -> None:
    pytest.importorskip("inspect_ai", reason="the extra 'models' is not installed")
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        resolve("openai/gpt-5-mini")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('keys = "sk-1"', "keys"),
        ("[keys]\nA = 5", "keys.A"),
        ('[keys]\n"A B" = "sk-1"', "no environment variable"),
        ('[servers.x]\nurl = "file:///etc"', "servers.x.url"),
        ("[keys", "not TOML"),
        ('[other]\nx = "sk-1"', "other"),
    ],
)
def test_a_bad_configuration_is_said_without_its_keys(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(UnreadableError, match=said) as told:
        read_config(path)
    assert "sk-1" not in str(told.value)
