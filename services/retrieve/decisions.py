"""DecisionsService of retrieve: who decided what, when and why.

Rules: newest first; pages are cut by number, so none moves while decisions are taken. A decision of another tenant is
not there.
Source: REQUIREMENTS C9.
"""

from candor.memory.v1.decision_pb2 import Decision as Message
from candor.retrieve.v1 import decisions_pb2 as pb
from candor.retrieve.v1.decisions_pb2_grpc import DecisionsServiceServicer

from services.retrieve.filters import Reader, memory_id_of
from services.retrieve.page_tokens import Tokens
from shared.domain.claims import ATTRIBUTE_MAX_BYTES
from shared.domain.errors import NotFound
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, Pool, run
from shared.store.reads import decisions
from shared.store.reads.decisions import NEWEST, Decision, Wanted

DEFAULT_LIMIT = 20  # the contract's


class Decisions(DecisionsServiceServicer):
    """Answers from the database of one pool."""

    def __init__(self, pool: Pool, token_key: bytes) -> None:
        self._pool = pool
        self._token_key = token_key

    async def GetDecision(self, request: pb.GetDecisionRequest, context: Context) -> pb.GetDecisionResponse:
        """Read one decision. Raises: NotFound DECISION_NOT_FOUND."""
        reader = Reader(request)
        tenant_id, decision_id = wire.tenant(request), reader.label("decision_id") or ""
        reader.check()

        async def read(connection: Connection) -> Decision | None:
            return await decisions.get(connection, tenant_id, decision_id)

        found = await run(self._pool, tenant_id, read, read_only=True)
        if found is None:
            named = {"decision_id": decision_id}
            raise NotFound("DECISION_NOT_FOUND", "there is no such decision", metadata=named)
        return pb.GetDecisionResponse(decision=_message(found))

    async def ListDecisions(self, request: pb.ListDecisionsRequest, context: Context) -> pb.ListDecisionsResponse:
        """Read one page of decisions."""
        tenant_id, reader = wire.tenant(request), Reader(request)
        wanted = Wanted(
            tenant_id=tenant_id,
            memory_id=memory_id_of(request.memory_id) if request.memory_id else None,
            company_key=reader.company(),
            record_key=reader.record(),
            attribute=reader.label("attribute", ATTRIBUTE_MAX_BYTES),
        )
        limit = reader.limit(DEFAULT_LIMIT)
        reader.check()
        tokens = Tokens(self._token_key, tenant_id, request, "page_token")
        token = tokens.open(request.page_token)
        below = int(token[0]) if token else NEWEST

        async def read(connection: Connection) -> list[Decision]:
            return await decisions.page(connection, wanted, below, limit + 1)

        found = await run(self._pool, tenant_id, read, read_only=True)
        listed = found[:limit]
        next_token = tokens.seal((listed[-1].number,)) if len(listed) < len(found) else ""
        return pb.ListDecisionsResponse(decisions=map(_message, listed), next_page_token=next_token)


def _message(decision: Decision) -> Message:
    selected, correction = decision.selected_memory_id, decision.correction_memory_id
    return Message(
        decision_id=decision.decision_id,
        number=decision.number,
        action=wire.to_action(decision.action),
        finding_id=decision.finding_id,
        company=decision.company,
        subject=decision.subject,
        attribute=decision.attribute,
        selected_memory_id=str(selected) if selected else None,
        target_memory_ids=map(str, decision.target_memory_ids),
        correction_memory_id=str(correction) if correction else None,
        actor=decision.actor,
        reason=decision.reason,
        recorded_at=wire.to_timestamp(decision.recorded_at),
        operation_id=str(decision.operation_id),
        undone_at=wire.to_timestamp(decision.undone_at),
        undone_by=decision.undone_by,
        undone_reason=decision.undone_reason,
    )
