"""The order of an archive's lines: sections, keys, parts and places, each line behind the one before it.

Rules: each line has a place, and places rise; so nothing comes twice, and what hangs on a memory, a decision or a
finding stands below it. A memory's last revision is its current one. Lines may be taken up in the middle: what stands
above the first of them is then not known and taken for right. It does not know what is written.
Source: docs/moving.md.
"""

from typing import Any, TypeAlias

from shared.domain.archive import FORMAT, VERSION, Record
from shared.domain.errors import InvalidArgument
from shared.domain.types import MemoryState

_SECTIONS = ("archive", "setting", "memory", "operation", "decision", "finding", "end")
_BELOW = {"memory": ("event", "assertion", "use", "entry"), "decision": ("decision_memory", "decision_assertion"),
          "finding": ("finding_memory",)}  # fmt: skip
_KEYS = {"setting": "version", "memory": "memory_id", "operation": "operation_id", "decision": "decision_id",
         "finding": "finding_id"}  # fmt: skip
_PLACES = {
    "memory": ("revision",),
    "event": ("revision", "recorded_at", "event_id"),
    "assertion": ("attribute", "revision"),
    "entry": ("ordinal",),
    "decision_memory": ("memory_id",),
    "decision_assertion": ("memory_id", "attribute", "revision"),
    "finding_memory": ("memory_id",),
}
_SECTION_OF = {part: head for head in _SECTIONS for part in (head, *_BELOW.get(head, ()))}

Place: TypeAlias = tuple[Any, ...]


class Order:
    """Follows the lines of one archive; `is_whole` once the end has come."""

    def __init__(self, *, from_the_start: bool) -> None:
        self._is_known = from_the_start  # what stands above the next line
        self._section = ""
        self._key: Any = None
        self._rank: Any = None  # of the key among those of its section
        self._place: Place = ()
        self._is_current = True
        self.is_whole = False

    def lose(self) -> None:
        """Forget what stands above the next line: a line was left out."""
        self._is_known = False
        self._is_current = True

    def take(self, number: int, part: str, record: Record) -> None:
        """Take the next line, the archive's line of this number.

        Raises: InvalidArgument ARCHIVE_UNKNOWN, ARCHIVE_ORDER, ARCHIVE_INCOMPLETE, MEMORY_INCONSISTENT.
        """
        if self.is_whole:
            raise _disordered("the archive has ended")
        if self._is_known and (not self._section) != (part == "archive"):
            raise InvalidArgument.of("part", "ARCHIVE_UNKNOWN", "the first line, and only it, is the part archive")
        section, key = _SECTION_OF[part], record.get(_KEYS.get(_SECTION_OF[part], ""))
        if part == "archive" and (record["format"], record["version"]) != (FORMAT, VERSION):
            raise InvalidArgument.of("record", "ARCHIVE_UNKNOWN", f"must be {FORMAT}, version {VERSION}")
        if part == "end" and record["lines"] != number - 1:
            told = f"{record['lines']} lines should have come before, and {number - 1} have"
            raise InvalidArgument.of("record.lines", "ARCHIVE_INCOMPLETE", told)
        if self._is_known and part != section and (section, key) != (self._section, self._key):
            raise _disordered(f"a line {part} stands below the {section} that it belongs to")
        rank = record["number"] if part == "decision" else key
        if part != section:
            rank = self._rank if self._is_known else None
        place = _place(section, rank, part, record)
        if self._is_known and self._place and not _rises(self._place, place):
            raise _disordered("comes twice, or before its place")
        if self._section == "memory" and not self._is_current and (part, key) != ("memory", self._key):
            raise _inconsistent("the revision before it should be its memory's last, and is not current")
        if part == "memory":
            _check(record)
            if (section, key) == (self._section, self._key) and self._is_current:
                raise _inconsistent("a current revision is its memory's last")
        self._is_current = part != "memory" or record["current"]
        self._section, self._key, self._rank, self._place = section, key, rank, place
        self._is_known = True
        self.is_whole = part == "end"


def _place(section: str, rank: Any, part: str, record: Record) -> Place:
    parts = (section, *_BELOW.get(section, ()))
    own = tuple(record[name] for name in _PLACES.get(part, ()))
    return (_SECTIONS.index(section), rank, parts.index(part), own)


def _rises(former: Place, place: Place) -> bool:
    """Compare the sections alone where they differ: keys of two sections have no order, and an unknown one none."""
    return former[0] < place[0] if former[0] != place[0] else former[1] is None or former < place


def _check(record: Record) -> None:
    """Raises: InvalidArgument MEMORY_INCONSISTENT unless state, end and being current go together."""
    is_active, is_ended = record["state"] == MemoryState.ACTIVE, "ended_at" in record
    if is_active == (is_ended and record["current"]) or (not record["current"] and not (is_active and is_ended)):
        raise _inconsistent("only what is active and current has not ended, and only the current revision has a state")
    if is_ended and record["ended_at"] < record["recorded_at"]:
        raise _inconsistent("ended before it was recorded")
    if record["state"] == MemoryState.ERASED and (record["content"] or record["metadata"] != "{}"):
        raise _inconsistent("an erased memory has no content")


def _disordered(told: str) -> InvalidArgument:
    return InvalidArgument.of("part", "ARCHIVE_ORDER", told)


def _inconsistent(told: str) -> InvalidArgument:
    return InvalidArgument.of("record", "MEMORY_INCONSISTENT", told)
