"""The wording of every prompt, from the files in `prompts/`.

Rules: a prompt's version is a hash of its files, so that an answer can be traced to the words that asked for it. Data
never becomes part of a prompt file's text. It does not know how a prompt is sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import orjson

VERSION_CHARS = 12
"""48 bits of SHA-256: enough to tell a few hundred wordings apart."""

_FOLDER = Path(__file__).parent / "prompts"


@dataclass(frozen=True, slots=True)
class Wording:
    """The text of one prompt file."""

    name: str
    text: str


def wording(name: str) -> Wording:
    """Read `prompts/<name>.txt`."""
    return Wording(name, file_of(name).read_text(encoding="utf-8").strip())


def file_of(name: str) -> Path:
    """Return where a wording stands."""
    return _FOLDER / f"{name}.txt"


def version(*wordings: Wording) -> str:
    """Return what identifies these wordings together."""
    return sha256("\0".join(f"{each.name}\0{each.text}" for each in wordings).encode()).hexdigest()[:VERSION_CHARS]


def delimited(data: Mapping[str, object]) -> str:
    """Write data as one line of JSON between two marks that no data can contain: every angle bracket is escaped."""
    text = orjson.dumps(data).decode().replace("<", "\\u003c").replace(">", "\\u003e")
    return f"<data>\n{text}\n</data>"


AGAIN = wording("again")
"""What follows an answer that could not be read."""
