"""Facts and their importance, between judge's contract and the domain. It does not know who found them."""

from collections.abc import Mapping
from datetime import UTC
from types import MappingProxyType

from candor.judge.v1 import extraction_pb2 as pb

from shared.domain.extraction.facts import Fact, Importance
from shared.domain.types import Guard, MemoryType
from shared.rpc.wire.memory import memory_type_of, to_memory_type
from shared.rpc.wire.times import instant, to_timestamp

_PROTECTIONS: Mapping[Guard, pb.Protection.ValueType] = MappingProxyType(
    {guard: pb.Protection.Value(f"PROTECTION_{guard.name}") for guard in Guard}
)
_GUARDS: Mapping[int, Guard] = MappingProxyType({number: guard for guard, number in _PROTECTIONS.items()})


def to_fact(fact: Fact) -> pb.Fact:
    """Write a fact as a message."""
    return pb.Fact(
        text=fact.text,
        subject=fact.subject,
        slot=fact.slot,
        value=fact.value,
        former_value=fact.former_value,
        ends=fact.ends,
        corrects=fact.corrects,
        multi=fact.multi,
        valid_from=to_timestamp(fact.valid_from),
        valid_to=None if fact.valid_to is None else to_timestamp(fact.valid_to),
        evidence=fact.evidence,
    )


def fact_of(message: pb.Fact) -> Fact:
    """Read a fact that judge found."""
    return Fact(
        text=message.text,
        evidence=message.evidence,
        valid_from=message.valid_from.ToDatetime(tzinfo=UTC),
        valid_to=instant(message, "valid_to"),
        subject=message.subject,
        slot=message.slot,
        value=message.value,
        former_value=message.former_value,
        ends=message.ends,
        corrects=message.corrects,
    )


def to_importance(weight: Importance) -> pb.ImportanceScore:
    """Write an importance as a message."""
    return pb.ImportanceScore(
        importance=weight.importance,
        memory_type=to_memory_type(weight.memory_type),
        protection=_PROTECTIONS[weight.protection],
        reason=weight.reason,
    )


def importance_of(message: pb.ImportanceScore) -> Importance:
    """Read an importance that judge gave."""
    return Importance(
        importance=message.importance,
        memory_type=memory_type_of(message.memory_type) or MemoryType.EPISODIC,
        protection=_GUARDS.get(message.protection, Guard.NONE),
        reason=message.reason,
    )
