"""FindingsService of ingest: records what audits saw, and what people acknowledge.

Rules: only what makes an audit not ok is recorded. A finding's set of values is known by a hash of their canonical
forms, so that another spelling of the same values opens nothing again; of two statements the folded texts stand for
values. It does not judge.
Source: REQUIREMENTS C8.
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import TypeAlias
from uuid import UUID

from candor.ingest.v1 import findings_pb2 as pb
from candor.ingest.v1.findings_pb2_grpc import FindingsServiceServicer
from candor.memory.v1 import finding_pb2, semantic_pb2

from services.ingest.asking import Means, ask_of, checked
from shared.domain.claims import claims_of
from shared.domain.errors import FailedPrecondition, InvalidArgument, NotFound
from shared.domain.findings import FindingKind, FindingState
from shared.domain.text import company_key, fold
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, run
from shared.store.writes import events, findings
from shared.store.writes.findings import Recorded, Seen

ID_MAX_CHARS = 128  # longer than any
BATCH_MAX_FINDINGS = 500  # well under the size of a message; chosen, untested
STATEMENTS = 2  # that a finding of meaning is about
FIELD_KINDS = (FindingKind.CONTRADICTION, FindingKind.ABSENCE, FindingKind.STALE)  # what a field audit sees
Message: TypeAlias = (
    finding_pb2.Contradiction | finding_pb2.Absence | finding_pb2.StaleDependency | semantic_pb2.SemanticContradiction
)


class FindingsServicer(FindingsServiceServicer):
    """Serves FindingsService."""

    def __init__(self, means: Means) -> None:
        self._means = means

    async def RecordFindings(self, request: pb.RecordFindingsRequest, context: Context) -> pb.RecordFindingsResponse:
        """Record what an audit saw."""
        tenant_id = wire.tenant(request)
        seen_at = wire.instant(request, "seen_at")
        if seen_at is None:
            raise InvalidArgument.of("seen_at", "TIME_INVALID", "must be given")
        for field, given in (("findings", request.findings), ("unjudged_finding_ids", request.unjudged_finding_ids)):
            if len(given) > BATCH_MAX_FINDINGS:
                raise InvalidArgument.of(field, "FINDINGS_TOO_MANY", f"holds more than {BATCH_MAX_FINDINGS}")
        found = {one.finding_id: one for one in map(_seen, request.findings)}
        unjudged, began_at = list(request.unjudged_finding_ids), wire.instant(request, "meaning_began_at")

        async def work(connection: Connection) -> tuple[Recorded, int]:
            recorded, resolved = await findings.record(connection, tenant_id, list(found.values()), seen_at), 0
            await findings.note_unjudged(connection, tenant_id, unjudged, seen_at)
            if request.complete:
                resolved += await findings.resolve_unseen(connection, tenant_id, FIELD_KINDS, seen_at)
            if began_at is not None:
                resolved += await findings.resolve_unmet(connection, tenant_id, began_at, seen_at)
            return recorded, resolved

        recorded, resolved = await run(self._means.pool, tenant_id, work)
        return pb.RecordFindingsResponse(opened=recorded.opened, reopened=recorded.reopened, resolved=resolved)

    async def AcknowledgeFinding(
        self, request: pb.AcknowledgeFindingRequest, context: Context
    ) -> pb.AcknowledgeFindingResponse:
        """Leave a finding as it is until its values change."""
        ask = ask_of(request, self._means.request_key)
        finding_id = checked("finding_id", request.finding_id, ID_MAX_CHARS, "FINDING_ID_INVALID")
        now = self._means.now()
        operation = ask.operation(self._means.new_id(), "acknowledge-finding", now)

        async def work(connection: Connection) -> bytes:
            named = {"finding_id": finding_id}
            state = await findings.state_of(connection, ask.tenant_id, finding_id)
            if state is None:
                raise NotFound("FINDING_NOT_FOUND", "there is no such finding", metadata=named)
            if state is FindingState.RESOLVED:
                raise FailedPrecondition("FINDING_RESOLVED", "the finding is resolved", metadata=named)
            await events.insert_operation(connection, operation)
            await findings.move(connection, operation, finding_id, FindingState.ACKNOWLEDGED)
            answer = pb.AcknowledgeFindingResponse(finding_id=finding_id, acknowledged_at=wire.to_timestamp(now))
            return answer.SerializeToString(deterministic=True)

        return pb.AcknowledgeFindingResponse.FromString((await self._means.once(ask, now, work)).answer)


def seen(message: Message) -> Seen:
    """Return a finding as it is recorded."""
    if isinstance(message, semantic_pb2.SemanticContradiction):
        return _semantic(message)
    attribute, subject = None, message.subject
    values: list[str] = []
    match message:
        case finding_pb2.Contradiction():
            kind, attribute = FindingKind.CONTRADICTION, message.attribute
            memory_ids = [memory_id for value in message.values for memory_id in value.carrier_memory_ids]
            values = [_canonical(attribute, value.value) for value in message.values]
        case finding_pb2.StaleDependency():
            kind, attribute, subject = FindingKind.STALE, message.attribute, message.depends_on
            memory_ids = [message.memory_id, message.former.memory_id, message.current.memory_id]
            values = [_canonical(attribute, message.current.value)]
        case _:
            kind = FindingKind.ABSENCE
            memory_ids = [referrer.memory_id for referrer in message.referenced_by]
    company = message.company if message.HasField("company") else None
    return Seen(
        finding_id=message.finding_id,
        kind=kind,
        company=company,
        company_key=company_key(company or ""),
        subject=subject,
        attribute=attribute,
        values_hash=_hash(sorted(values)),
        detail=message.SerializeToString(deterministic=True),
        memory_ids=_ids(memory_ids),
    )


def _semantic(message: semantic_pb2.SemanticContradiction) -> Seen:
    """Return a finding about two statements: of no record and no attribute."""
    if len(message.memories) != STATEMENTS:
        raise InvalidArgument.of("findings", "FINDING_INVALID", "is not about two memories")
    company = next((memory.company for memory in message.memories if memory.HasField("company")), None)
    return Seen(
        finding_id=message.finding_id,
        kind=FindingKind.SEMANTIC,
        company=company,
        company_key=company_key(company or ""),
        subject=None,
        attribute=None,
        values_hash=_hash(sorted(fold(memory.content) for memory in message.memories)),
        detail=message.SerializeToString(deterministic=True),
        memory_ids=_ids(memory.memory_id for memory in message.memories),
    )


def _ids(memory_ids: Iterable[str]) -> tuple[UUID, ...]:
    return tuple(sorted({wire.identifier(one, "findings", "FINDING_INVALID") for one in memory_ids}))


def _seen(message: pb.SeenFinding) -> Seen:
    match message.WhichOneof("finding"):
        case "contradiction":
            return seen(message.contradiction)
        case "absence":
            return seen(message.absence)
        case "stale":
            return seen(message.stale)
        case "semantic":
            return seen(message.semantic)
    raise InvalidArgument.of("findings", "FINDING_INVALID", "holds an empty finding")


def _canonical(attribute: str, raw: str) -> str:
    """Return the canonical form of a value; what claims nothing stands for itself."""
    claims = claims_of(f"{{{json.dumps(attribute)}: {raw}}}")
    return claims[0].canonical if claims else raw


def _hash(values: Iterable[str]) -> bytes:
    digest = sha256()
    for value in values:
        encoded = value.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return digest.digest()
