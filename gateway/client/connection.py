"""Where the command line connects to, and with which key: flag, else environment, else file.

Rules: the file is `config.toml` in the user's folder for settings of `candor` (url, key or key_file). A key that a file
holds goes only to the place that file speaks of, and the key of `make up` only to this machine. A key is never printed.
It does not know the commands.
Source: docs/cli.md.
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import typer

from .sending import DEFAULT_URL

LOCAL_KEY = Path(".candor/key")
CONFIG = "config.toml"
_LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class Connection:
    """A place and a key for it."""

    url: str
    key: str = field(repr=False)


def config_file() -> Path:
    """Return where the settings of the command line are kept."""
    return Path(typer.get_app_dir("candor")) / CONFIG


def connection(url: str, key: str, key_file: Path | None, config: Path) -> Connection:
    """Return the connection by flag, environment and file. Raises: typer.BadParameter."""
    kept = _kept(config)
    chosen = (url or kept.get("url") or DEFAULT_URL).rstrip("/")
    if key_file is not None:
        return Connection(chosen, _key_in(key_file))
    if key:
        return Connection(chosen, key)
    if chosen == kept.get("url", DEFAULT_URL).rstrip("/"):
        if "key" in kept:
            return Connection(chosen, kept["key"])
        if "key_file" in kept:
            return Connection(chosen, _key_in(Path(kept["key_file"]).expanduser()))
    if urlsplit(chosen).hostname in _LOCAL_HOSTS and LOCAL_KEY.is_file():
        return Connection(chosen, _key_in(LOCAL_KEY))
    return Connection(chosen, "")


def _kept(config: Path) -> dict[str, str]:
    try:
        read = tomllib.loads(config.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{config} cannot be read: {type(error).__name__}") from error
    wrong = sorted(
        name for name, value in read.items() if name not in {"url", "key", "key_file"} or value != str(value)
    )
    if wrong:
        raise typer.BadParameter(f"{config}: {', '.join(wrong)}: known are url, key and key_file, each a text")
    return read


def _key_in(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{path} cannot be read: {type(error).__name__}", param_hint="--key-file") from error
