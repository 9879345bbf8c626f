"""Keys and servers from a file: ``config.toml`` in the user's configuration folder.

::

    [keys]                          # set in the environment unless they are there already
    OPENAI_API_KEY = "..."

    [servers.lab]                   # makes lab/MODEL a name
    url = "http://127.0.0.1:8000/v1"
    key_env = "LAB_KEY"             # the environment's variable, or one of [keys]
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

from pydantic import Field, ValidationError

from triptych.record.errors import UnreadableError
from triptych.record.report import Record


class Server(Record):
    """A chat-completions server; ``key_env`` names the variable that holds its key."""

    url: str = Field(pattern=r"^https?://\S+$")
    key_env: str | None = None


class Config(Record):
    """What the file says."""

    keys: dict[str, str] = Field(default_factory=dict)
    servers: dict[str, Server] = Field(default_factory=dict)

    def apply(self) -> None:
        """Set the keys that the environment does not have."""
        for name, value in self.keys.items():
            os.environ.setdefault(name, value)


def config_path() -> Path:
    """``TRIPTYCH_CONFIG``, or the usual place."""
    given = os.environ.get("TRIPTYCH_CONFIG")
    if given:
        return Path(given)
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "triptych" / "config.toml"


def read_config(path: Path | None = None) -> Config:
    """The file at ``path``, else at :func:`config_path`; without one, nothing is configured.

    Raises :class:`UnreadableError`, whose message holds no key.
    """
    path = path or config_path()
    try:
        config = Config.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return Config()
    except OSError as e:
        raise UnreadableError(str(path), f"cannot be read: {e.strerror}") from e
    except ValidationError as e:
        # Neither the value nor pydantic's message, which quotes it: it may be a key.
        where = ".".join(str(part) for part in e.errors()[0]["loc"])
        raise UnreadableError(str(path), f"{where} is not as it should be", "see docs") from e
    except ValueError as e:
        raise UnreadableError(str(path), "is not TOML in UTF-8", "see docs/models.md") from e
    for name in config.keys:
        if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name):
            raise UnreadableError(str(path), "a name in [keys] is no environment variable's")
    return config


def readable_by_others(path: Path) -> bool:
    """Whether somebody else on this machine may read the file."""
    return bool(path.stat().st_mode & 0o077)
