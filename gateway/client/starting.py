"""`candor up` and `candor down`: start and stop the Candor that this command belongs to.

Rules: it is the Makefile beside this code that starts and stops; an installed copy has none and says so. It does not
know what is started.
Source: README.
"""

import subprocess
from pathlib import Path

import typer

from .terminal import UNAVAILABLE

_ROOT = Path(__file__).resolve().parents[2]


def up() -> None:
    """Start the database, the services and the gateway on this machine; returns when they are ready."""
    _make("up")


def down() -> None:
    """Stop what `candor up` started."""
    _make("down")


def _make(target: str) -> None:
    if not (_ROOT / "Makefile").is_file():
        raise typer.BadParameter("there is no Candor beside this command; name one that runs with --url")
    try:
        done = subprocess.run(["make", "--no-print-directory", "-C", str(_ROOT), target], check=False)
    except FileNotFoundError as error:
        raise typer.BadParameter("it takes make, which is not installed") from error
    if done.returncode:
        raise typer.Exit(UNAVAILABLE)
