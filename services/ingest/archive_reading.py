"""Lines of an archive on their way to be written: read, in their order, and derived from again.

Rules: everything that can be known of a line without the database is found wrong here. It does not write.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from candor.ingest.v1 import archive_pb2 as pb
from candor.memory.v1 import finding_pb2, semantic_pb2
from google.protobuf.message import DecodeError, Message

from services.ingest.revising import Derive
from shared.domain import archive, retention_setting, setting
from shared.domain.archive import Record
from shared.domain.archive_memory import draft_of
from shared.domain.archive_order import Order
from shared.domain.errors import CandorError, InvalidArgument
from shared.domain.findings import FindingKind
from shared.domain.revision import Revision
from shared.store.writes.imports import LineFault

DESCRIPTION_MAX_CHARS = 300
_DETAILS: Mapping[str, type[Message]] = {
    FindingKind.CONTRADICTION: finding_pb2.Contradiction,
    FindingKind.ABSENCE: finding_pb2.Absence,
    FindingKind.STALE: finding_pb2.StaleDependency,
    FindingKind.SEMANTIC: semantic_pb2.SemanticContradiction,
}


@dataclass(slots=True)
class Lines:
    """What some lines say. `faults` are of those that are wrong; `last` is the last line that was dealt with."""

    last: int
    memories: list[tuple[Record, Revision | None]] = field(default_factory=list)
    others: dict[str, list[Record]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    faults: list[LineFault] = field(default_factory=list)


class Reading:
    """Reads one archive; `goes_on` behind a wrong line, to tell of all."""

    def __init__(self, derive: Derive, order: Order, *, goes_on: bool) -> None:
        self._derive = derive
        self._order = order
        self._goes_on = goes_on

    @property
    def is_whole(self) -> bool:
        """Whether the end has come."""
        return self._order.is_whole

    def read(self, lines: Sequence[pb.ArchiveLine], after: int) -> Lines:
        """Return what the lines behind line `after` say; up to a wrong one, unless the reading goes on."""
        found = Lines(after)
        for line in lines:
            try:
                part, record, revision = self._line(line)
            except InvalidArgument as error:
                found.faults.append(_fault(line.number, error))
                if not self._goes_on:
                    return found
                self._order.lose()
            else:
                if part == "memory":
                    found.memories.append((record, revision))
                else:
                    found.others.setdefault(part, []).append(record)
                found.counts[part] = found.counts.get(part, 0) + 1
            found.last = line.number
        return found

    def _line(self, line: pb.ArchiveLine) -> tuple[str, Record, Revision | None]:
        if line.WhichOneof("content") != "line":
            wrong = line.refused
            raise InvalidArgument.of(
                wrong.field or "body", wrong.reason or "LINE_EMPTY", wrong.description or "is empty"
            )
        said: Any = line.line.result if line.line.HasField("result") else line.line
        record = archive.read(said.part, said.record)
        self._order.take(line.number, said.part, record)
        if said.part == "memory":
            draft = draft_of(record)
            return said.part, record, None if draft is None else self._derive(draft)
        if said.part == "finding":
            _check_detail(record)
        elif said.part == "setting":
            _check_settings(record)
        return said.part, record, None


def _check_detail(record: Record) -> None:
    kind = _DETAILS.get(record["kind"])
    if kind is None:
        raise InvalidArgument.of("record.kind", "FIELD_INVALID", f"must be one of {', '.join(_DETAILS)}")
    try:
        kind.FromString(bytes.fromhex(record["detail"]))
    except DecodeError:
        raise InvalidArgument.of("record.detail", "FIELD_INVALID", "does not hold a finding of its kind") from None


def _check_settings(record: Record) -> None:
    try:
        setting.of_json(record["settings"])
        retention_setting.of_json(record["settings"]).rules()
    except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError):
        raise InvalidArgument.of("record.settings", "FIELD_INVALID", "does not hold settings") from None


def _fault(line: int, error: CandorError) -> LineFault:
    wrong = error.violations[0]
    return LineFault(line, wrong.field, wrong.reason, wrong.description[:DESCRIPTION_MAX_CHARS])
