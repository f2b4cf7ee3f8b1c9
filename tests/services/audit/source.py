"""A ConflictsService that streams prepared messages, as retrieve does: totals first, then from the token on."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count
from uuid import UUID

from candor.retrieve.v1.conflicts_pb2 import (
    AssertionGroup,
    AssertionGroups,
    DuplicateGroup,
    MissingRecord,
    RecordReferrer,
    StreamConflictsRequest,
    StreamConflictsResponse,
    Totals,
)
from candor.retrieve.v1.conflicts_pb2_grpc import ConflictsServiceServicer

from services.audit.signing import Signer
from shared.domain.claims import Claim
from shared.domain.ladder import Carrier
from shared.domain.opposition import Assertion
from shared.domain.types import MemoryKind
from shared.domain.values import ValueType
from shared.rpc import wire
from shared.rpc.context import Context

TENANT = UUID(int=7)
_salts = count()
SIGNER = Signer(b"k" * 32, lambda: next(_salts).to_bytes(32, "big"))
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
    """A message with one group."""
    return groups(assertions)


def groups(*several: Sequence[Assertion]) -> StreamConflictsResponse:
    """A message with several groups."""
    made = [AssertionGroup(assertions=map(wire.to_assertion, assertions)) for assertions in several]
    return StreamConflictsResponse(groups=AssertionGroups(groups=made))


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
    """Token `n` stands after the n-th message, `n-m` after the m-th group of the one that follows."""

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
        before, _, skipped = request.resume_token.partition("-")
        begin = int(before or 0)
        try:
            known_at = wire.to_timestamp(DAY)
            yield StreamConflictsResponse(
                totals=Totals(memories=40, records=9, known_at=known_at, next_since="point"),
                resume_token=request.resume_token or "0",
            )
            for number, message in enumerate(self.messages[begin:], start=begin + 1):
                self.sent = number
                sent = StreamConflictsResponse()
                sent.CopyFrom(message)
                sent.resume_token = str(number)
                for place, one in enumerate(sent.groups.groups, start=1):
                    one.resume_token = f"{number - 1}-{place}" if place < len(sent.groups.groups) else str(number)
                if number == begin + 1 and skipped:
                    del sent.groups.groups[: int(skipped)]
                yield sent
            if self.error:
                raise self.error
        finally:
            self.closed.set()
