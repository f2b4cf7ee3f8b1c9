"""Between the contracts' messages and the domain's types, one file per noun."""

from shared.rpc.wire.memory import (
    identifier,
    kind_of,
    memory_type_of,
    state_of,
    tenant,
    to_kind,
    to_memory_type,
    to_state,
)
from shared.rpc.wire.times import instant, to_datetime, to_timestamp

__all__ = [
    "identifier",
    "instant",
    "kind_of",
    "memory_type_of",
    "state_of",
    "tenant",
    "to_datetime",
    "to_kind",
    "to_memory_type",
    "to_state",
    "to_timestamp",
]
