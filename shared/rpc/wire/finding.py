"""Findings on the wire, the same for recall and audit.

Rules: nothing is judged, cut or ordered here; the domain has done that. It does not know who asked.
"""

from uuid import UUID

from candor.memory.v1 import finding_pb2 as pb

from shared.domain import findings
from shared.domain.ladder import Resolution
from shared.rpc.wire.times import to_timestamp


def contradiction(found: findings.Contradiction, tenant_id: UUID) -> pb.Contradiction:
    """Write a contradiction."""
    return pb.Contradiction(
        finding_id=found.id(tenant_id),
        subject=found.subject,
        company=found.company,
        period=found.period,
        counterparty=found.counterparty_key,
        attribute=found.attribute,
        values=[value(one) for one in found.values],
        value_count=found.value_count,
        resolution=resolution(found.resolution),
    )


def supersession(found: findings.Superseded, tenant_id: UUID) -> pb.Supersession:
    """Write a value whose place was taken."""
    return pb.Supersession(
        finding_id=found.id(tenant_id),
        subject=found.subject,
        company=found.company,
        attribute=found.attribute,
        former=value(found.former),
        current=value(found.current),
    )


def duplicate(found: findings.Duplicate, tenant_id: UUID, subject: str | None) -> pb.Duplicate:
    """Write memories that say the same; `subject` is their record's id as written."""
    return pb.Duplicate(
        finding_id=found.id(tenant_id),
        subject=subject,
        company=found.company,
        memory_ids=[str(memory_id) for memory_id in found.memory_ids],
        memory_count=found.memory_count,
    )


def absence(found: findings.Absence, tenant_id: UUID) -> pb.Absence:
    """Write a dangling reference."""
    return pb.Absence(
        finding_id=found.id(tenant_id),
        subject=found.subject,
        company=found.company,
        referenced_by=[
            pb.Referrer(memory_id=str(referrer.memory_id), source_ref=referrer.source_ref)
            for referrer in found.referenced_by
        ],
        referrer_count=found.referrer_count,
        expected=found.expected,
    )


def value(found: findings.Value) -> pb.AssertedValue:
    """Write a value and who carries it."""
    return pb.AssertedValue(
        memory_id=str(found.memory_id),
        carrier_memory_ids=[str(memory_id) for memory_id in found.carrier_memory_ids],
        carrier_count=found.carrier_count,
        source_ref=found.source_ref,
        session=found.session,
        value=found.value,
        observed_at=to_timestamp(found.observed_at),
        recorded_at=to_timestamp(found.recorded_at),
    )


def resolution(found: Resolution) -> pb.Resolution:
    """Write what the ladder says."""
    return pb.Resolution(
        recommended_memory_id=str(found.recommended_memory_id),
        recommended_value=found.recommended_value,
        rule=found.rule,
        confidence=found.confidence,
        rationale=found.rationale,
    )
