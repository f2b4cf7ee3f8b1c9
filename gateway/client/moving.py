"""What moves a memory: how far an import is, and lines of an archive.

Rules: as in `results`. A line of an archive is kept byte by byte. It does not know what a line says.
Source: docs/moving.md; docs/api.md.
"""

import json
from dataclasses import dataclass

from . import problems

_BEGINS = '{"result":'
_END = '"part":"end"'


@dataclass(frozen=True, slots=True)
class LineError:
    """What is wrong with one line."""

    line: int
    field: str
    reason: str
    description: str


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """How far an import is, in lines; what is wrong with the first 100 of those that failed."""

    import_id: str
    lines: int
    written: int
    existing: int
    failed: int
    errors: tuple[LineError, ...]
    next_line: int


@dataclass(frozen=True, slots=True)
class ArchiveProgress:
    """How far the import of an archive is; `complete` once its end has come and nothing was missing."""

    import_id: str
    dry_run: bool
    lines: int
    memories: int
    failed: int
    errors: tuple[LineError, ...]
    next_line: int
    complete: bool


@dataclass(frozen=True, slots=True)
class ArchiveLine:
    """One line of an archive as it came, and what goes on behind it."""

    text: str
    resume_token: str

    @property
    def is_last(self) -> bool:
        """Whether the archive is whole."""
        return _END in self.text[:40]


def archive_line(line: bytes) -> ArchiveLine:
    """Return a line of an export. Raises: Problem."""
    try:
        text = line.decode()
        told = json.loads(text)
        if "problem" in told:
            raise problems.from_body(told["problem"])
        if not text.startswith(_BEGINS):
            raise ValueError
        _, end = json.JSONDecoder().raw_decode(text, len(_BEGINS))
        return ArchiveLine(text[len(_BEGINS) : end], told["resumeToken"])
    except (ValueError, KeyError, TypeError) as error:
        raise problems.ServerFault("The answer is no archive; is this Candor?", reason="ANSWER_INVALID") from error
