"""A ConflictsService that streams prepared messages, as retrieve does: totals first, then from the token on."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import UUID

from candor.retrieve.v1.conflicts_pb2 import (
    AssertionGroup,
    DuplicateGroup,
    MissingRecord,
    RecordReferrer,
    StreamConflictsRequest,
    StreamConflictsResponse,
    Totals,
)
from candor.retrieve.v1.conflicts_pb2_grpc import ConflictsServiceServicer

from shared.domain.claims import Claim
from shared.domain.ladder import Carrier
from shared.domain.opposition import Assertion
from shared.domain.types import MemoryKind
from shared.domain.values import ValueType
from shared.rpc import wire
from shared.rpc.context import Context

TENANT = UUID(int=7)
DAY = datetime(2026, 3, 1, tzinfo=UTC)


def asserted(
    memory: int, amount: str, *, record: str = "INV-1", attribute: str = "amount", ended: bool = False, **given: str
) -> Assertion:
    """An assertion of a number, written on day `memory`."""
    carrier = Carrier(
        memory_id=UUID(int=memory),
        kind=MemoryKind.INVOICE,
        memory_type=None,
        derived=False,
        importance=None,
        observed_at=None,
        recorded_at=DAY + timedelta(days=memory),
        source_ref=f"mail-{memory}",
        raw=amount,
    )
    return Assertion(
        carrier=carrier,
        claim=Claim(attribute, amount, amount, ValueType.NUMBER, Decimal(amount)),
        company="Acme Ltd",
        company_key="acme ltd",
        record=record,
        record_key=record.lower(),
        counterparty_key=given.get("counterparty"),
        period=given.get("period"),
        session="s-1",
        ended_at=DAY + timedelta(days=90) if ended else None,
        ended_reason="superseded" if ended else None,
    )


def group(*assertions: Assertion) -> StreamConflictsResponse:
    return StreamConflictsResponse(group=AssertionGroup(assertions=map(wire.to_assertion, assertions)))


def clash(number: int, record: str = "INV-1", attribute: str = "amount") -> StreamConflictsResponse:
    """A group with one contradiction."""
    first, second = asserted(number, "8400", record=record, attribute=attribute), number + 1
    return group(first, asserted(second, "8900", record=record, attribute=attribute))


def twins(*memories: int, record: str = "INV-9") -> StreamConflictsResponse:
    ids = [str(UUID(int=memory)) for memory in memories]
    return StreamConflictsResponse(
        duplicate=DuplicateGroup(
            memory_ids=ids, memory_count=len(ids), company="Acme Ltd", record=record, content_hash="ab" * 32
        )
    )


def missing(record: str) -> StreamConflictsResponse:
    return StreamConflictsResponse(
        missing=MissingRecord(
            company="Acme Ltd",
            company_key="acme ltd",
            record=record,
            record_key=record.lower(),
            referrers=[RecordReferrer(memory_id=str(UUID(int=5)), source_ref="mail-5")],
            referrer_count=1,
        )
    )


class Source(ConflictsServiceServicer):
    """Token `n` stands after the n-th message."""

    def __init__(self, messages: Iterable[StreamConflictsResponse], error: Exception | None = None) -> None:
        self.messages: Sequence[StreamConflictsResponse] = list(messages)
        self.error = error
        self.requests: list[StreamConflictsRequest] = []
        self.sent = 0
        self.closed = asyncio.Event()

    async def StreamConflicts(
        self, request: StreamConflictsRequest, context: Context
    ) -> AsyncIterator[StreamConflictsResponse]:
        self.requests.append(request)
        begin = int(request.resume_token or 0)
        try:
            known_at = wire.to_timestamp(DAY)
            yield StreamConflictsResponse(
                totals=Totals(memories=40, records=9, known_at=known_at), resume_token=str(begin)
            )
            for number, message in enumerate(self.messages[begin:], start=begin + 1):
                self.sent = number
                message.resume_token = str(number)
                yield message
            if self.error:
                raise self.error
        finally:
            self.closed.set()
