"""Between the contracts' messages and the domain's types, one file per noun."""

from shared.rpc.wire.assertion import absence_of, assertion, duplicate_of, to_assertion, to_missing
from shared.rpc.wire.decision import action_of, to_action
from shared.rpc.wire.dependency import dependency, stale, to_dependency
from shared.rpc.wire.fact import fact_of, importance_of, to_fact, to_importance
from shared.rpc.wire.finding import absence, contradiction, duplicate, resolution, supersession
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
from shared.rpc.wire.setting import declared_of, policy_of, to_settings
from shared.rpc.wire.times import instant, to_datetime, to_timestamp

__all__ = [
    "absence",
    "absence_of",
    "action_of",
    "assertion",
    "contradiction",
    "declared_of",
    "dependency",
    "duplicate",
    "duplicate_of",
    "fact_of",
    "identifier",
    "importance_of",
    "instant",
    "kind_of",
    "memory_type_of",
    "policy_of",
    "resolution",
    "stale",
    "state_of",
    "supersession",
    "tenant",
    "to_action",
    "to_assertion",
    "to_datetime",
    "to_dependency",
    "to_fact",
    "to_importance",
    "to_kind",
    "to_memory_type",
    "to_missing",
    "to_settings",
    "to_state",
    "to_timestamp",
]
