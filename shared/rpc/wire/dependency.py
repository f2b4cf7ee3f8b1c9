"""Dependencies on the wire: from retrieve to audit as material, from audit to its callers as findings.

Rules: what was written here is read back unchanged. It does not know what is stale.
"""

from collections.abc import Sequence
from uuid import UUID

from candor.memory.v1 import finding_pb2
from candor.retrieve.v1 import conflicts_pb2 as pb

from shared.domain.dependency import Dependent, Stale
from shared.domain.opposition import Assertion
from shared.rpc.wire.assertion import assertion, to_assertion
from shared.rpc.wire.finding import value
from shared.rpc.wire.times import instant, to_timestamp


def to_dependency(dependent: Dependent, groups: Sequence[Sequence[Assertion]]) -> pb.Dependency:
    """Write a memory that depends on a record, with what is known of the record."""
    return pb.Dependency(
        memory_id=str(dependent.memory_id),
        source_ref=dependent.source_ref,
        record=dependent.record,
        company=dependent.company,
        recorded_at=to_timestamp(dependent.recorded_at),
        groups=[pb.AssertionGroup(assertions=[to_assertion(one) for one in group]) for group in groups],
    )


def dependency(message: pb.Dependency) -> tuple[Dependent, list[list[Assertion]]]:
    """Read what `to_dependency` wrote. Raises: ValueError for a memory without recorded time."""
    recorded_at = instant(message, "recorded_at")
    if recorded_at is None:
        raise ValueError("a memory has a recorded time")
    dependent = Dependent(
        memory_id=UUID(message.memory_id),
        source_ref=message.source_ref if message.HasField("source_ref") else None,
        record=message.record if message.HasField("record") else None,
        company=message.company if message.HasField("company") else None,
        recorded_at=recorded_at,
    )
    return dependent, [[assertion(one) for one in group.assertions] for group in message.groups]


def stale(found: Stale, tenant_id: UUID) -> finding_pb2.StaleDependency:
    """Write a memory that depends on a fact which has changed."""
    return finding_pb2.StaleDependency(
        finding_id=found.id(tenant_id),
        memory_id=str(found.dependent.memory_id),
        source_ref=found.dependent.source_ref,
        subject=found.dependent.record,
        company=found.dependent.company,
        depends_on=found.depends_on,
        attribute=found.attribute,
        former=value(found.former),
        current=value(found.current),
    )
