"""The raw material of an audit: assertions, groups of equal content, records that are missing.

Rules: what retrieve writes here audit reads back unchanged. A message that breaks the contract is a defect of the
service that sent it (ValueError), not of a caller. It does not know how material is judged.
"""

from decimal import Decimal
from uuid import UUID

from candor.retrieve.v1 import conflicts_pb2 as pb

from shared.domain.claims import Claim
from shared.domain.findings import MEMORIES_MAX, Absence, Duplicate, Referrer
from shared.domain.ladder import Carrier
from shared.domain.opposition import Assertion
from shared.domain.records import reference_key
from shared.domain.text import fold
from shared.domain.values import ValueType
from shared.rpc.wire.memory import kind_of, memory_type_of, to_kind, to_memory_type
from shared.rpc.wire.times import instant, to_timestamp


def to_assertion(asserted: Assertion) -> pb.Assertion:
    """Write an assertion."""
    carrier, claim = asserted.carrier, asserted.claim
    return pb.Assertion(
        memory_id=str(carrier.memory_id),
        kind=to_kind(carrier.kind),
        memory_type=to_memory_type(carrier.memory_type),
        derived=carrier.derived,
        importance=carrier.importance,
        company=asserted.company,
        company_key=asserted.company_key,
        record=asserted.record,
        record_key=asserted.record_key,
        attribute=claim.attribute,
        raw=claim.raw,
        canonical=claim.canonical,
        value_type=claim.value_type.value,
        number=None if claim.number is None else str(claim.number),
        currency=claim.currency,
        unit=claim.unit,
        counterparty_key=asserted.counterparty_key,
        period=asserted.period,
        source_ref=carrier.source_ref,
        session=asserted.session,
        valid_from=to_timestamp(carrier.observed_at),
        valid_to=to_timestamp(asserted.valid_to),
        recorded_at=to_timestamp(carrier.recorded_at),
        ended_at=to_timestamp(asserted.ended_at),
        ended_reason=asserted.ended_reason,
    )


def assertion(message: pb.Assertion) -> Assertion:
    """Read an assertion. Raises: ValueError for one that no memory can have made."""
    kind = kind_of(message.kind)
    recorded_at = instant(message, "recorded_at")
    if kind is None or recorded_at is None:
        raise ValueError("an assertion has the kind and the recorded time of its memory")
    return Assertion(
        carrier=Carrier(
            memory_id=UUID(message.memory_id),
            kind=kind,
            memory_type=memory_type_of(message.memory_type),
            derived=message.derived,
            importance=message.importance if message.HasField("importance") else None,
            observed_at=instant(message, "valid_from"),
            recorded_at=recorded_at,
            source_ref=message.source_ref if message.HasField("source_ref") else None,
            raw=message.raw,
        ),
        claim=Claim(
            attribute=message.attribute,
            raw=message.raw,
            canonical=message.canonical,
            value_type=ValueType(message.value_type),
            number=Decimal(message.number) if message.HasField("number") else None,
            currency=message.currency if message.HasField("currency") else None,
            unit=message.unit if message.HasField("unit") else None,
        ),
        company=message.company if message.HasField("company") else None,
        company_key=message.company_key,
        record=message.record,
        record_key=message.record_key,
        counterparty_key=message.counterparty_key if message.HasField("counterparty_key") else None,
        period=message.period if message.HasField("period") else None,
        session=message.session if message.HasField("session") else None,
        valid_to=instant(message, "valid_to"),
        ended_at=instant(message, "ended_at"),
        ended_reason=message.ended_reason if message.HasField("ended_reason") else None,
    )


def duplicate_of(group: pb.DuplicateGroup) -> Duplicate:
    """Read a group of memories with the same content, whose hash travels in hexadecimal digits."""
    return Duplicate(
        memory_ids=tuple(UUID(memory_id) for memory_id in group.memory_ids[:MEMORIES_MAX]),
        memory_count=group.memory_count,
        company=group.company if group.HasField("company") else None,
        company_key=fold(group.company),
        record_key=reference_key(group.record) or "",
        content_hash=bytes.fromhex(group.content_hash),
    )


def to_missing(absence: Absence) -> pb.MissingRecord:
    """Write a record that is not stored, or that lacks its counterpart."""
    return pb.MissingRecord(
        company=absence.company,
        company_key=absence.company_key,
        record=absence.subject,
        record_key=absence.record_key,
        referrers=[
            pb.RecordReferrer(memory_id=str(referrer.memory_id), source_ref=referrer.source_ref)
            for referrer in absence.referenced_by
        ],
        referrer_count=absence.referrer_count,
    )


def absence_of(missing: pb.MissingRecord, expected: str | None = None) -> Absence:
    """Read a record that is not stored, or whose counterpart `expected` is not."""
    return Absence(
        subject=missing.record,
        company=missing.company if missing.HasField("company") else None,
        company_key=missing.company_key,
        record_key=missing.record_key,
        referenced_by=tuple(
            Referrer(UUID(referrer.memory_id), referrer.source_ref if referrer.HasField("source_ref") else None)
            for referrer in missing.referrers[:MEMORIES_MAX]
        ),
        referrer_count=missing.referrer_count,
        expected=expected,
    )
