"""Between the messages of MemoriesService and the domain's drafts and patches.

Rules: presence is what the wire says; an empty label that was sent is an absent one (the domain's rule). All that is
wrong in a batch is named at once, at most 20. It does not do I/O.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from candor.ingest.v1 import memories_pb2

from shared.domain import draft as drafts
from shared.domain.draft import VIOLATIONS_MAX
from shared.domain.errors import InvalidArgument, Violation
from shared.domain.patch import PATCHABLE, Values
from shared.domain.types import Draft, MemoryKind
from shared.rpc import wire

T = TypeVar("T")

_TIMES = ("observed_at", "expires_at")
_LISTS = ("tags", "references")


def drafts_of(messages: Sequence[memories_pb2.NewMemory], *, in_batch: bool) -> list[Draft]:
    """Return the checked drafts of a write, in its order.

    Raises: InvalidArgument naming every wrong field, those of a batch by their index.
    """
    found: list[Draft] = []
    violations: list[Violation] = []
    for position, message in enumerate(messages):
        try:
            found.append(draft_of(message, f"memories[{position}]." if in_batch else ""))
        except InvalidArgument as error:
            violations += error.violations
            if len(violations) >= VIOLATIONS_MAX:
                break
    if violations:
        raise InvalidArgument.of_all(tuple(violations[:VIOLATIONS_MAX]))
    return found


def patch_of(request: memories_pb2.UpdateMemoryRequest) -> Values:
    """Return the fields a patch sets, None for those it clears.

    Raises: InvalidArgument PATCH_EMPTY, UPDATE_MASK_INVALID, TIME_INVALID.
    """
    mask = tuple(request.update_mask.paths)
    for path in mask:
        if path not in PATCHABLE:
            raise InvalidArgument.of("update_mask", "UPDATE_MASK_INVALID", f"{path[:64]!r} is no field of a patch")
    names = mask or tuple(name for name in PATCHABLE if _is_sent(request.patch, name))
    if not names:
        raise InvalidArgument.of("patch", "PATCH_EMPTY", "names no field to change")
    return {name: _value(request.patch, name) for name in names}


def draft_of(message: memories_pb2.NewMemory, prefix: str = "") -> Draft:
    """Return the checked draft of one memory; `prefix` goes before every field name.

    Raises: InvalidArgument naming every wrong field.
    """
    violations: list[Violation] = []

    def given(field: str) -> Any:
        return getattr(message, field) if message.HasField(field) else None  # type: ignore[arg-type]

    def read(convert: Callable[[], T], otherwise: T) -> T:
        """Return what the wire holds, or a stand-in for what is wrong, so that the other fields are checked as well."""
        try:
            return convert()
        except InvalidArgument as error:
            violations.extend(error.violations)
            return otherwise

    kind = read(lambda: wire.kind_of(message.kind, f"{prefix}kind") or "", MemoryKind.NOTE.value)
    observed_at = read(lambda: _instant(message, "observed_at", prefix), None)
    expires_at = read(lambda: _instant(message, "expires_at", prefix), None)
    memory_type = read(lambda: wire.memory_type_of(message.memory_type, f"{prefix}memory_type"), None)
    no_ids: list[UUID] = []
    derived_from = read(lambda: _ids(message.derived_from, f"{prefix}derived_from"), no_ids)

    def check() -> Draft | None:
        return drafts.check(
            kind=kind,
            content=message.content,
            company=given("company"),
            period=given("period"),
            record=given("record"),
            source_ref=given("source_ref"),
            counterparty=given("counterparty"),
            speaker=given("speaker"),
            session=given("session"),
            tags=message.tags,
            metadata_json=given("metadata"),
            importance=given("importance"),
            pinned=message.pinned,
            observed_at=observed_at,
            expires_at=expires_at,
            memory_type=memory_type,
            references=message.references,
            derived_from=derived_from,
            prefix=prefix,
        )

    draft = read(check, None)
    if draft is None or violations:
        raise InvalidArgument.of_all(tuple(violations))
    return draft


def _instant(message: memories_pb2.NewMemory | memories_pb2.MemoryPatch, field: str, prefix: str) -> datetime | None:
    try:
        return wire.instant(message, field)
    except InvalidArgument as error:
        raise InvalidArgument.of(f"{prefix}{field}", error.reason, "lies outside the years 1 to 9999") from error


def _ids(texts: Sequence[str], field: str) -> list[UUID]:
    return [wire.identifier(text, f"{field}[{i}]", "MEMORY_ID_INVALID") for i, text in enumerate(texts)]


def _is_sent(patch: memories_pb2.MemoryPatch, name: str) -> bool:
    return len(getattr(patch, name)) > 0 if name in _LISTS else patch.HasField(name)  # type: ignore[arg-type]


def _value(patch: memories_pb2.MemoryPatch, name: str) -> Any:
    if not _is_sent(patch, name):
        return None
    if name in _TIMES:
        return _instant(patch, name, "patch.")
    return tuple(getattr(patch, name)) if name in _LISTS else getattr(patch, name)
