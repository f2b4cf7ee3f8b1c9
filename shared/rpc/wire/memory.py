"""A memory's enums and the ids that requests carry.

Rules: an enum's word is its name on the wire without prefix, in lower case; UNSPECIFIED is None; a number that the
contract does not know is the caller's mistake. It does not know what an unspecified value means: the RPC does.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol, TypeVar
from uuid import UUID

from candor.memory.v1 import memory_pb2
from google.protobuf.descriptor import EnumDescriptor

from shared.domain.errors import InvalidArgument
from shared.domain.types import MemoryKind, MemoryState, MemoryType

_Word = TypeVar("_Word", bound=StrEnum)


class _OfTenant(Protocol):
    @property
    def tenant_id(self) -> str: ...


def tenant(request: _OfTenant) -> UUID:
    """Return the tenant of a request. Raises: InvalidArgument TENANT_INVALID."""
    return identifier(request.tenant_id, "tenant_id", "TENANT_INVALID")


def identifier(text: str, field: str, reason: str) -> UUID:
    """Return the UUID in a field. Raises: InvalidArgument with the reason given."""
    try:
        return UUID(text)
    except ValueError as error:
        raise InvalidArgument.of(field, reason, "must be a UUID") from error


def kind_of(number: int, field: str = "kind") -> MemoryKind | None:
    """Return the kind of an enum value; None for unspecified. Raises: InvalidArgument KIND_INVALID."""
    return _word(_KINDS, number, field, "KIND_INVALID")


def state_of(number: int, field: str = "state") -> MemoryState | None:
    """Return the state of an enum value; None for unspecified. Raises: InvalidArgument STATE_INVALID."""
    return _word(_STATES, number, field, "STATE_INVALID")


def memory_type_of(number: int, field: str = "memory_type") -> MemoryType | None:
    """Return the type of an enum value; None for unspecified. Raises: InvalidArgument MEMORY_TYPE_INVALID."""
    return _word(_TYPES, number, field, "MEMORY_TYPE_INVALID")


def to_kind(kind: MemoryKind | None) -> memory_pb2.Kind.ValueType:
    """Return the enum value of a kind; unspecified for None."""
    return _KIND_NUMBERS[kind]


def to_state(state: MemoryState | None) -> memory_pb2.State.ValueType:
    """Return the enum value of a state; unspecified for None."""
    return _STATE_NUMBERS[state]


def to_memory_type(memory_type: MemoryType | None) -> memory_pb2.MemoryType.ValueType:
    """Return the enum value of a type; unspecified for None."""
    return _TYPE_NUMBERS[memory_type]


def _words(enum: EnumDescriptor, prefix: str, words: type[_Word]) -> Mapping[int, _Word | None]:
    unspecified: dict[int, _Word | None] = {0: None}
    return unspecified | {v.number: words[v.name.removeprefix(prefix)] for v in enum.values if v.number}


_KINDS = _words(memory_pb2.Kind.DESCRIPTOR, "KIND_", MemoryKind)
_STATES = _words(memory_pb2.State.DESCRIPTOR, "STATE_", MemoryState)
_TYPES = _words(memory_pb2.MemoryType.DESCRIPTOR, "MEMORY_TYPE_", MemoryType)
_KIND_NUMBERS = {word: memory_pb2.Kind.ValueType(number) for number, word in _KINDS.items()}
_STATE_NUMBERS = {word: memory_pb2.State.ValueType(number) for number, word in _STATES.items()}
_TYPE_NUMBERS = {word: memory_pb2.MemoryType.ValueType(number) for number, word in _TYPES.items()}


def _word(words: Mapping[int, _Word | None], number: int, field: str, reason: str) -> _Word | None:
    try:
        return words[number]
    except KeyError:
        raise InvalidArgument.of(field, reason, f"{number} is not one of the values") from None
